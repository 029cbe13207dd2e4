package infer

import (
	"context"
	"fmt"
	"math"
)

// Pair is a context (the query) and a passage of a candidate source, or for
// seq2seq a context and a candidate quotation.
type Pair struct {
	Context, Passage string

	// Title and Body are the two parts of Context, for models that pack them ([Packed]);
	// where both are empty, all of Context is the body.
	Title, Body string
}

// PairScore is what a model says of a pair.
type PairScore struct {
	Score     float64
	Truncated bool
}

const rankName = "rank"

var rankHead = head{
	name:  rankName,
	doc:   headDoc{"context and passage", "`[n, 1]`, or `[n, 2]` of a classifier", "a score per pair", "`quoted`, of a classifier"},
	graph: textGraph{shape: oneOrTwo.shape, widest: oneOrTwo.widest, bindTo: oneOrTwo.bindTo, both: true},
	pairs: &pairing{
		encode: (*textModel).encodePair,
		decode: func(h *textModel, _ *item, r row) (float64, error) { return h.logit(r) },
	},
}

// pairing is how a head scores a pair.
type pairing struct {
	encode      func(h *textModel, it *item, p Pair) error
	decode      func(h *textModel, it *item, r row) (float64, error)
	all         func(h *textModel, ctx context.Context, pairs []Pair, out []PairScore) error // scores all pairs itself; encode makes the same inputs
	probability bool                                                                         // the score is a probability, and not a logit or a logarithm
}

// ScorePairs gives each pair a number: the logit (rank), the probability of yes
// against no as the next token (yes-no), or the mean log-probability of the
// passage's tokens (seq2seq). The softmax over one source's passages, and fusions
// with other scores, are the caller's.
func (m *Model) ScorePairs(ctx context.Context, pairs []Pair) ([]PairScore, error) {
	if err := m.Can(ScorePairs); err != nil {
		return nil, err
	}
	h, by := m.text, m.head.pairs
	out := make([]PairScore, len(pairs))
	if by.all != nil {
		return out, by.all(h, ctx, pairs, out)
	}
	err := h.run.each(ctx, len(pairs),
		func(it *item) error { return by.encode(h, it, pairs[it.at]) },
		func(it *item, r row) error {
			score, err := by.decode(h, it, r)
			if err != nil {
				return err
			}
			if math.IsNaN(score) || math.IsInf(score, 0) {
				return fmt.Errorf("model %s gives the score %v", m.manifest.Name, score)
			}
			out[it.at] = PairScore{score, it.encoded.Truncated}
			return nil
		})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// logits are what the graph says of the token after the one at a place; it must
// know the token id.
func (r row) logits(at int, id int64) ([]float32, error) {
	vocabulary := r.dims[0][len(r.dims[0])-1]
	if id >= vocabulary {
		return nil, fmt.Errorf("the graph has logits for %d tokens and none for token %d of %s", vocabulary, id, TokenizerFile)
	}
	return r.values[0][at*int(vocabulary) : (at+1)*int(vocabulary)], nil
}
