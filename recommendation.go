package commonplace

// Recommendation is a candidate that was offered to a context, and its place among the
// others (context-based quotation recommendation, section 4; RA-MTR, section 4; RELiC,
// section 4). It is a row of the table recommendations.
type Recommendation struct {
	Dataset    string    `parquet:"dataset" json:"dataset" doc:"triples, queries, windows or replies"`
	ContextID  string    `parquet:"context_id" json:"context_id" doc:"examples.context_id, queries.query_id, windows.window_id or replies.reply_id"`
	DocID      string    `parquet:"doc_id" json:"doc_id" doc:"document of the candidate; for replies, the conversation"`
	PassageID  string    `parquet:"passage_id" json:"passage_id" doc:"passage that is recommended; with recommend.segment, the document, the segmenter and the number of a piece; for windows, the first sentence of a run of windows.sentences; for replies, quotation: and its number"`
	Index      int64     `parquet:"index" json:"index" doc:"passages.index; with recommend.segment, the number of the piece; for replies, the number of the quotation (replies.quotation)"`
	Place      int64     `parquet:"place" json:"place" doc:"rank among the context's candidates, from 1"`
	Better     int64     `parquet:"better" json:"better" doc:"candidates with a higher score"`
	Tied       int64     `parquet:"tied" json:"tied" doc:"candidates with the same score, this one included: metrics are means over their orders"`
	Ranked     int64     `parquet:"ranked" json:"ranked" doc:"candidates of the context that were retrieved and ranked"`
	Candidates int64     `parquet:"candidates" json:"candidates" doc:"candidates that the context has"`
	Right      int64     `parquet:"right" json:"right" doc:"right answers among them"`
	Score      float64   `parquet:"score" json:"score" doc:"with fuse: product, the weighted sum of parts; with mixture, the weighted sum of their exponentials; without models, the column retrieved"`
	Retrieved  float64   `parquet:"retrieved" json:"retrieved" doc:"the retriever's score: BM25, the cosine of TF-IDF, or the dot product of the vectors; 0 if there is no retriever"`
	Parts      []float64 `parquet:"parts,list" json:"parts" doc:"for each model of the config, in order: the log-probability of this candidate among the context's; of the first model alone where recommend.rerank has the others not read it"`
	SpanBegin  int64     `parquet:"span_begin" json:"span_begin" doc:"first code point in the candidate of the span that the first span model proposes; 0 without one"`
	SpanEnd    int64     `parquet:"span_end" json:"span_end" doc:"code point after the last"`
	SpanText   string    `parquet:"span_text" json:"span_text" doc:"the span's text"`
	SpansMore  int64     `parquet:"spans_more" json:"spans_more" doc:"other spans that the model finds in the candidate, if it is a tagger"`
	Label      string    `parquet:"label" json:"label" doc:"yes when the candidate is right (it contains a part of the quote, or is the quotation), no otherwise"`
	Truncated  bool      `parquet:"truncated" json:"truncated" doc:"context and candidate were longer than a model's input and were truncated"`
	InSample   string    `parquet:"in_sample" json:"in_sample" doc:"yes: this context, or another edition of it, taught a model or chose its best epoch; no; or unknown: a model's folder does not say what taught it"`
	Split      string    `parquet:"split" json:"split" doc:"split of the context"`
}
