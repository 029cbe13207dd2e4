package engine

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Planner plans stages one after the other: a stage can be planned when the
// tables that it reads are there.
type Planner struct {
	Config  *config.Config
	commits map[string]table.Commit
	prints  map[string]string   // fingerprints of commits
	dry     bool                // only looks, and writes nothing
	anew    bool                // tasks are to take over nothing
	seen    map[string]External // what stages read beside tables, by stage

	forgotten  Forgotten
	forgetting *ForgetReport
	building   *Request // the build; nil: it is only planned
}

// NewPlanner makes a planner for a run of the config.
func NewPlanner(c *config.Config) *Planner {
	return &Planner{Config: c, commits: map[string]table.Commit{}, prints: map[string]string{}, seen: map[string]External{}}
}

// Building is the request of the build, whose workers can do what a plan needs; not ok
// where a build is only planned.
func (p *Planner) Building() (r Request, ok bool) {
	if p.building == nil {
		return Request{}, false
	}
	return *p.building, true
}

// LeaveOut says whether a document of a source was forgotten, and so is left out.
func (p *Planner) LeaveOut(source, id, rel string) bool {
	if !p.forgotten.Has(id) {
		return false
	}
	if p.forgetting != nil {
		p.forgetting.Sources = append(p.forgetting.Sources, Place{source, rel})
	}
	return true
}

// know keeps a table's commit record.
func (p *Planner) know(c table.Commit) {
	p.commits[c.Table], p.prints[c.Table] = c, c.Fingerprint()
}

// stagePlan is one stage ready to run.
type stagePlan struct {
	stage    *registered
	tasks    []Task
	inputs   map[string]string // fingerprints of the tables read
	stale    []Task            // those whose shards have to be made
	expected int64             // rows of the first table that those tasks read
	fresh    bool              // the committed table is what the tasks would make
	notes    []string          // what the user should know of the external inputs
	external External
	deps     Deps
}

// ready puts the external inputs in their place before the tasks run.
func (pl *stagePlan) ready() error {
	if pl.external.Ready == nil {
		return nil
	}
	return pl.external.Ready()
}

// commit commits the table. made are the records of the shards that were made.
func (pl *stagePlan) commit(ctx context.Context, maxRejects float64, made []table.TaskRecord) error {
	c := newCommitment(pl, maxRejects)
	records, err := c.all(ctx, made)
	if err != nil {
		return err
	}
	return c.commit(ctx, records)
}

// ShardsOf are the committed shards of a table.
func (p *Planner) ShardsOf(ctx context.Context, name string) ([]table.ShardRecord, error) {
	c, ok := p.commits[name]
	if !ok {
		var err error
		if c, err = table.ReadCommit(ctx, storage.Default, p.Config.Out, name); err != nil {
			if errors.Is(err, table.ErrNoRecord) {
				why := ""
				if name == table.Quotes.Name && len(p.Config.Quotes) == 0 {
					why = "; without quotes in the config it makes an empty table"
				}
				return nil, config.Refusef("table %s is not there yet: run `commonplace %s` first%s", name, CommandFor(name), why)
			}
			return nil, err
		}
		p.know(c)
	}
	return c.Shards, nil
}

// CommandFor is the command that makes a table.
func CommandFor(name string) string {
	for _, s := range stages {
		if s.Table == name {
			return cmp.Or(s.Group, s.Name)
		}
	}
	return "build"
}

// look reads what a stage reads beside tables, once a build: it can be a whole library.
func (p *Planner) look(ctx context.Context, s *registered) (External, error) {
	reader, ok := s.impl.(ExternalReader)
	if !ok {
		return External{}, nil
	}
	if ext, ok := p.seen[s.Name]; ok {
		return ext, nil
	}
	ext, err := reader.External(ctx, p)
	if err == nil && !ext.Pending {
		p.seen[s.Name] = ext
	}
	return ext, err
}

// Fresh reports whether a stage's committed table is what its tasks would make.
func (p *Planner) Fresh(ctx context.Context, name string) (bool, error) {
	ctx, end := worker.Begin(ctx)
	defer end()
	if err := settleShards(ctx, p.Config); err != nil {
		return false, err
	}
	pl, err := p.planNamed(ctx, name)
	return err == nil && pl.fresh, err
}

// planNamed plans the stage of that name.
func (p *Planner) planNamed(ctx context.Context, name string) (*stagePlan, error) {
	s, err := stageNamed(name)
	if err != nil {
		return nil, err
	}
	return p.plan(ctx, s)
}

// plan lists the tasks of a stage and compares them with what is there.
func (p *Planner) plan(ctx context.Context, s *registered) (*stagePlan, error) {
	settings := config.Canonical(s.impl.Settings(p.Config))
	of := s.shardsOf(p.Config)
	ext, err := p.look(ctx, s)
	if err != nil {
		return nil, err
	}
	deps, err := s.impl.Plan(ctx, p)
	if err != nil {
		return nil, err
	}
	pl := &stagePlan{stage: s, inputs: map[string]string{}, notes: ext.Notes, external: ext, deps: deps}
	for k := range of {
		t := Task{Stage: s.Name, Table: s.Table, Out: p.Config.Out, Shard: k, Of: of, Settings: settings, NoReuse: p.anew}
		contents, concerns := "", ""
		if deps.Inputs != nil {
			var err error
			if t.Inputs, err = deps.Inputs(ctx, p, k, of); err != nil {
				return nil, err
			}
		}
		if ext.Contents != nil {
			contents = ext.Contents(k, of)
		}
		if ext.Extra != nil {
			t.Extra = ext.Extra(k, of)
		}
		inputs := t.Inputs
		if deps.Concerns != nil {
			concerns = deps.Concerns(k)
			inputs = slices.DeleteFunc(slices.Clone(inputs), func(in Input) bool { return in.Of > 0 && slices.Contains(deps.Whole, in.Table) })
		}
		t.Fingerprint = t.FingerprintWith(s.Revision, inputs, contents+concerns)
		t.Parts = partsOf(t, s.Revision, inputs, concerns, ext.partsOr(contents))
		pl.tasks = append(pl.tasks, t)
		for _, in := range t.Inputs {
			pl.inputs[in.Table] = p.prints[in.Table]
		}
	}
	return pl, p.compare(ctx, pl)
}

// firstInput is what a task reads of the first of its tables that are sharded as
// its own.
func (p *Planner) firstInput(t Task) table.ShardRecord {
	for _, in := range t.Inputs {
		k, _, ok := table.ParseShardName(in.File)
		if shards := p.commits[in.Table].Shards; ok && k < len(shards) {
			return shards[k]
		}
	}
	return table.ShardRecord{}
}

// compare counts the shards that are not what their task would make.
func (p *Planner) compare(ctx context.Context, pl *stagePlan) error {
	c, unread := table.ReadCommit(ctx, storage.Default, p.Config.Out, pl.stage.Table)
	fresh := make([]bool, len(pl.tasks))
	err := ForEach(ctx, pl.tasks, func(t Task) error {
		rec, err := taskRecord(ctx, c, t)
		fresh[t.Shard] = err == nil && table.Fresh(rec, t.Fingerprint)
		return nil
	})
	if err != nil {
		return err
	}
	for _, t := range pl.tasks {
		if !fresh[t.Shard] {
			pl.stale = append(pl.stale, t)
			pl.expected += p.firstInput(t).Rows
		}
	}
	// The longest first: one that begins last is one that all others wait for.
	slices.SortStableFunc(pl.stale, func(a, b Task) int { return cmp.Compare(p.firstInput(b).Bytes, p.firstInput(a).Bytes) })
	switch {
	case errors.Is(unread, table.ErrNoRecord), errors.Is(unread, storage.ErrDamaged), errors.Is(unread, table.ErrEarlier):
		return nil
	case unread != nil:
		return unread
	}
	pl.fresh = len(pl.stale) == 0 && len(c.Shards) == len(pl.tasks) && maps.Equal(c.Inputs, pl.inputs)
	for i := range c.Shards {
		pl.fresh = pl.fresh && c.Shards[i].Fingerprint == pl.tasks[i].Fingerprint
	}
	return nil
}

// taskRecord is the record of a task's shard; c is the commit record of its table, if
// there is one.
func taskRecord(ctx context.Context, c table.Commit, t Task) (table.TaskRecord, error) {
	if c.IsEarlier() && len(c.Shards) == t.Of {
		return c.Task(ctx, storage.Default, t.Out, t.Shard)
	}
	return table.ReadTask(ctx, storage.Default, t.Out, t.Table, t.Shard, t.Of)
}

// Partitioned are the dependencies of a stage whose tasks read some tables whole and
// need of them what concerns their own shard: it is partitioned into a file of that
// path before the stage is planned. A dry run uses a file that is there, and
// otherwise says that every shard would be made.
func (p *Planner) Partitioned(ctx context.Context, inputs Inputs, whole []string, path func(Task) string, partition func(Task) (*cache.Partitions, error)) (Deps, error) {
	of := p.Config.Shards
	first, err := inputs(ctx, p, 0, of)
	if err != nil {
		return Deps{}, err
	}
	t := Task{Out: p.Config.Out, Of: of, Inputs: first}
	if p.dry {
		partition = func(t Task) (*cache.Partitions, error) { return cache.OpenPartitions(ctx, path(t), of) }
	}
	d, err := partition(t)
	switch {
	case err != nil && p.dry:
		return Deps{Inputs: inputs}, nil
	case err != nil:
		return Deps{}, err
	}
	return Deps{Inputs: inputs, Whole: whole, Concerns: func(shard int) string { return d.Sums[shard] }}, nil
}
