package commonplace

// Query is a quotation that a news article makes of a transcript, and what the
// journalist had written before it (context-based quotation recommendation,
// "Dataset"). It is a row of the table queries.
type Query struct {
	ID          string   `parquet:"query_id" json:"query_id" doc:"id of the alignment that it was made from"`
	ClusterID   string   `parquet:"cluster_id" json:"cluster_id" doc:"span of the transcript that this and similar quotes repeat: doc_id:begin-end"`
	ArticleID   string   `parquet:"article_id" json:"article_id" doc:"document that quotes"`
	DocID       string   `parquet:"doc_id" json:"doc_id" doc:"transcript that is quoted"`
	Date        string   `parquet:"date" json:"date" doc:"day of the transcript, YYYY-MM-DD"`
	Title       string   `parquet:"title" json:"title" doc:"title of the article"`
	LeftContext string   `parquet:"left_context" json:"left_context" doc:"the article's sentences before the one that holds the quote: documents.text[left_begin:left_end] of the article"`
	LeftBegin   int64    `parquet:"left_begin" json:"left_begin" doc:"first code point in the article"`
	LeftEnd     int64    `parquet:"left_end" json:"left_end" doc:"code point after the last in the article"`
	Context     string   `parquet:"context" json:"context" doc:"title and left context joined with one space: the input of a model"`
	Before      string   `parquet:"before" json:"before" doc:"up to 40 words of the article before the quote (RA-MTR's variant of the dataset)"`
	After       string   `parquet:"after" json:"after" doc:"up to 40 words of the article after the quote"`
	Quote       string   `parquet:"quote" json:"quote" doc:"the quote as the article has it: documents.text[quote_begin:quote_end] of the article"`
	QuoteBegin  int64    `parquet:"quote_begin" json:"quote_begin" doc:"first code point in the article"`
	QuoteEnd    int64    `parquet:"quote_end" json:"quote_end" doc:"code point after the last in the article"`
	Span        string   `parquet:"span" json:"span" doc:"the positive span: documents.text[span_begin:span_end] of the transcript"`
	SpanBegin   int64    `parquet:"span_begin" json:"span_begin" doc:"first code point in the transcript"`
	SpanEnd     int64    `parquet:"span_end" json:"span_end" doc:"code point after the last in the transcript"`
	PassageIDs  []string `parquet:"passage_ids,list" json:"passage_ids" doc:"paragraphs that contain the quote, in order; for evaluation each is a right answer"`
	Split       string   `parquet:"split" json:"split" doc:"train, validation or test, by date"`
}

// QuotedSpan is the part of a query's positive span that one paragraph holds; a
// span over several paragraphs has as many, each a training example. It is a
// row of the table quoted_spans.
type QuotedSpan struct {
	ID          string `parquet:"part_id" json:"part_id" doc:"query_id, #, and the part's number from 0"`
	QueryID     string `parquet:"query_id" json:"query_id" doc:"query that it is a part of"`
	ClusterID   string `parquet:"cluster_id" json:"cluster_id" doc:"queries.cluster_id"`
	DocID       string `parquet:"doc_id" json:"doc_id" doc:"transcript that is quoted"`
	PassageID   string `parquet:"passage_id" json:"passage_id" doc:"paragraph that holds the part"`
	Context     string `parquet:"context" json:"context" doc:"queries.context"`
	PassageText string `parquet:"passage_text" json:"passage_text" doc:"passages.text"`
	SpanText    string `parquet:"span_text" json:"span_text" doc:"passage_text[span_begin:span_end]"`
	SpanBegin   int64  `parquet:"span_begin" json:"span_begin" doc:"first code point in passage_text"`
	SpanEnd     int64  `parquet:"span_end" json:"span_end" doc:"code point after the last in passage_text"`
	Split       string `parquet:"split" json:"split" doc:"queries.split"`
}
