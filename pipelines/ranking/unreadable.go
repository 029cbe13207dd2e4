package ranking

import (
	"context"
	"errors"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/infer/tokenizer"
	"github.com/commonplace/commonplace/label"
)

// askReadable asks a model about the text of each item. Items whose text its tokenizer refuses
// are rejected, and it is asked about the others, which come with their answers. Every text is
// judged by itself, so what is rejected does not depend on the batch.
func askReadable[T, A any](ctx context.Context, m *infer.Model, items []T, text, name func(T) string, ask func(context.Context, []string) ([]A, error), reject func(T, error)) (read []T, answers []A, err error) {
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = text(item)
	}
	answers, err = ask(ctx, texts)
	if errors.Is(err, tokenizer.ErrText) {
		var refused []error
		if refused, err = m.Unreadable(ctx, texts); err != nil {
			return nil, nil, err
		}
		var left []string
		for i, item := range items {
			if refused[i] != nil {
				reject(item, refused[i])
				continue
			}
			read, left = append(read, item), append(left, texts[i])
		}
		items = read
		answers, err = ask(ctx, left)
	}
	return items, answers, naming(err, func(place int) string { return name(items[place]) })
}

// embedding is what a model says of a text.
type embedding struct {
	vector    []float32
	truncated bool
}

// embed is [infer.Model.Embed], with an answer for each text.
func embed(m *infer.Model) func(context.Context, []string) ([]embedding, error) {
	return func(ctx context.Context, texts []string) ([]embedding, error) {
		vectors, truncated, err := m.Embed(ctx, texts)
		answers := make([]embedding, len(vectors))
		for i, v := range vectors {
			answers[i] = embedding{v, truncated[i]}
		}
		return answers, err
	}
}

// refuse makes rejects of the passages in the batch that the model cannot read, or of which
// it cannot read a sentence that counts. Every passage is asked for by itself, so what is
// rejected does not depend on the batch.
func (w *scoring) refuse() error {
	var texts []string
	var of []int // passage of each text
	for k, p := range w.batch {
		if w.pool.Whole() {
			texts, of = append(texts, p.Text), append(of, k)
			continue
		}
		for i := range w.read[k].sentences {
			texts, of = append(texts, w.read[k].sentence(i)), append(of, k)
		}
	}
	refused, err := w.m.Unreadable(w.o.Ctx, texts)
	if err != nil {
		return err
	}
	why := map[int]error{} // by passage
	for i, k := range of {
		if why[k] == nil && refused[i] != nil {
			why[k] = refused[i]
		}
	}
	batch, read := w.batch[:0], w.read[:0]
	for k, p := range w.batch {
		if err := why[k]; err != nil {
			w.o.Reject(commonplace.Reject{ID: p.ID, Location: p.DocID, Reason: label.ReasonUnreadable, Detail: err.Error()})
			continue
		}
		batch = append(batch, p)
		if !w.pool.Whole() {
			read = append(read, w.read[k])
		}
	}
	w.batch, w.read = batch, read
	return nil
}
