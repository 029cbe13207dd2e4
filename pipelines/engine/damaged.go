package engine

import (
	"context"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// invalidateDamaged forgets the records of a stage's shards whose bytes are not those that
// were written, so that they are rebuilt. Without it a shard of the right size
// counts as whole: to hash every table before every run would cost more than
// most runs.
func invalidateDamaged(ctx context.Context, c *config.Config, s *registered) error {
	name, of := s.Table, s.shardsOf(c)
	for k := range of {
		rec, err := table.ReadTask(ctx, storage.Default, c.Out, name, k, of)
		if err != nil {
			continue // it is rebuilt in any case
		}
		whole, err := storage.HasSum(ctx, storage.Join(table.Dir(c.Out, name), rec.Shard.File), rec.Shard.SHA256)
		if whole && rec.Rejects != nil {
			whole, err = storage.HasSum(ctx, storage.Join(table.RejectsDir(c.Out, s.Name), rec.Rejects.File), rec.Rejects.SHA256)
		}
		if err != nil {
			return err
		}
		if whole {
			continue
		}
		if err := table.RemoveTask(ctx, storage.Default, c.Out, name, k, of); err != nil {
			return err
		}
	}
	return nil
}
