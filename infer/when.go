package infer

import (
	"context"
	"fmt"
	"math"
)

// instructions are the two tokens that y_0 is one of.
type instructions struct{ quotation, ordinary int64 }

// QuoteProbabilities gives each context p(<quo>): whether a quotation follows it or an
// ordinary sentence (When and what to quote, section 3.2). It is p(y_0) of equation 4 over
// the two instructions alone, so that more than one half says that <quo> is the likelier,
// which is what Algorithm 1 decides by.
func (m *Model) QuoteProbabilities(ctx context.Context, contexts []string) ([]PairScore, error) {
	if err := m.Can(SayWhen); err != nil {
		return nil, err
	}
	h := m.text
	y0, both := h.own.(instructions)
	if !both {
		return nil, fmt.Errorf("model %s does not say when to quote: tokens.instruction or tokens.ordinary is missing in its %s", m.manifest.Name, ManifestFile)
	}
	out := make([]PairScore, len(contexts))
	err := h.run.each(ctx, len(contexts),
		func(it *item) error {
			it.target, it.given = append(it.target[:0], h.begin...), len(h.begin)
			return h.encodeTurns(it, contexts[it.at])
		},
		func(it *item, r row) error {
			logits, err := r.logits(it.given-1, max(y0.quotation, y0.ordinary))
			if err != nil {
				return err
			}
			p := 1 / (1 + math.Exp(float64(logits[y0.ordinary])-float64(logits[y0.quotation])))
			if math.IsNaN(p) {
				return fmt.Errorf("model %s gives a probability that is no number", m.manifest.Name)
			}
			out[it.at] = PairScore{p, it.encoded.Truncated}
			return nil
		})
	if err != nil {
		return nil, err
	}
	return out, nil
}
