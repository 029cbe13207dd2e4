package commonplace

// Quote is one entry of a quote list: words that are looked for in documents.
// It is a row of the table quotes.
type Quote struct {
	ID       string `parquet:"quote_id" json:"quote_id" doc:"id in the list"`
	Text     string `parquet:"text" json:"text" doc:"the words, as the list gives them"`
	Author   string `parquet:"author" json:"author" doc:"author as the list gives it, empty when unknown"`
	Work     string `parquet:"work" json:"work" doc:"work as the list gives it, empty when unknown"`
	EBook    int64  `parquet:"ebook" json:"ebook" doc:"Project Gutenberg eBook number of the work, 0 when unknown"`
	SourceID string `parquet:"source_id" json:"source_id" doc:"doc_id of the document that the list names as the source, empty when unknown"`
	Source   string `parquet:"source" json:"source" doc:"name of the quote list in the config"`
	Rights   string `parquet:"rights" json:"rights" doc:"rights statement of the list, empty when unknown"`
}
