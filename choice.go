package commonplace

// Choice is one passage offered to a ranker with a context, and whether it is
// the right one (RA-MTR, section 5.1; context-based quotation recommendation,
// "Paragraph Ranking"). The choices of a context are one listwise training row.
// It is a row of the table choices.
type Choice struct {
	ContextID   string `parquet:"context_id" json:"context_id" doc:"examples.context_id or quoted_spans.part_id"`
	DocID       string `parquet:"doc_id" json:"doc_id" doc:"document of the passage"`
	PassageID   string `parquet:"passage_id" json:"passage_id" doc:"passage that is offered"`
	Index       int64  `parquet:"index" json:"index" doc:"passages.index"`
	Place       int64  `parquet:"place" json:"place" doc:"number among the context's choices, from 0; those that contain the quote come first"`
	Label       string `parquet:"label" json:"label" doc:"yes when the passage contains a part of the quote, no otherwise"`
	SampledBy   string `parquet:"sampled_by" json:"sampled_by" doc:"positive, near, bm25, uniform, tfidf, position or all"`
	Context     string `parquet:"context" json:"context" doc:"examples.context, or paraphrases.target_context where recommend.context.paraphrased asks for it; queries.context"`
	PassageText string `parquet:"passage_text" json:"passage_text" doc:"passages.text"`
	SpanBegin   int64  `parquet:"span_begin" json:"span_begin" doc:"first code point of the quote's part in passage_text; 0 when label is no"`
	SpanEnd     int64  `parquet:"span_end" json:"span_end" doc:"code point after the last; 0 when label is no"`
	Split       string `parquet:"split" json:"split" doc:"split of the context"`
}
