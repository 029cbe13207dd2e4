package pipelines

import (
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/ingest"
	"github.com/commonplace/commonplace/pipelines/quotes"
)

// The stages in the order in which a build runs them.
func init() {
	engine.Register(
		ingest.Crawl{}, quotes.Quotes{}, quotes.Spans{}, talkStage{}, ingest.Segment{}, quotes.Match{}, quotes.Align{}, worksStage{}, groupStage{},
		labelStage{}, chooseStage{}, rewordStage{}, queryStage{}, spanStage{}, offerStage{}, agreeStage{}, windowStage{}, replyStage{},
		quotes.Count{}, markStage{}, sequenceStage{}, pairStage{}, compareStage{}, languageStage{}, scoreStage{}, rankStage{}, recommendStage{},
	)
}
