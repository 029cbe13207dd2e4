package infer

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/commonplace/commonplace"
)

var tagHead = head{
	name: "tag",
	doc:  headDoc{"a passage, or context and passage", "`[n, tokens, 3]`", "a label per token with its marginal probability, and spans", "`tag: {names, transitions, start, stop, alone}`"},
	part: "tag",
	graph: textGraph{
		shape:  of(-1, -1, 3),
		both:   true,
		bindTo: func(h *textModel) (any, error) { return newViterbi(h.manifest.Tag) },
	},
	tag: (*Model).tagPassages,
}

// Labels says what a tagger's logits stand for.
type Labels struct {
	Names       []string    `yaml:"names"`                   // O, B and I in the order of the logits
	Transitions [][]float64 `yaml:"transitions"`             // CRF score from label (row) to label; none: only what BIO forbids
	Start       []float64   `yaml:"start"`                   // CRF score of beginning with a label
	Stop        []float64   `yaml:"stop"`                    // CRF score of ending with a label
	Alone       bool        `yaml:"alone" json:",omitempty"` // it reads passages without a context
}

// Tagging is the labels that a model gives to the tokens of a passage.
type Tagging struct {
	Tokens    []commonplace.Span // code points of the passage
	Labels    []string           // O, B or I, one a token
	Marginals []float64          // probability of the label given the passage
	Spans     []FoundSpan        // all that is not O, cut before each B; Score is the mean marginal
	Truncated bool
}

// Tag labels the passage of each pair (head tag; RA-MTR's tagger). A pair without
// a context is tagged as a passage alone.
func (m *Model) Tag(ctx context.Context, pairs []Pair) ([]Tagging, error) {
	if err := m.Can(TagPassages); err != nil {
		return nil, err
	}
	return m.head.tag(m, ctx, pairs)
}

func (m *Model) tagPassages(ctx context.Context, pairs []Pair) ([]Tagging, error) {
	h, best := m.text, m.text.own.(*viterbi)
	out := make([]Tagging, len(pairs))
	err := h.run.each(ctx, len(pairs),
		func(it *item) error { return m.encodeTagged(it, pairs[it.at]) },
		func(it *item, r row) error {
			passage := int8(1)
			if m.readsAlone(pairs[it.at]) {
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
			best.label(logits, &t)
			if slices.ContainsFunc(t.Marginals, math.IsNaN) {
				return fmt.Errorf("model %s allows no path of labels: look at tag.transitions, tag.start and tag.stop", m.manifest.Name)
			}
			out[it.at] = t
			return nil
		})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (m *Model) encodeTagged(it *item, p Pair) error {
	if m.readsAlone(p) {
		return m.text.alone.EncodeTo(&it.encoded, p.Passage)
	}
	return m.text.encodePair(it, p)
}

// readsAlone says that a tagger is not given the context.
func (m *Model) readsAlone(p Pair) bool { return p.Context == "" || m.manifest.Tag.Alone }

// spans gathers a B and the I behind it. A model's own transitions may allow an I
// after O or at the beginning: that begins a span as well, as conlleval has it
// (Tjong Kim Sang and Buchholz, 2000), so that nothing of the path is lost.
func (t *Tagging) spans() {
	for i := 0; i < len(t.Labels); {
		if t.Labels[i] == "O" {
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
