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
		err := inParallel(len(texts), of.text.run.encoders, func(i int) error {
			if _, err := of.text.tokens.Pieces(texts[i]); refused[i] == nil && errors.Is(err, tokenizer.ErrText) {
				refused[i] = err
			}
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
	}
	return refused, nil
}
