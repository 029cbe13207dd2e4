package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// building is a stage in the hands of a build.
type building struct {
	r        Request
	p        *Planner
	s        *registered
	settings runSettings
	notes    []string // of the run, for the user
}

// run makes the stage's table, unless it is fresh.
func (b *building) run(ctx context.Context) error {
	start := time.Now()
	b.r.record.begin(b.s)
	b.r.planning(b.s)
	notes, err := b.s.preJobs(ctx, b.r)
	if err != nil {
		return err
	}
	if err := chooseShards(ctx, b.r.Config); err != nil { // after the fetch: by what was fetched
		return err
	}
	ext, err := b.p.look(ctx, b.s)
	if err != nil {
		return err
	}
	if ext.Release != nil {
		defer ext.Release()
	}
	found, err := guard(ctx, b.r, b.s, ext)
	if err != nil {
		return err
	}
	pl, err := b.plan(ctx)
	if err != nil {
		return err
	}
	if !pl.fresh { // from here on the build writes
		moved, err := stage(ctx, b.r)
		if err == nil && moved {
			pl, err = b.p.plan(ctx, b.s)
		}
		if err != nil {
			return err
		}
		b.r.record.works(pl.inputs)
	}
	report := StageReport{
		Stage: b.s.Name, Table: b.s.Table, Unit: b.s.Unit, Notes: slices.Concat(b.notes, notes, pl.notes),
		Tasks: len(pl.tasks), Stale: len(pl.stale), Fresh: pl.fresh,
	}
	switch {
	case !pl.fresh:
		report.Counters, err = b.make(ctx, pl, report)
	case b.settings[b.s.Name] == nil, // the file is lost, and the table fits the config
		b.r.Resettle && len(b.settings.changed(b.s, b.r.Config)) > 0: // the tables are right, and settings.json is not
		err = b.keepSettings(ctx)
	}
	if err != nil {
		return err
	}
	if err := b.s.prune(ctx, b.r.Config, pl.tasks[0]); err != nil {
		return err
	}
	c, err := b.committed(ctx, found)
	if err != nil {
		return err
	}
	note, err := guardUnreadable(ctx, b.r, b.s, c)
	if err != nil {
		return err
	}
	if note != "" {
		report.Notes = append(report.Notes, note)
	}
	if n, ok := b.s.impl.(Noter); ok {
		notes, err := n.Notes(ctx, b.r.Config.Out, c)
		if err != nil {
			return err
		}
		report.Notes = append(report.Notes, notes...)
	}
	if c.Rejected > 0 && !pl.fresh {
		named, err := firstRejects(ctx, b.r.Config.Out, c)
		if err != nil {
			return err
		}
		report.Notes = append(report.Notes, "rejected "+named)
	}
	report.Rows, report.Rejected, report.Counts, report.In, report.Time = c.Rows, c.Rejected, c.Counts, c.In[b.s.Unit], time.Since(start)
	var compared map[string]int64
	if !pl.fresh {
		compared = b.s.compared(ctx, b.r.Config)
	}
	b.r.record.done(report, c, compared)
	if b.r.Done != nil {
		b.r.Done(report)
	}
	if b.s.Rows {
		if err := guardRows(ctx, b.r, b.s, c, pl.external.Rules); err != nil {
			return err
		}
	}
	return b.r.night.Show(ctx)
}

// plan forgets what the request does not trust, and plans the stage.
func (b *building) plan(ctx context.Context) (*stagePlan, error) {
	if b.r.Force {
		if _, err := stage(ctx, b.r); err != nil {
			return nil, err
		}
		if err := forget(ctx, b.r.Config, b.s); err != nil {
			return nil, err
		}
	}
	if b.r.Check {
		if err := invalidateDamaged(ctx, b.r.Config, b.s); err != nil {
			return nil, err
		}
	}
	if err := b.s.ensureInputs(ctx, b.r); err != nil {
		return nil, err
	}
	return b.p.plan(ctx, b.s)
}

// make writes the settings, makes the shards that are not there, and commits.
func (b *building) make(ctx context.Context, pl *stagePlan, report StageReport) (map[string]int64, error) {
	if err := b.keepSettings(ctx); err != nil {
		return nil, err
	}
	if err := pl.ready(); err != nil {
		return nil, err
	}
	return runStage(ctx, b.r, pl, report)
}

func (b *building) keepSettings(ctx context.Context) error {
	return b.settings.keep(ctx, b.r.Config.Out, b.s.Name, config.Canonical(b.s.impl.Settings(b.r.Config)))
}

// committed is the table's commit record; what was found of the external inputs is
// kept for the next build's guard.
func (b *building) committed(ctx context.Context, found *finding) (table.Commit, error) {
	out := b.r.Config.Out
	c, err := table.ReadCommit(ctx, storage.Default, out, b.s.Table)
	if errors.Is(err, table.ErrNoRecord) {
		return c, fmt.Errorf("%s: the runner returned before table %s was committed (a dry run of its own, or an asynchronous job): run again when the job is done", b.s.Name, b.s.Table)
	}
	if err != nil {
		return c, err
	}
	b.p.know(c)
	if found == nil {
		return c, nil
	}
	f, err := readFindings(ctx, out)
	if err != nil {
		return c, err
	}
	return c, f.keep(ctx, out, b.s.Table, *found)
}

// runStage runs the job and reports its progress by the shard records that appear.
func runStage(ctx context.Context, r Request, pl *stagePlan, report StageReport) (map[string]int64, error) {
	s := pl.stage
	if err := cleanStage(ctx, r.Config.Out, pl); err != nil {
		return nil, err
	}
	if err := table.RemoveCommit(ctx, storage.Default, r.Config.Out, s.Table); err != nil {
		return nil, err
	}
	// What is to be made counts as not made from now on, for `status`.
	err := ForEach(ctx, pl.stale, func(t Task) error { return table.RemoveTask(ctx, storage.Default, t.Out, t.Table, t.Shard, t.Of) })
	if err != nil {
		return nil, err
	}
	if r.Begin != nil {
		if step := r.Begin(report); step != nil {
			watching, stop := context.WithCancel(ctx)
			defer stop()
			go watch(watching, pl, step)
		}
	}
	if len(pl.stale) > 0 {
		if err := s.setup(ctx, r, pl.stale[0]); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	counters, err := r.runner.Run(ctx, pl.job(r.Config.MaxRejectFraction, r.Config.Runner.Parallelism))
	if r.runner.Shipped() { // one that was killed leaves what it was writing
		err = errors.Join(err, cleanStage(ctx, r.Config.Out, pl))
	}
	return counters, err
}

// cleanStage removes temporary files from the stage's folders and the cache.
func cleanStage(ctx context.Context, out string, pl *stagePlan) error {
	return errors.Join(
		table.Clean(ctx, storage.Default, table.Dir(out, pl.stage.Table)),
		table.Clean(ctx, storage.Default, table.RecordsDir(out, pl.stage.Table)),
		table.Clean(ctx, storage.Default, table.RejectsDir(out, pl.stage.Name)),
		table.Clean(ctx, storage.Default, cache.Dir(out)),
	)
}

// forget removes a stage's records and what it keeps beside them, so that all of it
// is rebuilt. What an earlier stage keeps too was rebuilt by that one.
func forget(ctx context.Context, c *config.Config, s *registered) error {
	out := c.Out
	enabled, err := selected(c, nil)
	if err != nil {
		return err
	}
	earlier := enabled[:slices.Index(enabled, s)]
	if err := cache.Prune(ctx, cache.Dir(out), nil, s.cacheBeside(earlier)...); err != nil {
		return err
	}
	if err := table.RemoveCommit(ctx, storage.Default, out, s.Table); err != nil {
		return err
	}
	return table.RemoveTasks(ctx, out, s.Table)
}
