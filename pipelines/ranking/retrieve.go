package ranking

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/rank"
)

// candidate is a passage, by its place in its document, and what the retriever
// says of it.
type candidate struct {
	passage   int
	score     float64
	truncated bool // it, or the context, was cut for the retriever
}

// wordsOf are the words of a text for retrieval.
func wordsOf(text string) []string { return strings.Fields(label.Normalise(text)) }

// search reads a document's passages and returns what finds candidates for
// contexts, best first: all passages, or the best by BM25 or by a model's vectors
// (exactly: every passage is looked at).
func (r *recommender) search(ctx context.Context, passages []commonplace.Passage) (func([]commonplace.Example) ([][]candidate, error), error) {
	switch r.retriever {
	case config.RetrieveBM25:
		words := make([][]string, len(passages))
		for i, p := range passages {
			words[i] = wordsOf(p.Text)
		}
		index := label.NewBM25(words)
		return func(contexts []commonplace.Example) ([][]candidate, error) {
			found := make([][]candidate, len(contexts))
			for i, e := range contexts {
				scores := index.Scores(wordsOf(e.Context))
				for _, k := range rank.BestFirst(scores, r.Top) {
					found[i] = append(found[i], candidate{passage: k, score: scores[k]})
				}
			}
			return found, nil
		}, nil
	case config.RetrieveModel:
		texts, names := make([]string, len(passages)), make([]string, len(passages))
		for i, p := range passages {
			texts[i], names[i] = p.Text, "passage "+p.ID
		}
		vectors, cut, err := r.embed.Embed(ctx, texts)
		if err != nil {
			return nil, naming(err, names)
		}
		return func(contexts []commonplace.Example) ([][]candidate, error) {
			texts, names := make([]string, len(contexts)), make([]string, len(contexts))
			for i, e := range contexts {
				texts[i], names[i] = e.Context, "context "+e.ID
			}
			queries, cutToo, err := r.embed.Embed(ctx, texts)
			if err != nil {
				return nil, naming(err, names)
			}
			found := make([][]candidate, len(contexts))
			for i, q := range queries {
				for _, n := range infer.Nearest(q, vectors, r.Top) {
					found[i] = append(found[i], candidate{n.Index, n.Score, cut[n.Index] || cutToo[i]})
				}
			}
			return found, nil
		}, nil
	}
	all := make([]candidate, len(passages))
	for i := range all {
		all[i].passage = i
	}
	return func(contexts []commonplace.Example) ([][]candidate, error) {
		found := make([][]candidate, len(contexts))
		for i := range found {
			found[i] = all
		}
		return found, nil
	}, nil
}

// naming puts the name of the text or pair into an error that knows its place in a
// call of a model.
func naming(err error, names []string) error {
	if at := (*infer.InputError)(nil); errors.As(err, &at) {
		return fmt.Errorf("%s: %w", names[at.Place], at.Err)
	}
	return err
}
