package engine

import (
	"context"
	"errors"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// dropLeftovers removes the tables that a config no longer asks for and that are
// out of date: no stage would rebuild them, and readers of the folder
// would mistake them for this run's. With them goes what the cache keeps for
// their stages. One that is up to date stays, for another config may share the
// folder.
func dropLeftovers(ctx context.Context, r Request) error {
	commits, err := table.Commits(ctx, storage.Default, r.Config.Out)
	if err != nil {
		return err
	}
	for _, s := range stages {
		if s.Formerly != "" { // its rejects are in the folder of its new name
			if err := table.RemoveShards(ctx, table.RejectsDir(r.Config.Out, s.Formerly)); err != nil {
				return err
			}
		}
		in := table.Outdated(commits, s.Table)
		_, there := commits[s.Table]
		if s.enabled(r.Config) || there && in == "" {
			continue
		}
		if !there { // what a killed run left of it
			if there, err = table.Begun(ctx, storage.Default, r.Config.Out, s.Table); err != nil {
				return err
			}
		}
		if err := cache.Prune(ctx, storage.Join(r.Config.Out, cache.Folder), nil, s.Cache...); err != nil {
			return err
		}
		if !there {
			continue
		}
		err := errors.Join(
			table.RemoveTable(ctx, r.Config.Out, s.Table),
			table.RemoveShards(ctx, table.RejectsDir(r.Config.Out, s.Name)),
		)
		if err != nil {
			return err
		}
		if r.Done != nil {
			r.Done(StageReport{Stage: s.Name, Table: s.Table, Removed: in})
		}
	}
	return nil
}
