package pipelines

import (
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/ingest"
)

// The stages in the order in which a build runs them.
func init() {
	engine.Register(
		ingest.Crawl{}, quotesStage{}, givenStage{}, talkStage{}, ingest.Segment{}, matchStage{}, alignStage{}, worksStage{}, groupStage{},
		labelStage{}, chooseStage{}, rewordStage{}, queryStage{}, spanStage{}, offerStage{}, agreeStage{}, windowStage{}, replyStage{},
		countStage{}, markStage{}, sequenceStage{}, pairStage{}, compareStage{}, languageStage{}, scoreStage{}, rankStage{}, recommendStage{},
	)
}
