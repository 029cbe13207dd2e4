package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// dropLeftovers removes the tables that a config no longer asks for and that are
// out of date: no stage would rebuild them, and readers of the folder
// would mistake them for this run's. With them goes what the cache keeps for
// their stages alone. One that is up to date stays, for another config may share the
// folder. A request that names stages drops tables of these alone.
func dropLeftovers(ctx context.Context, r Request) error {
	commits, err := table.Commits(ctx, storage.Default, r.Config.Out)
	if err != nil {
		return err
	}
	enabled, err := selected(r.Config, nil)
	if err != nil {
		return err
	}
	for _, s := range stages {
		if len(r.Stages) > 0 && !slices.Contains(r.Stages, s.Name) {
			continue
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
		if err := cache.Prune(ctx, cache.Dir(r.Config.Out), nil, s.cacheBeside(enabled)...); err != nil {
			return err
		}
		if !there {
			continue
		}
		if _, err := stage(ctx, r); err != nil { // never in the night that readers get
			return err
		}
		err := errors.Join(
			table.RemoveTable(ctx, r.Config.Out, s.Table),
			table.RemoveShards(ctx, table.RejectsDir(r.Config.Out, s.Name)),
			s.removeFormerRejects(ctx, r.Config.Out),
		)
		if err != nil {
			return err
		}
		r.record.removed(s)
		if r.Done != nil {
			r.Done(StageReport{Stage: s.Name, Table: s.Table, Removed: in})
		}
	}
	return nil
}

// cacheBeside are the kinds of cache files that are made for the stage and for none
// of the others.
func (s *registered) cacheBeside(others []*registered) []string {
	return slices.DeleteFunc(slices.Clone(s.Cache), func(kind string) bool {
		return slices.ContainsFunc(others, func(o *registered) bool { return slices.Contains(o.Cache, kind) })
	})
}

// removeFormerRejects removes the rejects that version 0.1.0 wrote under the stage's
// former name. Call it when no commit record names them any more.
func (s *registered) removeFormerRejects(ctx context.Context, out string) error {
	if s.Formerly == "" {
		return nil
	}
	return table.RemoveShards(ctx, table.RejectsDir(out, s.Formerly))
}
