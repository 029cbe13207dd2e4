package commonplace

// Recommendation is a passage of a document that was offered to a context, and
// its place among the others (context-based quotation recommendation, section
// 4; RA-MTR, section 4). It is a row of the table recommendations.
type Recommendation struct {
	ContextID string    `parquet:"context_id" json:"context_id" doc:"examples.context_id"`
	DocID     string    `parquet:"doc_id" json:"doc_id" doc:"document of the passage and of the context"`
	PassageID string    `parquet:"passage_id" json:"passage_id" doc:"passage that is recommended"`
	Index     int64     `parquet:"index" json:"index" doc:"passages.index"`
	Place     int64     `parquet:"place" json:"place" doc:"rank among the context's passages, from 1"`
	Score     float64   `parquet:"score" json:"score" doc:"with fuse: product, the weighted sum of parts; with mixture, the weighted sum of their exponentials; without models, the column retrieved"`
	Retrieved float64   `parquet:"retrieved" json:"retrieved" doc:"the retriever's score: BM25, or the dot product of the vectors; 0 if there is no retriever"`
	Parts     []float64 `parquet:"parts,list" json:"parts" doc:"for each model of the config, in order: the log-probability of this passage among the context's candidates"`
	SpanBegin int64     `parquet:"span_begin" json:"span_begin" doc:"first code point in passages.text of the span that the first span model proposes; 0 without one"`
	SpanEnd   int64     `parquet:"span_end" json:"span_end" doc:"code point after the last"`
	Label     string    `parquet:"label" json:"label" doc:"yes when the passage contains a part of the quote, no otherwise"`
	Truncated bool      `parquet:"truncated" json:"truncated" doc:"context and passage were longer than a model's input and were truncated"`
	Split     string    `parquet:"split" json:"split" doc:"examples.split"`
}
