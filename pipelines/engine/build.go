package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Build runs stages in order and skips those whose tables are fresh. It can be
// stopped at any moment and called again.
func Build(ctx context.Context, r Request) error {
	if r.Config.Runner.DryRun() {
		_, err := Plan(ctx, r)
		return err
	}
	return whileLocked(ctx, r, build)
}

// whileLocked does the work of a build in the run's folder, which it locks, and records
// how it ended.
func whileLocked(ctx context.Context, r Request, work func(context.Context, Request) error) error {
	if home := table.Home(r.Config.Out); home != r.Config.Out {
		return fmt.Errorf("%w: out is %s, a night of the run %s; build into that", config.ErrInvalid, r.Config.Out, home)
	}
	if err := r.Config.CheckBuckets(ctx); err != nil { // --out may have changed it
		return err
	}
	if err := r.Config.CheckDataflow(); err != nil {
		return err
	}
	unreached := runner.Reach(ctx, r.Config)
	marked, err := folderMarked(ctx, r.Config.Out)
	if err != nil || unreached != nil && !marked {
		return errors.Join(unreached, err)
	}
	ctx, release, err := Lock(ctx, r.Config.Out)
	if err != nil {
		return err
	}
	defer release()
	if r.forgetting == nil {
		if err := refusePinned(ctx, r.Config.Out); err != nil {
			return err
		}
	}
	if !marked {
		if err := markFolder(ctx, r.Config.Out); err != nil {
			return err
		}
	}
	if r.record, err = record(ctx, r); err != nil {
		return err
	}
	if err = unreached; err == nil {
		err = work(ctx, r)
	}
	if lost := leaseLost(ctx); lost != nil {
		r.record.abandon(ctx, lost)
		return lost
	}
	return r.record.end(ctx, err)
}

// build runs the stages in a folder that is locked.
func build(ctx context.Context, r Request) error {
	ctx, end := worker.Begin(runner.WithLog(ctx, r.Log))
	defer end()
	ctx = context.WithValue(ctx, aroundKey{}, r.Around)
	var err error
	var aside string
	if r.night, aside, err = openNight(ctx, r); err != nil {
		return err
	}
	if err := r.night.Resume(ctx); err != nil {
		return err
	}
	if r.forgotten, err = ReadForgotten(ctx, r.Config.Out); err != nil {
		return err
	}
	work := *r.Config // whose folder is that of a night
	r.Config = &work
	work.Out = r.night.Path
	if err := table.Clean(ctx, storage.Default, work.Out); err != nil {
		return err
	}
	note, err := cache.Adopt(ctx, table.Home(work.Out))
	if err != nil {
		return err
	}
	if r.runner, err = runner.Open(r.Config); err != nil {
		return err
	}
	if mine, ok := ctx.Value(leaseKey{}).(*lease); ok && r.Config.Runner.Parts > 1 { // the others know the build by its lease
		r.runner.Lead(mine.record.Build, r.Config.Runner.Parts)
	}
	wanted, err := selected(r.Config, r.Stages)
	if err != nil {
		return err
	}
	if len(wanted) == 0 {
		return leaveOut(ctx, r)
	}
	if !r.Force {
		keepSegmenter(ctx, r.Config)
	}
	if err := r.keepShards(ctx); err != nil {
		return err
	}
	settings, err := settingsFor(ctx, r, wanted)
	if err != nil {
		return err
	}
	p := NewPlanner(r.Config)
	p.anew = r.Force
	p.forgotten, p.forgetting, p.building = r.forgotten, r.forgetting, &r
	if err := lookOutside(ctx, r, p, wanted); err != nil {
		return ended(ctx, wanted[0], vanished(ctx, r.Config, err))
	}
	if r.night.Earlier() {
		if _, err := stage(ctx, r); err != nil {
			return err
		}
	}
	var notes []string // of the run, reported with its first stage
	if note != "" {
		notes = []string{note}
	}
	if aside != "" {
		notes = append(notes, "a build with other settings has not finished in "+aside+": this one goes on from the version that readers have")
	}
	lost, err := lostSettings(ctx, r, wanted, settings)
	if err != nil {
		return err
	}
	if lost {
		notes = append(notes, settingsFile+" is missing: this build assumes that the tables were made with the settings of this config, and writes it again")
	}
	for i, s := range wanted {
		if i > 0 {
			notes = nil
		}
		if err := (&building{r, p, s, settings, notes}).run(ctx); err != nil {
			_ = r.night.Show(context.WithoutCancel(ctx)) // of a first build, what there is to look at
			return ended(ctx, s, vanished(ctx, r.Config, err))
		}
		if i == 0 && len(r.Stages) == 0 { // all have been looked at by now
			r.record.inputsRead(ctx)
		}
	}
	if len(r.Stages) == 0 { // else the others' turn is not yet
		if err := dropLeftovers(ctx, r); err != nil {
			return err
		}
	}
	return publish(ctx, r)
}

// stage moves the build to a night of its own before it writes the first table. It
// reports whether it was elsewhere before.
func stage(ctx context.Context, r Request) (moved bool, err error) {
	err = r.night.Stage(ctx, r.Config.Rankings.Keep)
	moved = r.Config.Out != r.night.Path
	r.Config.Out = r.night.Path
	return moved, err
}

// publish makes the build's night the one that readers get. Single stages leave tables
// that do not fit one another: readers get them when the last of the others has run. Of
// a new run they get them at once, and it is whole when all tables are there.
func publish(ctx context.Context, r Request) error {
	partial := false
	if len(r.Stages) > 0 {
		commits, err := table.Fitting(ctx, storage.Default, r.Config.Out)
		fit := !errors.Is(err, table.ErrNotWhole)
		if err != nil && fit {
			return err
		}
		if !fit && !r.night.IsFirst() {
			runner.Log(ctx).Warn("readers keep the tables that they have until the others are made: commonplace build")
			return nil
		}
		partial = !fit || slices.ContainsFunc(asked(r), func(name string) bool {
			_, there := commits[name]
			return !there
		})
	}
	if err := forgetAccepted(ctx, r.Config.Out); err != nil {
		return err
	}
	if mine, ok := ctx.Value(leaseKey{}).(*lease); ok {
		if err := mine.held(ctx); err != nil {
			return err
		}
	}
	if err := r.night.Publish(ctx, r.Config.Rankings.Keep, partial); err != nil {
		return err
	}
	if !r.forgotten.Pending || len(r.Stages) > 0 {
		return nil
	}
	if err := r.night.Repin(ctx); err != nil {
		return err
	}
	if lost := leaseLost(ctx); lost != nil {
		return lost
	}
	return purge(ctx, r, r.forgotten)
}

// ErrSettings says that a build would rebuild tables for other settings, which it does
// only where the request says so.
var ErrSettings = errors.New("tables made with other settings")

// settingsFor are the settings of the run's tables. Those of a table that is there
// must be the request's too, unless it says that they may change. Their shards are
// stale by their fingerprints, so what other settings do not touch is kept.
func settingsFor(ctx context.Context, r Request, wanted []*registered) (runSettings, error) {
	settings, err := readSettings(ctx, r.Config.Out)
	if r.Force {
		return settings, nil
	}
	if err != nil {
		return nil, err
	}
	for _, s := range wanted {
		d := settings.changed(s, r.Config)
		if len(d) == 0 || r.Resettle || r.dry {
			continue
		}
		if gone, err := nowhere(ctx, r.Config.Out, s.Table); err != nil {
			return nil, err
		} else if gone {
			continue // nothing is lost
		}
		return nil, fmt.Errorf("%w: %s has %w: %s; --dry-run shows what is rebuilt and --yes rebuilds it; or build into another folder", config.ErrInvalid, table.Home(r.Config.Out), ErrSettings, strings.Join(d, "; "))
	}
	return settings, nil
}

// nowhere says that neither the build's folder nor the night that readers get has a table.
func nowhere(ctx context.Context, out, name string) (bool, error) {
	night, err := table.Current(ctx, table.Home(out))
	if err != nil {
		return false, err
	}
	for _, dir := range []string{out, night} {
		if _, err := table.ReadCommit(ctx, storage.Default, dir, name); !errors.Is(err, table.ErrNoRecord) {
			return false, nil
		}
	}
	return true, nil
}

// lookOutside refuses a model, a list or a folder that is not there, and a list of
// which too much is gone, before the first stage works. The first stage itself
// looks at once.
func lookOutside(ctx context.Context, r Request, p *Planner, wanted []*registered) error {
	for _, s := range wanted[1:] {
		ext, err := p.look(ctx, s)
		if err != nil {
			return err
		}
		if _, err := guard(ctx, r, s, ext); err != nil {
			return err
		}
	}
	return nil
}

// planning tells that a stage begins.
func (r Request) planning(s *registered) {
	if r.Planning != nil {
		r.Planning(s.Name)
	}
}

// selected are the stages that a config asks for, of those that are named (by their
// own name or their command's), in the order of a build. There is none where those
// that are named are not needed.
func selected(c *config.Config, names []string) ([]*registered, error) {
	var list []*registered
	for _, s := range stages {
		if s.enabled(c) && (len(names) == 0 || slices.Contains(names, cmp.Or(s.Group, s.Name))) {
			list = append(list, s)
		}
	}
	if len(list) > 0 {
		return list, nil
	}
	if len(unneeded(names)) > 0 {
		return nil, nil
	}
	for _, s := range stages {
		if slices.Contains(names, cmp.Or(s.Group, s.Name)) {
			return nil, fmt.Errorf("%w: %s asks for nothing that `commonplace %s` makes; see sources, score.model, label.datasets and recommend", config.ErrInvalid, c.File(), strings.Join(names, " "))
		}
	}
	return nil, fmt.Errorf("%w: no stage is called %s", config.ErrInvalid, strings.Join(names, " "))
}

// unneeded says of the named stages that can be done without why they are.
func unneeded(names []string) []StageReport {
	var reports []StageReport
	for _, s := range stages {
		if d, ok := s.impl.(Dispensable); ok && slices.Contains(names, s.Name) {
			reports = append(reports, StageReport{Stage: s.Name, Table: s.Table, Unneeded: d.Unneeded()})
		}
	}
	return reports
}

// leaveOut says why the named stages are not needed, and removes what an earlier
// config left of their tables.
func leaveOut(ctx context.Context, r Request) error {
	if r.Done != nil {
		for _, report := range unneeded(r.Stages) {
			r.Done(report)
		}
	}
	if err := dropLeftovers(ctx, r); err != nil {
		return err
	}
	return publish(ctx, r)
}

// asked are the tables that a request's config asks for.
func asked(r Request) []string {
	var only []string
	if r.Alone {
		only = r.Stages
	}
	tables := []string{}
	if all, err := selected(r.Config, only); err == nil {
		for _, s := range all {
			tables = append(tables, s.Table)
		}
	}
	return tables
}
