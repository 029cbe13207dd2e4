package pipelines

import (
	"github.com/commonplace/commonplace/pipelines/datasets"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/ingest"
	"github.com/commonplace/commonplace/pipelines/quotes"
	"github.com/commonplace/commonplace/pipelines/ranking"
)

// The stages in the order in which a build runs them.
func init() {
	engine.Register(
		ingest.Crawl{}, quotes.Quotes{}, quotes.Spans{}, datasets.Conversations{}, ingest.Segment{}, quotes.Match{}, quotes.Align{}, ranking.SentenceVectors{}, quotes.Paraphrases{}, datasets.Clusters{}, datasets.Works{}, datasets.Group{},
		datasets.Examples{}, datasets.Paraphrase{}, datasets.Negatives{}, datasets.Queries{}, datasets.QuotedSpans{}, datasets.SpanNegatives{}, datasets.CompareReference{}, datasets.Windows{}, datasets.Replies{},
		quotes.Count{}, datasets.PositionTokens{}, datasets.Sequences{}, datasets.Pairs{}, ranking.FeatureStats{}, datasets.Language{}, ranking.Score{}, ranking.Rank{}, ranking.Recommend{}, ranking.WhenToQuote{}, ranking.Evaluate{},
	)
}
