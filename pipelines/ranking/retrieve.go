package ranking

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/rank"
)

// candidate is one of a pool, by its place in it, and what the retriever says of it.
type candidate struct {
	at        int
	score     float64
	truncated bool // it, or the context, was cut for the retriever
}

// search finds candidates for contexts, best first. The zero value is not prepared yet.
type search struct {
	find    func([]asked) ([][]candidate, error)
	byWords map[string]func(words []string) []float64 // of baselines, by their names
	words   [][]string                                // of the candidates, for the metric Jaccard
}

// prepare reads the candidates once: for all of them, or the best by BM25, by TF-IDF or by
// a model's vectors (exactly: every candidate is looked at).
func (s *search) prepare(ctx context.Context, r *recommender, candidates []offered) error {
	if s.find != nil {
		return nil
	}
	top := r.Top
	if top == 0 {
		top = len(candidates)
	}
	switch r.retriever {
	case config.RetrieveBM25, config.RetrieveTFIDF:
		scores := scoresByWords(r.retriever, candidates, r.BM25)
		s.find = func(contexts []asked) ([][]candidate, error) {
			found := make([][]candidate, len(contexts))
			for i, a := range contexts {
				of := scores(a.words)
				for _, k := range rank.BestFirst(of, top) {
					found[i] = append(found[i], candidate{at: k, score: of[k]})
				}
			}
			return found, nil
		}
	case config.RetrieveModel:
		texts, names := make([]string, len(candidates)), make([]string, len(candidates))
		for i, c := range candidates {
			texts[i], names[i] = c.text, "candidate "+c.id
		}
		vectors, cut, err := cmp.Or(r.embedCandidates, r.embed).Embed(ctx, texts)
		if err != nil {
			return naming(err, names)
		}
		s.find = func(contexts []asked) ([][]candidate, error) {
			texts, names := make([]string, len(contexts)), make([]string, len(contexts))
			for i, a := range contexts {
				texts[i], names[i] = a.context, "context "+a.id
			}
			queries, cutToo, err := r.embed.Embed(ctx, texts)
			if err != nil {
				return nil, naming(err, names)
			}
			found := make([][]candidate, len(contexts))
			for i, q := range queries {
				if len(vectors) > 0 && len(q) != len(vectors[0]) {
					return nil, fmt.Errorf("recommend.retrieve gives vectors of %d numbers and recommend.candidates of %d", len(q), len(vectors[0]))
				}
				for _, n := range infer.Nearest(q, vectors, top) {
					found[i] = append(found[i], candidate{n.Index, n.Score, cut[n.Index] || cutToo[i]})
				}
			}
			return found, nil
		}
	default:
		all := make([]candidate, len(candidates))
		for i := range all {
			all[i].at = i
		}
		s.find = func(contexts []asked) ([][]candidate, error) {
			found := make([][]candidate, len(contexts))
			for i := range found {
				found[i] = all
			}
			return found, nil
		}
	}
	return nil
}

// scoresByWords reads the words of candidates; what it returns scores all of them for
// those of a context.
func scoresByWords(by string, candidates []offered, constants config.BM25) func(words []string) []float64 {
	words := make([][]string, len(candidates))
	for i, c := range candidates {
		words[i] = wordsOf(c.text)
	}
	if by == config.RetrieveTFIDF {
		return label.NewTFIDF(words).Scores
	}
	return label.NewBM25With(words, constants.K1, constants.B).Scores
}

// naming puts the name of the text or pair into an error that knows its place in a
// call of a model.
func naming(err error, names []string) error {
	if at := (*infer.InputError)(nil); errors.As(err, &at) {
		return fmt.Errorf("%s: %w", names[at.Place], at.Err)
	}
	return err
}
