package runner

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// runGoroutines runs a job without Beam, for tests and for measuring what Beam costs.
func runGoroutines(ctx context.Context, j Job) error {
	h, err := handlerOf(j.Kind)
	if err != nil {
		return err
	}
	g, working := errgroup.WithContext(ctx)
	g.SetLimit(atOnce(j.AtOnce))
	results := make([]string, len(j.Elements))
	for i, element := range j.Elements {
		g.Go(func() (err error) {
			if err := working.Err(); err != nil {
				return err
			}
			results[i], err = h.Work(withShared(working, j.Kind, h), element)
			return err
		})
	}
	if err := g.Wait(); err != nil || h.Finish == nil {
		return err
	}
	return h.Finish(ctx, j.Params, results)
}
