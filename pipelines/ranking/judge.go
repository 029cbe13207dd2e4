package ranking

import (
	"context"
	"errors"
	"sync"

	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/pipelines/config"
)

// Judgement is what a page says of a run's ranking, as far as there is something to
// say: a run without counts or quotations has neither part.
type Judgement struct {
	Ranks    *eval.Result
	Features *eval.AttributeResult
	Note     string // why there are no features, or of how many passages they are
}

// Judge evaluates a run's ranking and compares its features, both at once.
func Judge(ctx context.Context, dir string) (j Judgement, err error) {
	v := Evaluation{Dir: dir, Seed: 1}
	absent := func(err error) bool { return errors.Is(err, config.ErrInvalid) || errors.Is(err, ErrNothing) }
	var ranks eval.Result
	var refused error // of the ranks
	var both sync.WaitGroup
	both.Go(func() { ranks, refused = v.Rankings(ctx) })
	features, made, err := v.FeaturesMade(ctx)
	if !made && err == nil {
		// Tagging words takes far longer than all else, and some thousands tell as much.
		const sample = 5000
		if features, err = v.Features(ctx, sample); err == nil && features.Sampled {
			j.Note = "The passages are a sample, at equal distances; eval --features takes all."
		}
	}
	both.Wait()
	if refused == nil {
		j.Ranks = &ranks
	} else if !absent(refused) {
		return j, refused
	}
	switch few := (eval.TooFewError{}); {
	case err == nil:
		j.Features = &features
	case errors.As(err, &few):
		j.Note = "No table: " + few.Error() + "."
	case !absent(err):
		return j, err
	}
	return j, nil
}
