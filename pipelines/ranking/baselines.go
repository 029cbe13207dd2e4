package ranking

import (
	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/segment"
)

// baseline scores the candidates of a context. What reads the candidates is kept with them.
func baseline(by string, constants config.BM25, p pool, a asked) []float64 {
	switch by {
	case config.BaselineFirst:
		return eval.Position(len(p.candidates))
	case config.BaselineMajority:
		scores := make([]float64, len(p.candidates))
		for i, c := range p.candidates {
			scores[i] = float64(c.used)
		}
		return scores
	case config.BaselineRandom:
		return eval.Constant(len(p.candidates))
	}
	if p.search.byWords == nil {
		p.search.byWords = map[string]func([]string) []float64{}
	}
	if p.search.byWords[by] == nil {
		p.search.byWords[by] = scoresByWords(by, p.candidates, constants)
	}
	return p.search.byWords[by](a.words)
}

// The baselines of readers (RA-MTR, section 5.3; Context-based quotation recommendation,
// table 6): a sentence of a passage, or all of it.
const firstSentence, lastSentence, wholePassage = "first sentence", "last sentence", "whole passage"

// saidBy is what such a baseline says of a passage.
func saidBy(name, text string) string {
	if name == wholePassage {
		return text
	}
	return sentenceOf(text, name == lastSentence)
}

// sentenceOf is the first or last sentence of a text.
func sentenceOf(text string, last bool) string {
	span := commonplace.Span{}
	for s := range segment.BySentences(text) {
		span = commonplace.Span{Begin: s.Begin, End: s.End}
		if !last {
			break
		}
	}
	return text[span.Begin:span.End]
}
