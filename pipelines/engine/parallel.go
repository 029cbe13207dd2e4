package engine

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// ForEach does something with every shard, several at once.
func ForEach[S any](ctx context.Context, shards []S, do func(S) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(4)
	for _, s := range shards {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return do(s)
		})
	}
	return g.Wait()
}
