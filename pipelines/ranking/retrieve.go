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

// search finds candidates for contexts, best first, and leaves out contexts that are rejected.
// The zero value is not prepared yet.
type search struct {
	find     func([]asked) ([]asked, [][]candidate, error)
	rejected map[int]bool                              // candidates, by their places in the pool
	byWords  map[string]func(words []string) []float64 // of baselines, by their names
	words    [][]string                                // of the candidates, sorted and each once, for the metric Jaccard
}

// prepare reads the candidates once: for all of them, or the best by BM25, by TF-IDF or by
// a model's vectors (exactly: every candidate is looked at).
func (p pool) prepare(ctx context.Context, r *recommender) error {
	s := p.search
	if s.find != nil {
		return nil
	}
	top := r.Top
	if top == 0 {
		top = len(p.candidates)
	}
	all := make([]candidate, len(p.candidates))
	for i := range all {
		all[i].at = i
	}
	switch r.retriever {
	case config.RetrieveBM25, config.RetrieveTFIDF:
		scores := scoresByWords(r.retriever, p.candidates, r.BM25)
		s.find = ofEach(func(a asked) (found []candidate) {
			of := scores(a.words)
			for _, k := range rank.BestFirst(of, top) {
				found = append(found, candidate{at: k, score: of[k]})
			}
			return found
		})
	case config.RetrieveModel:
		return p.prepareVectors(ctx, r, all, top)
	default:
		s.find = ofEach(func(asked) []candidate { return all })
	}
	return nil
}

// ofEach is a search that refuses no context.
func ofEach(find func(asked) []candidate) func([]asked) ([]asked, [][]candidate, error) {
	return func(contexts []asked) ([]asked, [][]candidate, error) {
		found := make([][]candidate, len(contexts))
		for i, a := range contexts {
			found[i] = find(a)
		}
		return contexts, found, nil
	}
}

// prepareVectors has a model read the candidates, and then contexts. What it cannot read is
// rejected: contexts of which no candidate is left, too.
func (p pool) prepareVectors(ctx context.Context, r *recommender, all []candidate, top int) error {
	m := cmp.Or(r.embedCandidates, r.embed)
	text := func(c candidate) string { return p.candidates[c.at].text }
	name := func(c candidate) string { return "candidate " + p.candidates[c.at].id }
	var why error // of the last candidate that is rejected
	read, of, err := askReadable(ctx, m, all, text, name, embed(m), func(c candidate, refused error) {
		why = refused
		r.rejectCandidate(p, c, refused)
	})
	if err != nil {
		return err
	}
	vectors := make([][]float32, len(of))
	for i, e := range of {
		vectors[i] = e.vector
	}
	query := func(a asked) string { return a.context }
	named := func(a asked) string { return "context " + a.id }
	p.search.find = func(contexts []asked) ([]asked, [][]candidate, error) {
		if len(read) == 0 {
			for _, a := range contexts {
				r.rejectContext(a, why)
			}
			return nil, nil, nil
		}
		contexts, queries, err := askReadable(ctx, r.embed, contexts, query, named, embed(r.embed), r.rejectContext)
		if err != nil {
			return nil, nil, err
		}
		found := make([][]candidate, len(contexts))
		for i, q := range queries {
			if len(q.vector) != len(vectors[0]) {
				return nil, nil, fmt.Errorf("recommend.retrieve gives vectors of %d numbers and recommend.candidates of %d", len(q.vector), len(vectors[0]))
			}
			for _, n := range infer.Nearest(q.vector, vectors, top) {
				found[i] = append(found[i], candidate{read[n.Index].at, n.Score, of[n.Index].truncated || q.truncated})
			}
		}
		return contexts, found, nil
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
func naming(err error, name func(place int) string) error {
	if at := (*infer.InputError)(nil); errors.As(err, &at) {
		return fmt.Errorf("%s: %w", name(at.Place), at.Err)
	}
	return err
}
