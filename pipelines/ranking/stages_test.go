package ranking

import (
	"github.com/commonplace/commonplace/pipelines/datasets"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/ingest"
	"github.com/commonplace/commonplace/pipelines/quotes"
)

// The stages that the tests' configs ask for, in a build's order.
func init() {
	engine.Register(
		ingest.Crawl{}, quotes.Quotes{}, datasets.Conversations{}, ingest.Segment{}, quotes.Match{}, quotes.Align{}, datasets.Works{}, datasets.Group{},
		datasets.Examples{}, datasets.Paraphrase{}, datasets.Negatives{}, datasets.Queries{}, datasets.QuotedSpans{}, datasets.Windows{}, datasets.Replies{}, quotes.Count{}, datasets.PositionTokens{},
		Score{}, Rank{}, Recommend{}, WhenToQuote{}, Evaluate{},
	)
}
