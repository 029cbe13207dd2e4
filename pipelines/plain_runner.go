package pipelines

import (
	"context"
	"encoding/json"

	"golang.org/x/sync/errgroup"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// runPlain makes a stage's shards and commits, without Beam.
func runPlain(ctx context.Context, pl *plan, maxRejects float64, parallelism int) error {
	g, making := errgroup.WithContext(ctx)
	g.SetLimit(atOnce(parallelism))
	records := make([]table.TaskRecord, len(pl.stale))
	for i, t := range pl.stale {
		g.Go(func() (err error) {
			// As Beam hands it over: through JSON.
			if err := json.Unmarshal(storage.MustJSON(t), &t); err != nil {
				return err
			}
			records[i], err = makeShard(making, pl.stage, t)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	f := newCommit(pl, maxRejects)
	all, err := f.all(ctx, records)
	if err != nil {
		return err
	}
	return f.commit(all)
}
