package infer

import (
	"context"
	"fmt"
	"slices"

	"github.com/commonplace/commonplace"
)

var spanHead = head{
	name:  "span",
	doc:   headDoc{"context and passage", "two of `[n, tokens]`", "the k best spans, in code points of the passage", ""},
	graph: textGraph{outputs: 2, shape: of(-1, -1), both: true},
	spans: (*Model).proposeSpans,
}

// FoundSpan is a span of a passage that a model proposes.
type FoundSpan struct {
	commonplace.Span         // code points of the passage
	Score            float64 // span: start logit + end logit; tag: mean marginal probability of the span's labels
}

// Proposal is what a model proposes of a passage.
type Proposal struct {
	Spans     []FoundSpan // best first
	Truncated bool        // the passage, or its context, was cut: a span beyond the cut cannot be found
}

// Spans proposes the k best spans of each pair's passage, best first (head span;
// Context-based quotation recommendation, section 4.3). A span begins and ends
// in the passage and ends no earlier than it begins; among equal scores the
// earlier one comes first, then the shorter. A passage that is empty has none.
func (m *Model) Spans(ctx context.Context, pairs []Pair, k int) ([]Proposal, error) {
	if err := m.Can(ProposeSpans); err != nil {
		return nil, err
	}
	if k < 0 {
		return nil, fmt.Errorf("%d spans were asked for; give 0 or more", k)
	}
	return m.head.spans(m, ctx, pairs, k)
}

func (m *Model) proposeSpans(ctx context.Context, pairs []Pair, k int) ([]Proposal, error) {
	h := m.text
	out := make([]Proposal, len(pairs))
	err := h.run.each(ctx, len(pairs),
		func(it *item) error { return h.encodePair(it, pairs[it.at]) },
		func(it *item, r row) error {
			n := it.encoded.Len()
			if !finite(r.values[0][:n]...) || !finite(r.values[1][:n]...) {
				return fmt.Errorf("model %s gives a logit that is not finite", m.manifest.Name)
			}
			out[it.at] = Proposal{bestSpans(it, r.values[0], r.values[1], k), it.encoded.Truncated}
			return nil
		})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// bestSpans looks at every pair of a start and an end in the second text.
func bestSpans(it *item, start, end []float32, k int) []FoundSpan {
	type candidate struct {
		i, j  int
		score float64
	}
	var best []candidate // best first
	order := func(a, b candidate) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		case a.i != b.i:
			return a.i - b.i
		}
		return a.j - b.j
	}
	inside := func(t int) bool { return it.encoded.Sequence[t] == 1 }
	n := it.encoded.Len()
	for i := range n {
		if !inside(i) {
			continue
		}
		for j := i; j < n && inside(j); j++ {
			c := candidate{i, j, float64(start[i]) + float64(end[j])}
			if len(best) == k && (k == 0 || order(c, best[k-1]) > 0) {
				continue
			}
			at, _ := slices.BinarySearchFunc(best, c, order)
			best = slices.Insert(best, at, c)
			best = best[:min(len(best), k)]
		}
	}
	out := make([]FoundSpan, len(best))
	for i, c := range best {
		out[i] = FoundSpan{commonplace.Span{Begin: it.encoded.Spans[c.i].Begin, End: it.encoded.Spans[c.j].End}, c.score}
	}
	return out
}
