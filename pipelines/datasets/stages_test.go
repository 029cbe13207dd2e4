package datasets

import (
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/ingest"
	"github.com/commonplace/commonplace/pipelines/quotes"
)

// The stages of this package and what they read, in a build's order.
func init() {
	engine.Register(
		ingest.Crawl{}, quotes.Quotes{}, quotes.Spans{}, Conversations{}, ingest.Segment{}, quotes.Match{}, quotes.Align{}, Clusters{}, Works{}, Group{},
		Examples{}, Negatives{}, Paraphrase{}, Queries{}, QuotedSpans{}, SpanNegatives{}, CompareReference{}, Windows{}, Replies{},
		quotes.Count{}, PositionTokens{}, Sequences{}, Pairs{}, Language{},
	)
}
