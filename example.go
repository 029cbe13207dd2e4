package commonplace

// Example is one training example of RA-MTR (Appendix D): a quote in a book,
// its contexts, the paragraph that holds it and that paragraph's BIO tags.
// It is a row of the table examples.
type Example struct {
	ID              string   `parquet:"context_id" json:"context_id" doc:"id of the alignment that it was made from"`
	QuoteID         string   `parquet:"quote_id" json:"quote_id" doc:"quote of the list; between documents, derived_id with offsets"`
	DocID           string   `parquet:"doc_id" json:"doc_id" doc:"document that holds the quote"`
	Quote           string   `parquet:"quote" json:"quote" doc:"the quote as the document has it: documents.text[quote_begin:quote_end]"`
	QuoteBegin      int64    `parquet:"quote_begin" json:"quote_begin" doc:"first code point in documents.text"`
	QuoteEnd        int64    `parquet:"quote_end" json:"quote_end" doc:"code point after the last in documents.text"`
	Similarity      float64  `parquet:"similarity" json:"similarity" doc:"alignments.similarity"`
	LeftContext     string   `parquet:"left_context" json:"left_context" doc:"up to label.context_words words before the quote: documents.text[left_begin:left_end]"`
	LeftBegin       int64    `parquet:"left_begin" json:"left_begin" doc:"first code point in documents.text"`
	LeftEnd         int64    `parquet:"left_end" json:"left_end" doc:"code point after the last in documents.text"`
	RightContext    string   `parquet:"right_context" json:"right_context" doc:"up to label.context_words words after the quote: documents.text[right_begin:right_end]"`
	RightBegin      int64    `parquet:"right_begin" json:"right_begin" doc:"first code point in documents.text"`
	RightEnd        int64    `parquet:"right_end" json:"right_end" doc:"code point after the last in documents.text"`
	Context         string   `parquet:"context" json:"context" doc:"left and right context joined with one space, or the one that is not empty"`
	PassageID       string   `parquet:"passage_id" json:"passage_id" doc:"positive passage: the one with the largest part of the quote"`
	PassageIDs      []string `parquet:"passage_ids,list" json:"passage_ids" doc:"all passages that the quote touches, in order"`
	CrossesBoundary bool     `parquet:"crosses_boundary" json:"crosses_boundary" doc:"the quote touches more than one passage"`
	PassageText     string   `parquet:"passage_text" json:"passage_text" doc:"passages.text of the positive passage"`
	SpanBegin       int64    `parquet:"span_begin" json:"span_begin" doc:"first code point of the quote's part in passage_text"`
	SpanEnd         int64    `parquet:"span_end" json:"span_end" doc:"code point after the last in passage_text"`
	SpanText        string   `parquet:"span_text" json:"span_text" doc:"passage_text[span_begin:span_end]"`
	Tokens          []string `parquet:"tokens,list" json:"tokens" doc:"words and punctuation marks of the positive passage, apart at white space and at Unicode's word boundaries (UAX #29); joined, they are the passage without white space"`
	Tags            []string `parquet:"tags,list" json:"tags" doc:"one tag a token: B first token of the quote, I the rest, O elsewhere"`
	Pieces          []string `parquet:"pieces,list" json:"pieces,omitempty" doc:"word pieces of the tokens by the config's tokenizer; empty without one"`
	PieceTags       []string `parquet:"piece_tags,list" json:"piece_tags,omitempty" doc:"one tag per piece. If the token's tag is B, its pieces have B, I, ... I; otherwise they repeat the token's tag"`
	Candidates      int64    `parquet:"candidates" json:"candidates" doc:"number of candidate passages: all of the document, indexes 0 to candidates-1"`
	Split           string   `parquet:"split" json:"split" doc:"train, validation or test"`
}

// QuoteCount says how often a passage is quoted (content-based models of
// quotation, section 3). It is a row of the table quote_counts; a passage that
// is never quoted has a row with count 0.
type QuoteCount struct {
	PassageID string `parquet:"passage_id" json:"passage_id" doc:"passage that is counted"`
	DocID     string `parquet:"doc_id" json:"doc_id" doc:"document of the passage"`
	Index     int64  `parquet:"index" json:"index" doc:"passages.index"`
	Count     int64  `parquet:"count" json:"count" doc:"how often the passage is quoted: the number of distinct spans of derived texts, or distinct listed quotes, that count for it (count.overlap; with count.clusters one for the copies of one passage), plus the counts of located spans and of a file. For an ellipsis the parts decide"`
	Readers   int64  `parquet:"readers" json:"readers" doc:"how many of these are by readers: from lists and spans with by: readers in the config"`
	Editors   int64  `parquet:"editors" json:"editors" doc:"how many are by editors, from lists and spans with by: editors"`
}
