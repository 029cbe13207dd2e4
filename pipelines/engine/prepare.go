package engine

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/storage"
)

// Preparation is a kind of job that makes files of the cache before the tasks that read
// them: counts of words, sketches of texts. Workers make them, since the machine that
// submits a build is one and the library may be large. An element of type T is a few
// names. It may run twice, and at once with itself, and must then write the same.
type Preparation[T any] struct{ kind string }

// NewPreparation registers a kind of job and what it does with one element. Call it
// for a package's variable: a worker elsewhere looks the kind up by its name.
func NewPreparation[T any](kind string, do func(context.Context, T) error) Preparation[T] {
	work := func(ctx context.Context, element string) error {
		var v T
		if err := json.Unmarshal([]byte(element), &v); err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
		return do(ctx, v)
	}
	runner.Register(kind, runner.Handler{
		Work: func(ctx context.Context, element string) (string, error) { return "", work(ctx, element) },
		Finish: func(ctx context.Context, last string, _ []string) error {
			if last == "" {
				return nil
			}
			return work(ctx, last)
		},
		Errors: jobErrors,
	})
	return Preparation[T]{kind}
}

// Run has workers work on all elements, in one process as many at once as the config
// says, but at most atOnce where that is not 0. Of no elements it does nothing.
func (p Preparation[T]) Run(ctx context.Context, r Request, elements []T, atOnce int) error {
	return p.run(ctx, r, elements, "", atOnce)
}

// RunThen also has a worker work on a last element, after all others and in the same job.
func (p Preparation[T]) RunThen(ctx context.Context, r Request, elements []T, last T, atOnce int) error {
	return p.run(ctx, r, elements, string(storage.MustJSON(last)), atOnce)
}

func (p Preparation[T]) run(ctx context.Context, r Request, elements []T, last string, atOnce int) error {
	if len(elements) == 0 {
		return nil
	}
	j := runner.Job{Kind: p.kind, Name: p.kind, AtOnce: atOnce, Params: last}
	if n := r.Config.Runner.Parallelism; n > 0 && (atOnce == 0 || n < atOnce) {
		j.AtOnce = n
	}
	for _, e := range elements {
		j.Elements = append(j.Elements, string(storage.MustJSON(e)))
	}
	_, err := r.RunJob(ctx, j)
	return err
}
