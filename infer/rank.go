package infer

import (
	"context"
	"math"

	"github.com/commonplace/commonplace"
)

// Opinion is what a model says of a pair for a ranking of one context's passages.
type Opinion struct {
	Score     float64          // a softmax over the passages makes it a probability
	Span      commonplace.Span // the best span, of a model that proposes spans or tags; else empty
	More      int              // other spans that a tagger finds
	Truncated bool
}

// noSpan is the score of a passage in which no span is possible: it has no words.
const noSpan = -1e4

// Rank gives each pair a score of one kind, whatever the model's head: that of
// [Model.ScorePairs], its logarithm where it is a probability, that of the best
// of [Model.Spans], or the logarithm of that of the surest span of [Model.Tag].
func (m *Model) Rank(ctx context.Context, pairs []Pair) ([]Opinion, error) {
	if err := m.Can(RankPairs); err != nil {
		return nil, err
	}
	out := make([]Opinion, len(pairs))
	if m.head.tag != nil {
		tagged, err := m.Tag(ctx, pairs)
		for i, t := range tagged {
			out[i] = opinionOfTags(t)
		}
		return out, err
	}
	if m.head.spans != nil {
		spans, err := m.Spans(ctx, pairs, 1)
		for i, s := range spans {
			out[i] = Opinion{Score: noSpan, Truncated: s.Truncated}
			if len(s.Spans) > 0 {
				out[i].Score, out[i].Span = s.Spans[0].Score, s.Spans[0].Span
			}
		}
		return out, err
	}
	scores, err := m.ScorePairs(ctx, pairs)
	for i, s := range scores {
		out[i] = Opinion{Score: s.Score, Truncated: s.Truncated}
		if m.head.pairs.probability {
			out[i].Score = math.Log(max(s.Score, math.SmallestNonzeroFloat64))
		}
	}
	return out, err
}

// encodeRanked makes the input that [Model.Rank] gives the graph for a pair.
func (m *Model) encodeRanked(it *item, p Pair) error {
	switch {
	case m.head.tag != nil:
		return m.encodeTagged(it, p)
	case m.head.spans != nil:
		return m.text.encodePair(it, p)
	}
	return m.head.pairs.encode(m.text, it, p)
}

// opinionOfTags is the surest span that a tagger finds, the first among equals.
func opinionOfTags(t Tagging) Opinion {
	o := Opinion{Score: noSpan, Truncated: t.Truncated, More: max(0, len(t.Spans)-1)}
	for _, s := range t.Spans {
		if score := math.Log(max(s.Score, math.SmallestNonzeroFloat64)); score > o.Score {
			o.Score, o.Span = score, s.Span
		}
	}
	return o
}
