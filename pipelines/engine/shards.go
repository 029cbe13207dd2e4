package engine

import (
	"context"
	"errors"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Sizer is a stage that reads text which no other stage has read. Size is how many bytes,
// unpacked, as far as that shows before the text is read.
type Sizer interface {
	Size(ctx context.Context, c *config.Config) (int64, error)
}

// keepShards gives a config that says nothing of shards the number that the tables in
// its folder have: another number would make all of them again.
func keepShards(ctx context.Context, c *config.Config) error {
	if c.Shards > 0 {
		return nil
	}
	n, err := shardsIn(ctx, c.Out)
	c.Shards = n
	return err
}

// keepShards does so for a build, unless --force makes every table anew: then the number is chosen again.
func (r Request) keepShards(ctx context.Context) error {
	if r.Force && len(r.Stages) == 0 {
		return nil
	}
	return keepShards(ctx, r.Config)
}

// shardsIn is the number of shards of the tables in a folder. 0: there is none. What a build left
// that ended before its first table does not count: it may have read little of the text.
func shardsIn(ctx context.Context, folder string) (int, error) {
	for _, s := range stages {
		if s.OneShard {
			continue
		}
		commit, err := table.ReadCommit(ctx, storage.Default, folder, s.Table)
		if err == nil && len(commit.Shards) > 0 {
			return len(commit.Shards), nil
		}
		if err != nil && !errors.Is(err, table.ErrNoRecord) && !errors.Is(err, table.ErrEarlier) && !errors.Is(err, storage.ErrDamaged) {
			return 0, err
		}
	}
	return 0, ctx.Err()
}

// chooseShards gives a config without a number of shards the one that fits its text.
func chooseShards(ctx context.Context, c *config.Config) error {
	if c.Shards > 0 {
		return nil
	}
	var bytes int64
	for _, s := range stages {
		if z, ok := s.impl.(Sizer); ok && s.enabled(c) {
			n, err := z.Size(ctx, c)
			if err != nil {
				return err
			}
			bytes += n
		}
	}
	c.Shards = config.ShardsFor(bytes)
	return nil
}

// settleShards gives a config the number of shards that a build of it in its folder has.
func settleShards(ctx context.Context, c *config.Config) error {
	if err := keepShards(ctx, c); err != nil {
		return err
	}
	return chooseShards(ctx, c)
}

// ShardsOf is the number of shards that the next build of a config makes.
func ShardsOf(ctx context.Context, c *config.Config) (int, error) {
	if c.Shards > 0 {
		return c.Shards, nil
	}
	there := *c
	var err error
	if there.Out, err = table.Current(ctx, c.Out); err != nil {
		return 0, err
	}
	err = settleShards(ctx, &there)
	return there.Shards, err
}
