package pipelines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// planner plans stages one after the other: a stage can be planned when the
// tables that it reads are there.
type planner struct {
	config  *config.Config
	commits map[string]table.Commit
	prints  map[string]string  // fingerprints of commits
	dry     bool               // only looks, and writes nothing
	anew    bool               // tasks are to take over nothing
	seen    map[string]outside // what guarded stages read beside tables, by stage
}

func newPlanner(c *config.Config) *planner {
	return &planner{config: c, commits: map[string]table.Commit{}, prints: map[string]string{}, seen: map[string]outside{}}
}

// know keeps a table's commit record.
func (p *planner) know(c table.Commit) {
	p.commits[c.Table], p.prints[c.Table] = c, c.Fingerprint()
}

// plan is one stage ready to run.
type plan struct {
	stage    *stage
	table    string // that is written, with its version
	tasks    []Task
	inputs   map[string]string // fingerprints of the tables read
	stale    []Task            // those whose shards have to be made
	expected int64             // rows of the first table that those tasks read
	fresh    bool              // the committed table is what the tasks would make
	notes    []string          // what the user should know of what lies outside
}

// shardsOf are the committed shards of a table.
func (p *planner) shardsOf(name string) ([]table.ShardRecord, error) {
	c, ok := p.commits[name]
	if !ok {
		var err error
		if c, err = table.ReadCommit(storage.Default, p.config.Out, name); err != nil {
			if errors.Is(err, table.ErrNoRecord) {
				return nil, fmt.Errorf("%w: table %s is not there yet: run `commonplace %s` first", config.ErrInvalid, name, stageOf(name))
			}
			return nil, err
		}
		p.know(c)
	}
	return c.Shards, nil
}

// stageOf is the stage that writes a table.
func stageOf(name string) string {
	for _, s := range stages {
		if s.table == name {
			return s.name
		}
	}
	return name
}

// look lists what a stage reads beside tables. What is counted is listed once: it
// can be a whole library.
func (p *planner) look(ctx context.Context, s *stage) (out outside, err error) {
	if out, ok := p.seen[s.name]; ok {
		return out, nil
	}
	switch {
	case s.list != nil:
		out, err = s.list(ctx, p, s)
	case s.outside != nil:
		out, err = s.outside(p.config)
	}
	if err == nil && out.count != nil {
		p.seen[s.name] = out
	}
	return out, err
}

// plan lists the tasks of a stage and compares them with what is there.
func (p *planner) plan(ctx context.Context, s *stage) (*plan, error) {
	settings := config.Canonical(s.settings(p.config))
	of := s.shardsOf(p.config)
	out, err := p.look(ctx, s)
	if err != nil {
		return nil, err
	}
	var concerns share
	if s.share != nil {
		var err error
		if concerns, err = s.share(ctx, p, s); err != nil {
			return nil, err
		}
	}
	pl := &plan{stage: s, inputs: map[string]string{}, notes: out.notes}
	for k := range of {
		t := Task{Stage: s.name, Out: p.config.Out, Shard: k, Of: of, Settings: settings, Anew: p.anew}
		contents := ""
		if s.inputs != nil {
			var err error
			if t.Inputs, err = s.inputs(p, k, of); err != nil {
				return nil, err
			}
		}
		if out.contents != nil {
			contents = out.contents(k, of)
		}
		if out.extra != nil {
			t.Extra = out.extra(k, of)
		}
		inputs := t.Inputs
		if concerns.contents != nil {
			contents += concerns.contents(k)
			inputs = slices.DeleteFunc(slices.Clone(inputs), func(in Input) bool { return in.Of > 0 && slices.Contains(concerns.tables, in.Table) })
		}
		t.Fingerprint = fingerprint(s, settings, k, of, inputs, contents)
		pl.tasks = append(pl.tasks, t)
		for _, in := range t.Inputs {
			pl.inputs[in.Table] = p.prints[in.Table]
		}
	}
	pl.table = s.table
	if table.Versioned(s.table) {
		var all []string
		for _, t := range pl.tasks {
			all = append(all, t.Fingerprint)
		}
		pl.table = path.Join(s.table, storage.Key(all))
	}
	for i := range pl.tasks {
		pl.tasks[i].Table = pl.table
	}
	return pl, p.compare(ctx, pl)
}

// firstInput is what a task reads of the first of its tables that are sharded as
// its own.
func (p *planner) firstInput(t Task) table.ShardRecord {
	for _, in := range t.Inputs {
		k, _, ok := table.ParseShardName(in.File)
		if shards := p.commits[in.Table].Shards; ok && k < len(shards) {
			return shards[k]
		}
	}
	return table.ShardRecord{}
}

// compare counts the shards that are not what their task would make.
func (p *planner) compare(ctx context.Context, pl *plan) error {
	fresh := make([]bool, len(pl.tasks))
	err := eachShard(ctx, pl.tasks, func(t Task) error {
		rec, err := table.ReadTask(storage.Default, t.Out, t.Table, t.Shard, t.Of)
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
	c, err := table.ReadCommit(storage.Default, p.config.Out, pl.stage.table)
	switch {
	case errors.Is(err, table.ErrNoRecord), errors.Is(err, storage.ErrDamaged):
		return nil
	case err != nil:
		return err
	}
	pl.fresh = len(pl.stale) == 0 && path.Join(c.Table, c.Version) == pl.table && len(c.Shards) == len(pl.tasks) && maps.Equal(c.Inputs, pl.inputs)
	for i := range c.Shards {
		pl.fresh = pl.fresh && c.Shards[i].Fingerprint == pl.tasks[i].Fingerprint
	}
	return nil
}

// dealt deals for the tasks of a stage, all of which read the same whole tables,
// into the file of that path, and says what concerns each of them. Who only asks
// what would be done is told by a file that is there, and otherwise that all would be.
func (p *planner) dealt(s *stage, tables []string, path func(Task) string, deal func(Task) (*cache.Partitions, error)) (share, error) {
	of := s.shardsOf(p.config)
	inputs, err := s.inputs(p, 0, of)
	if err != nil {
		return share{}, err
	}
	t := Task{Stage: s.name, Out: p.config.Out, Of: of, Inputs: inputs}
	if p.dry {
		deal = func(t Task) (*cache.Partitions, error) { return cache.OpenPartitions(path(t), of) }
	}
	d, err := deal(t)
	switch {
	case err != nil && p.dry:
		return share{}, nil
	case err != nil:
		return share{}, err
	}
	return share{tables: tables, contents: func(shard int) string { return d.Sums[shard] }}, nil
}
