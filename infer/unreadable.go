package infer

import (
	"context"
	"errors"

	"github.com/commonplace/commonplace/infer/tokenizer"
)

// Unreadable gives, for each text that a tokenizer of the model refuses
// ([tokenizer.ErrText]), the error, and nil for all others. A call that failed with such an
// error names one of them; without them it succeeds.
func (m *Model) Unreadable(ctx context.Context, texts []string) ([]error, error) {
	refused := make([]error, len(texts))
	for of := m; of != nil; of = of.plus {
		if of.text == nil {
			continue
		}
		read := func(i int) error { return of.text.tokens.EncodeTo(&new(item).encoded, of.text.masked(texts[i])) }
		if of.head.when {
			read = func(i int) error { return of.text.encodeTurns(new(item), texts[i]) } // which adds tokens.mask, if there is one
		}
		if err := of.text.refusals(ctx, refused, read); err != nil {
			return nil, err
		}
	}
	return refused, nil
}

// UnreadablePairs is [Model.Unreadable] for the pairs of a call of [Model.Rank]. A model that
// reads both texts as one may refuse them together, and neither alone.
func (m *Model) UnreadablePairs(ctx context.Context, pairs []Pair) ([]error, error) {
	if err := m.Can(RankPairs); err != nil {
		return nil, err
	}
	refused := make([]error, len(pairs))
	return refused, m.text.refusals(ctx, refused, func(i int) error { return m.encodeRanked(new(item), pairs[i]) })
}

// refusals fills in the refusals of what is read, where there is none yet.
func (h *textModel) refusals(ctx context.Context, refused []error, read func(i int) error) error {
	return inParallel(len(refused), h.run.encoders, func(i int) error {
		if refused[i] == nil {
			if err := read(i); errors.Is(err, tokenizer.ErrText) {
				refused[i] = err
			}
		}
		return ctx.Err()
	})
}
