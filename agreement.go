package commonplace

// Agreement holds one aligned quote of the Quotus file against what the aligner
// of this program found. It is a row of the table agreements.
type Agreement struct {
	QuoteID     string  `parquet:"quote_id" json:"quote_id" doc:"quotes.quote_id: the quote in the file"`
	DocID       string  `parquet:"doc_id" json:"doc_id" doc:"transcript that the file names"`
	Text        string  `parquet:"text" json:"text" doc:"the quote as the file gives it"`
	GivenBegin  int64   `parquet:"given_begin" json:"given_begin" doc:"first code point in the transcript as the file aligns it"`
	GivenEnd    int64   `parquet:"given_end" json:"given_end" doc:"code point after the last"`
	GivenText   string  `parquet:"given_text" json:"given_text" doc:"documents.text[given_begin:given_end]"`
	OursBegin   int64   `parquet:"ours_begin" json:"ours_begin" doc:"first code point in the transcript as we align it; -1 when not found there"`
	OursEnd     int64   `parquet:"ours_end" json:"ours_end" doc:"code point after the last; -1 when not found there"`
	Shared      float64 `parquet:"shared" json:"shared" doc:"code points in both spans divided by code points in either, 0 to 1"`
	Verdict     string  `parquet:"verdict" json:"verdict" doc:"same (shared 0.9 or more), overlapping, apart (another place of the transcript), or not found"`
	Paragraph   bool    `parquet:"same_paragraph" json:"same_paragraph" doc:"both begin in the same passage"`
	Distance    float64 `parquet:"distance" json:"distance" doc:"the file's Sim: 0 is perfect"`
	AlignmentID string  `parquet:"alignment_id" json:"alignment_id" doc:"alignments.alignment_id of ours, empty when not found there"`
}
