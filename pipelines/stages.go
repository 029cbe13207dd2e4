package pipelines

import (
	"github.com/commonplace/commonplace/pipelines/engine"
)

// The stages in the order in which a build runs them.
func init() {
	engine.Register(
		crawlStage{}, quotesStage{}, givenStage{}, talkStage{}, segmentStage{}, matchStage{}, alignStage{}, worksStage{}, groupStage{},
		labelStage{}, chooseStage{}, rewordStage{}, queryStage{}, spanStage{}, offerStage{}, agreeStage{}, windowStage{}, replyStage{},
		countStage{}, markStage{}, sequenceStage{}, pairStage{}, compareStage{}, languageStage{}, scoreStage{}, rankStage{}, recommendStage{},
	)
}
