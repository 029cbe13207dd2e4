package commonplace

// Window is a quotation of whole sentences in a secondary source, with the
// sentences around it (RELiC, Appendix A). It is a row of the table windows.
type Window struct {
	ID            string   `parquet:"window_id" json:"window_id" doc:"source_id, source_begin, source_end, derived_id, derived_begin and derived_end, joined"`
	DerivedID     string   `parquet:"derived_id" json:"derived_id" doc:"secondary source: the document that quotes"`
	DerivedBegin  int64    `parquet:"derived_begin" json:"derived_begin" doc:"first code point of the quotation in its documents.text: of its first sentence, or of what that sentence quotes where it says more"`
	DerivedEnd    int64    `parquet:"derived_end" json:"derived_end" doc:"code point after the last"`
	SourceID      string   `parquet:"source_id" json:"source_id" doc:"primary source: the document that is quoted"`
	SourceBegin   int64    `parquet:"source_begin" json:"source_begin" doc:"first code point of the quoted sentences in its documents.text"`
	SourceEnd     int64    `parquet:"source_end" json:"source_end" doc:"code point after the last"`
	Quote         string   `parquet:"quote" json:"quote" doc:"the source's own sentences: documents.text[source_begin:source_end]"`
	FirstSentence int64    `parquet:"first_sentence" json:"first_sentence" doc:"passages.index of the first quoted sentence of the source"`
	Sentences     int64    `parquet:"sentences" json:"sentences" doc:"number of quoted sentences"`
	Extended      int64    `parquet:"extended" json:"extended" doc:"how many of them are in no alignment: neighbours that share label.windows.min_shared_characters characters"`
	Covered       float64  `parquet:"covered" json:"covered" doc:"share of the quoted sentences' code points that alignments cover, 0 to 1"`
	Similarity    float64  `parquet:"similarity" json:"similarity" doc:"lowest similarity of the alignments"`
	Left          []string `parquet:"left,list" json:"left" doc:"up to label.windows.sentences sentences before, in order, without in-line citations such as (p. 149); what the first quoting sentence says before the quotation is one of them"`
	LeftBegin     int64    `parquet:"left_begin" json:"left_begin" doc:"first code point of left in the secondary source's documents.text"`
	LeftEnd       int64    `parquet:"left_end" json:"left_end" doc:"code point after the last"`
	Right         []string `parquet:"right,list" json:"right" doc:"up to label.windows.sentences sentences after, in order, without in-line citations"`
	RightBegin    int64    `parquet:"right_begin" json:"right_begin" doc:"first code point of right in the secondary source's documents.text"`
	RightEnd      int64    `parquet:"right_end" json:"right_end" doc:"code point after the last"`
	Candidates    int64    `parquet:"candidates" json:"candidates" doc:"number of runs of that many sentences in the source"`
	AlignmentIDs  []string `parquet:"alignment_ids,list" json:"alignment_ids" doc:"alignments that the window was made from"`
	Split         string   `parquet:"split" json:"split" doc:"train, validation or test; the same for all windows of a source"`
}
