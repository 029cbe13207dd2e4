package standalone

// Found is one quotation at one place of a book.
type Found struct {
	QuoteID      string  `parquet:"quote_id" json:"quote_id,omitempty" doc:"quotation of the list, empty between documents"`
	QuoteText    string  `parquet:"quote_text" json:"quote_text,omitempty" doc:"the whole quotation, as the list has it"`
	QuoteAuthor  string  `parquet:"quote_author" json:"quote_author,omitempty" doc:"author as the list names it"`
	QuoteWork    string  `parquet:"quote_work" json:"quote_work,omitempty" doc:"work as the list names it"`
	DerivedID    string  `parquet:"derived_id" json:"derived_id,omitempty" doc:"document that quotes, empty for a list"`
	DerivedTitle string  `parquet:"derived_title" json:"derived_title,omitempty" doc:"its title"`
	DerivedBegin int64   `parquet:"derived_begin" json:"derived_begin" doc:"first code point in the quotation or the document"`
	DerivedEnd   int64   `parquet:"derived_end" json:"derived_end" doc:"code point after the last"`
	DerivedText  string  `parquet:"derived_text" json:"derived_text" doc:"these words"`
	SourceID     string  `parquet:"source_id" json:"source_id" doc:"book that is quoted"`
	SourceTitle  string  `parquet:"source_title" json:"source_title" doc:"its title, or its id"`
	SourceAuthor string  `parquet:"source_author" json:"source_author" doc:"its author, empty when unknown"`
	Chapter      string  `parquet:"chapter" json:"chapter" doc:"headings of the units in which the words begin, outermost first"`
	SourceBegin  int64   `parquet:"source_begin" json:"source_begin" doc:"first code point in the book's text"`
	SourceEnd    int64   `parquet:"source_end" json:"source_end" doc:"code point after the last"`
	SourceText   string  `parquet:"source_text" json:"source_text" doc:"these words"`
	Before       string  `parquet:"before" json:"before" doc:"up to twelve words before, of the book; between documents of the document that quotes"`
	After        string  `parquet:"after" json:"after" doc:"up to twelve words after"`
	Kind         string  `parquet:"kind" json:"kind" doc:"exact, inexact, ellipsis or block"`
	Similarity   float64 `parquet:"similarity" json:"similarity" doc:"identity over the aligned part, 0 to 1"`
	Score        float64 `parquet:"score" json:"score" doc:"evidence in bits that this is a quotation and not chance"`
	Attributed   string  `parquet:"attributed" json:"attributed,omitempty" doc:"whether the list names this book for the quotation, as in the table alignments"`
	Group        string  `parquet:"group" json:"group,omitempty" doc:"between documents, the same for the same words in several books; empty when there is one place"`
}
