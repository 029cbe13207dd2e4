package commonplace

// Work says of which work a source document is an edition. Editions share most
// of their words and stay together in splits and folds. It is a row of the table
// works; every document that is searched for quotations of it has one.
type Work struct {
	DocID    string  `parquet:"doc_id" json:"doc_id" doc:"source document"`
	Work     string  `parquet:"work" json:"work" doc:"doc_id of the first edition in alphabetical order; the document's own doc_id if it is the only edition"`
	Editions int64   `parquet:"editions" json:"editions" doc:"documents of this work, this one included"`
	Shared   float64 `parquet:"shared" json:"shared" doc:"similarity to the nearest other edition: the estimated share of the shorter text's runs of words that both have, 0 to 1"`
	Author   string  `parquet:"author" json:"author" doc:"author in small letters, family name first, the same for all documents that must be in one fold by author; empty when unknown"`
}

// Group says what an alignment must stay together with when examples are assigned
// to splits: quotes that are near-duplicates, spans of one source that overlap,
// and spans of several sources that say the same. It is a row of the table
// groups; every alignment has one.
type Group struct {
	AlignmentID string `parquet:"alignment_id" json:"alignment_id" doc:"alignments.alignment_id"`
	DocID       string `parquet:"doc_id" json:"doc_id" doc:"alignments.source_id"`
	SourceBegin int64  `parquet:"source_begin" json:"source_begin" doc:"alignments.source_begin"`
	SourceEnd   int64  `parquet:"source_end" json:"source_end" doc:"alignments.source_end"`
	Group       string `parquet:"group" json:"group" doc:"name of the group: quote:, followed by the words of its first listed quote; or work:, followed by works.work, if it has no listed quote"`
	Work        string `parquet:"work" json:"work" doc:"works.work of the source"`
}
