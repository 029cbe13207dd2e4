package ranking

import (
	"github.com/commonplace/commonplace"
)

// reasonUnreadable is that of passages that a model's tokenizer does not read within its
// bounds ([tokenizer.ErrText]).
const reasonUnreadable = "not readable for the model"

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
			w.o.Reject(commonplace.Reject{ID: p.ID, Location: p.DocID, Reason: reasonUnreadable, Detail: err.Error()})
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
