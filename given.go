package commonplace

// GivenSpan is a place of a document that a file says is quoted. It is a row of
// the table spans.
type GivenSpan struct {
	DocID  string `parquet:"doc_id" json:"doc_id" doc:"document that is quoted"`
	Begin  int64  `parquet:"begin" json:"begin" doc:"first code point in documents.text"`
	End    int64  `parquet:"end" json:"end" doc:"code point after the last"`
	Source string `parquet:"source" json:"source" doc:"name of the file in the config"`
	Line   int64  `parquet:"line" json:"line" doc:"line of the file, from 1"`
	Count  int64  `parquet:"count" json:"count" doc:"how often the file says it is quoted; 1 where the file does not count"`
	Text   string `parquet:"text" json:"text" doc:"documents.text[begin:end]"`
}
