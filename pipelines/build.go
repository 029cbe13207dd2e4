package pipelines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Request says what to run.
type Request struct {
	Config *config.Config
	Stages []string // by name; none is all
	Force  bool     // make everything anew, also with other settings than before
	Check  bool     // hash what is there and make anew what is damaged

	AcceptLoss bool // go on though the guard says that too much is gone

	Log *slog.Logger // Beam's log; nil silences it

	// Begin is told of each stage before it runs; the function that it returns
	// is told how far it is. Done is told what came of it.
	Begin func(StageReport) (step func(Progress))
	Done  func(StageReport)

	Fetching func(FetchReport) // is told how far fetching is; nil: nobody is

	runner *runner.Runner // once the build has begun
	dry    bool           // write nothing
}

// RunJob runs a job of a stage before the stage is planned.
func (r Request) runJob(ctx context.Context, j runner.Job) (map[string]int64, error) {
	return r.runner.Run(ctx, j)
}

// StageReport is what there is to say about a stage.
type StageReport struct {
	Stage, Table string
	Tasks, Stale int   // shards, and those that have to be made
	Fresh        bool  // nothing to do
	Rows         int64 // of the committed table
	Rejected     int64
	Unit         string // what In counts
	In           int64
	Counts       map[string]int64 // what else the committed table counts, such as truncated
	Counters     map[string]int64 // Beam's committed counters of this run
	Time         time.Duration
	Notes        []string // what the user should know of the stage's input
	Removed      string   // the table is gone: the config does not ask for it, and this one of its inputs has changed
}

// Progress is how far a stage is.
type Progress struct {
	Done, Of int   // shards
	Read     Meter // in this process and stage; zero where tasks run in others, and for stages that count shards only
	Expected int64 // Read.Units and Read.Kept when all is done
}

// Meter counts what models have read, and units that they need not read, since
// what they gave before was kept.
type Meter struct{ Units, Tokens, Kept int64 }

// Build runs stages in order and skips those whose tables are fresh. It can be
// stopped at any moment and called again.
func Build(ctx context.Context, r Request) error {
	if err := r.Config.CheckBuckets(); err != nil { // --out may have changed it
		return err
	}
	if err := r.Config.CheckDataflow(); err != nil {
		return err
	}
	if err := runner.Reach(ctx, r.Config); err != nil {
		return err
	}
	marked, err := claimed(r.Config.Out)
	if err != nil {
		return err
	}
	release, err := enter(r.Config.Out)
	if err != nil {
		return err
	}
	defer release()
	if !marked {
		if err := claim(r.Config.Out); err != nil {
			return err
		}
	}
	if r.runner, err = runner.Open(r.Config, r.Log); err != nil {
		return err
	}
	wanted, err := chosen(r.Config, r.Stages)
	if err != nil {
		return err
	}
	settings, err := settingsFor(r, wanted)
	if err != nil {
		return err
	}
	p := newPlanner(r.Config)
	p.anew = r.Force
	if err := lookOutside(ctx, r, p, wanted); err != nil {
		return ended(ctx, wanted[0], err)
	}
	for _, s := range wanted {
		if err := (&building{r, p, s, settings}).run(ctx); err != nil {
			return ended(ctx, s, err)
		}
	}
	if len(r.Stages) > 0 {
		return nil // the others' turn is not yet
	}
	return dropLeftovers(r)
}

// settingsFor are the settings of the run's tables, which the request's must not
// contradict.
func settingsFor(r Request, wanted []*stage) (runSettings, error) {
	settings, err := readSettings(r.Config.Out)
	if r.Force {
		return settings, nil
	}
	if err != nil {
		return nil, err
	}
	for _, s := range wanted {
		if d := settings.changed(s.Name, config.Canonical(s.impl.Settings(r.Config))); d != "" {
			return nil, fmt.Errorf("%w: %s holds tables of other settings: %s; build into another folder, or with --force to make them anew", config.ErrInvalid, r.Config.Out, d)
		}
	}
	return settings, nil
}

// lookOutside refuses a model, a list or a folder that is not there, and a list of
// which too much is gone, before the first stage works. The first stage itself
// looks at once.
func lookOutside(ctx context.Context, r Request, p *planner, wanted []*stage) error {
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

// building is a stage in the hands of a build.
type building struct {
	r        Request
	p        *planner
	s        *stage
	settings runSettings
}

// run makes the stage's table, unless it is fresh.
func (b *building) run(ctx context.Context) error {
	start := time.Now()
	notes, err := b.s.preJobs(ctx, b.r)
	if err != nil {
		return err
	}
	ext, err := b.p.look(ctx, b.s)
	if err != nil {
		return err
	}
	if ext.release != nil {
		defer ext.release()
	}
	found, err := guard(ctx, b.r, b.s, ext)
	if err != nil {
		return err
	}
	pl, err := b.plan(ctx)
	if err != nil {
		return err
	}
	report := StageReport{
		Stage: b.s.Name, Table: b.s.Table, Unit: b.s.Unit, Notes: append(notes, pl.notes...),
		Tasks: len(pl.tasks), Stale: len(pl.stale), Fresh: pl.fresh,
	}
	if !pl.fresh {
		if report.Counters, err = b.make(ctx, pl, report); err != nil {
			return err
		}
	}
	if err := b.s.prune(b.r.Config, pl.tasks[0]); err != nil {
		return err
	}
	c, err := b.committed(found)
	if err != nil {
		return err
	}
	report.Rows, report.Rejected, report.Counts, report.In, report.Time = c.Rows, c.Rejected, c.Counts, c.In[b.s.Unit], time.Since(start)
	if b.r.Done != nil {
		b.r.Done(report)
	}
	if b.s.Rows {
		return guardRows(b.r, b.s, c)
	}
	return nil
}

// plan forgets what the request does not trust, and plans the stage. From here on
// what is there is replaced.
func (b *building) plan(ctx context.Context) (*stagePlan, error) {
	if b.r.Force {
		if err := forget(b.r.Config.Out, b.s); err != nil {
			return nil, err
		}
	}
	if b.r.Check {
		if err := invalidateDamaged(b.r.Config, b.s); err != nil {
			return nil, err
		}
	}
	if err := b.s.ensureInputs(ctx, b.r.Config); err != nil {
		return nil, err
	}
	return b.p.plan(ctx, b.s)
}

// make writes the settings, makes the shards that are not there, and commits.
func (b *building) make(ctx context.Context, pl *stagePlan, report StageReport) (map[string]int64, error) {
	if err := b.settings.keep(b.r.Config.Out, b.s.Name, config.Canonical(b.s.impl.Settings(b.r.Config))); err != nil {
		return nil, err
	}
	if err := pl.ready(); err != nil {
		return nil, err
	}
	return runStage(ctx, b.r, pl, report)
}

// committed is the table's commit record; what was found of the external inputs is
// kept for the next build's guard.
func (b *building) committed(found *finding) (table.Commit, error) {
	out := b.r.Config.Out
	c, err := table.ReadCommit(storage.Default, out, b.s.Table)
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
	f, err := readFindings(out)
	if err != nil {
		return c, err
	}
	return c, f.keep(out, b.s.Table, *found)
}

// runStage runs the job and tells of its progress by the shard records that appear.
func runStage(ctx context.Context, r Request, pl *stagePlan, report StageReport) (map[string]int64, error) {
	s := pl.stage
	if err := cleanStage(r.Config.Out, pl); err != nil {
		return nil, err
	}
	if err := makeRoom(r.Config.Out, pl); err != nil {
		return nil, err
	}
	// What is to be made counts as not made from now on, for whoever asks how far it is.
	err := eachShard(ctx, pl.stale, func(t Task) error { return table.RemoveTask(storage.Default, t.Out, t.Table, t.Shard, t.Of) })
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
		if err := s.setup(ctx, pl.stale[0]); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	counters, err := r.runner.Run(ctx, pl.job(r.Config.MaxRejectFraction, r.Config.Runner.Parallelism))
	if r.runner.Shipped() { // one that was killed leaves what it was writing
		err = cmp.Or(err, cleanStage(r.Config.Out, pl))
	}
	return counters, err
}

// cleanStage removes temporary files from the stage's folders and the index.
func cleanStage(out string, pl *stagePlan) error {
	return cmp.Or(
		table.Clean(storage.Default, storage.Join(out, pl.stage.Table)),
		table.Clean(storage.Default, table.Dir(out, pl.table)),
		table.Clean(storage.Default, storage.Join(table.Dir(out, pl.table), ".records")),
		table.Clean(storage.Default, table.RejectsDir(out, pl.stage.Name)),
		table.Clean(storage.Default, storage.Join(out, cache.Folder)),
	)
}

// makeRoom removes the record that vouches for the table that is made, and of a
// table in versions what killed builds left of others. The record of a version
// that has a name stays until the new one takes its place: somebody may be reading
// it, and what is made again under its name are the same bytes.
func makeRoom(out string, pl *stagePlan) error {
	if !table.Versioned(pl.stage.Table) {
		return table.RemoveCommit(storage.Default, out, pl.table)
	}
	return table.MakeVersion(out, pl.stage.Table, path.Base(pl.table))
}

// watch tells how many shards are made and what was read for them, until the
// context ends.
func watch(ctx context.Context, pl *stagePlan, step func(Progress)) {
	p := Progress{Of: len(pl.tasks)}
	waiting := pl.stale
	before, metered := pl.stage.meter()
	if metered {
		p.Expected = pl.expected
	}
	pause := 250 * time.Millisecond
	if storage.Remote(pl.tasks[0].Out) { // each look is a request, and is paid for
		pause = 10 * time.Second
	}
	repeat(ctx, pause, func() {
		waiting = slices.DeleteFunc(slices.Clone(waiting), func(t Task) bool {
			rec, err := table.ReadTask(storage.Default, t.Out, t.Table, t.Shard, t.Of)
			return err == nil && table.Fresh(rec, t.Fingerprint)
		})
		p.Done = p.Of - len(waiting)
		if now, ok := pl.stage.meter(); ok {
			p.Read = Meter{now.Units - before.Units, now.Tokens - before.Tokens, now.Kept - before.Kept}
		}
		step(p)
	})
}

// repeat does something again and again until the context ends.
func repeat(ctx context.Context, pause time.Duration, do func()) {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			do()
		}
	}
}

// chosen are the stages that a config asks for, of those that are named (by their
// own name or their command's), in the order of a build.
func chosen(c *config.Config, names []string) ([]*stage, error) {
	var list []*stage
	for _, s := range stages {
		if s.enabled(c) && (len(names) == 0 || slices.Contains(names, cmp.Or(s.Group, s.Name))) {
			list = append(list, s)
		}
	}
	if len(list) > 0 {
		return list, nil
	}
	for _, s := range stages {
		if slices.Contains(names, cmp.Or(s.Group, s.Name)) {
			return nil, fmt.Errorf("%w: %s asks for nothing that `commonplace %s` makes; see label.datasets, sources and recommend", config.ErrInvalid, c.File(), strings.Join(names, " "))
		}
	}
	return nil, fmt.Errorf("%w: no stage is called %s", config.ErrInvalid, strings.Join(names, " "))
}

// homeOf is the run's folder on this machine. A bucket can hold neither a lock
// nor what is being written, so a run in one has another, by which two runs on
// this machine know of each other; two machines do not.
func homeOf(out string) string {
	if !storage.Remote(out) {
		return out
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("commonplace-%d-%s", os.Getuid(), storage.Key(out)))
}

// enter takes the run's folder for this process and gives Beam a place for its
// temporary files that does not outlive it.
func enter(out string) (release func(), err error) {
	home := homeOf(out)
	if err := os.MkdirAll(home, 0o755); err != nil {
		return nil, fmt.Errorf("make %s: %w: %w; choose a folder that you may write to", home, storage.ErrRefused, err)
	}
	lock := flock.New(filepath.Join(home, ".lock"))
	got, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w: %w; choose a folder that you may write to", home, storage.ErrRefused, err)
	}
	if !got {
		return nil, fmt.Errorf("%s: %w; wait for it, or build into another folder", out, ErrLocked)
	}
	temp := filepath.Join(home, runner.TempFolder)
	before := os.Getenv("TMPDIR")
	os.RemoveAll(temp) // what a killed run left
	if err := cmp.Or(table.Clean(storage.Default, home), table.Clean(storage.Default, filepath.Join(home, cache.Folder))); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	if err := os.Mkdir(temp, 0o755); err != nil {
		return nil, errors.Join(fmt.Errorf("make %s: %w: %w", temp, storage.ErrRefused, err), lock.Unlock())
	}
	if abs, err := filepath.Abs(temp); err == nil {
		os.Setenv("TMPDIR", abs)
	}
	return func() {
		os.Setenv("TMPDIR", before)
		os.RemoveAll(temp)
		lock.Unlock()
	}, nil
}

// forget removes a stage's records and what it keeps beside them, so that all of it is made anew.
func forget(out string, s *stage) error {
	if err := cache.Prune(storage.Join(out, cache.Folder), nil, s.Cache...); err != nil {
		return err
	}
	if table.Versioned(s.Table) { // whoever reads the current version goes on doing so
		return table.ForgetVersions(out, s.Table)
	}
	if err := table.RemoveCommit(storage.Default, out, s.Table); err != nil {
		return err
	}
	return table.RemoveTasks(out, s.Table)
}

// Plan says what Build would do, in words, one line a stage.
func Plan(r Request) ([]string, error) {
	if _, err := claimed(r.Config.Out); err != nil {
		return nil, err
	}
	p := newPlanner(r.Config)
	p.dry, r.dry = true, true
	wanted, err := chosen(r.Config, r.Stages)
	if err != nil {
		return nil, err
	}
	if _, err := settingsFor(r, wanted); err != nil {
		return nil, err
	}
	if err := lookOutside(context.Background(), r, p, wanted); err != nil {
		return nil, err
	}
	first, err := p.look(context.Background(), wanted[0])
	if first.release != nil {
		defer first.release()
	}
	if err == nil {
		_, err = guard(context.Background(), r, wanted[0], first)
	}
	if err != nil {
		return nil, err
	}
	var lines []string
	behind := "" // the first stage that would run
	for _, s := range wanted {
		line := fmt.Sprintf("%-8s ▶ %-12s ", s.Name, s.Table)
		pl, err := p.plan(context.Background(), s)
		switch {
		case behind != "":
			line += "run, what " + behind + " changes" + costOf(s, r.Config, -1)
		case err != nil:
			return nil, err
		case pl.fresh && !r.Force:
			line += "skip, fresh"
		default:
			behind = s.Name
			line += fmt.Sprintf("run, %d of %d shards to make", len(pl.stale), len(pl.tasks)) + costOf(s, r.Config, pl.expected)
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines, nil
}

// costOf is what a stage says of its cost, behind the rest of its line.
func costOf(s *stage, c *config.Config, rows int64) string {
	if cost := s.cost(c, rows); cost != "" {
		return "; " + cost
	}
	return ""
}
