package infer

import (
	"context"
	"fmt"

	"github.com/commonplace/commonplace"
)

// Tagging is the labels that a model gives to the tokens of a passage.
type Tagging struct {
	Tokens    []commonplace.Span // code points of the passage
	Labels    []string           // O, B or I, one a token
	Marginals []float64          // probability of the label given the passage
	Spans     []FoundSpan        // from each B over the I behind it; Score is the mean marginal
	Truncated bool
}

// Tag labels the passage of each pair (head tag; RA-MTR's tagger). A pair without
// a context is tagged as a passage alone.
func (m *Model) Tag(ctx context.Context, pairs []Pair) ([]Tagging, error) {
	if m.manifest.Head != "tag" {
		return nil, m.lacks("tag passages")
	}
	h := m.text
	out := make([]Tagging, len(pairs))
	err := h.run.each(ctx, len(pairs),
		func(it *item) error {
			p := pairs[it.at]
			if p.Context == "" {
				return h.alone.EncodeTo(&it.encoded, p.Passage)
			}
			return h.tokens.EncodeTo(&it.encoded, p.Context, p.Passage)
		},
		func(it *item, r row) error {
			passage := int8(1)
			if pairs[it.at].Context == "" {
				passage = 0
			}
			t := Tagging{Truncated: it.encoded.Truncated}
			var logits [][]float32
			for i, s := range it.encoded.Sequence {
				if s == passage {
					t.Tokens = append(t.Tokens, it.encoded.Spans[i])
					logits = append(logits, r.values[0][3*i:3*i+3])
				}
			}
			for _, l := range logits {
				if !finite(l...) {
					return fmt.Errorf("model %s gives a logit that is not finite", m.manifest.Name)
				}
			}
			h.viterbi.label(logits, &t)
			out[it.at] = t
			return nil
		})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// spans gathers a B and the I behind it.
func (t *Tagging) spans() {
	for i := 0; i < len(t.Labels); {
		if t.Labels[i] != "B" {
			i++
			continue
		}
		j, sum := i, 0.0
		for j == i || j < len(t.Labels) && t.Labels[j] == "I" {
			sum += t.Marginals[j]
			j++
		}
		span := commonplace.Span{Begin: t.Tokens[i].Begin, End: t.Tokens[j-1].End}
		t.Spans = append(t.Spans, FoundSpan{span, sum / float64(j-i)})
		i = j
	}
}
