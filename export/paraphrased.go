package export

import (
	"context"
	"fmt"
	"iter"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/table"
)

// inOtherWords finds the paraphrases of contexts, for documents in the order of a shard. It
// holds those of one document.
type inOtherWords struct {
	next func() (commonplace.Paraphrase, error, bool)
	stop func()
	row  commonplace.Paraphrase
	err  error
	more bool

	doc string
	of  map[string]string // by context
}

// paraphrases are those beside a shard of the kind; nil where its questions are read as they are.
func (k kind) paraphrases(ctx context.Context, j *job, shard int) *inOtherWords {
	if !j.options.Paraphrased || !j.formats[SQuAD] || k.Name != table.Examples.Name {
		return nil
	}
	w := &inOtherWords{}
	at := j.commits[table.Paraphrases.Name].ShardPaths(j.run)[shard]
	w.next, w.stop = iter.Pull2(table.Paraphrases.Rows(ctx, at, "context_id", "doc_id", "target_context"))
	w.row, w.err, w.more = w.next()
	return w
}

// context is what stands for a context; empty without a paraphrase. Documents are asked for in
// order: a paraphrase that was passed over would be lost.
func (w *inOtherWords) context(docID, contextID string) (string, error) {
	if docID < w.doc {
		return "", fmt.Errorf("%w: document %s stands behind %s among the examples: run `commonplace verify`", errChanged, docID, w.doc)
	}
	if w.of == nil || w.doc != docID {
		w.doc, w.of = docID, map[string]string{}
		for w.more && w.err == nil && w.row.DocID <= docID {
			if w.row.DocID == docID {
				w.of[w.row.ContextID] = w.row.Target
			}
			w.row, w.err, w.more = w.next()
		}
	}
	if w.more && w.err != nil {
		return "", w.err
	}
	return w.of[contextID], nil
}

func (w *inOtherWords) close() {
	if w != nil {
		w.stop()
	}
}

// ask writes a question, in other words where these are asked for.
func (s *splits) ask(f *squadFile, q table.Question) error {
	if s.said != nil {
		said, err := s.said.context(q.Title, q.ID)
		if err != nil || said == "" {
			return err
		}
		q.Question = said
	}
	return f.add(q)
}

// checkParaphrased refuses paraphrases that are not there.
func (j *job) checkParaphrased() error {
	examples, said := j.commits[table.Examples.Name], j.commits[table.Paraphrases.Name]
	if !j.options.Paraphrased || !j.formats[SQuAD] || examples.Rows == 0 || len(said.Shards) == len(examples.Shards) {
		return nil
	}
	return fmt.Errorf("%w: format squad: recommend.context.paraphrased asks for the table paraphrases, and %s has none beside its examples: build it with label.paraphrase", ErrOptions, j.run)
}
