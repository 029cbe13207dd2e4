package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// reasons say in words why a stage's shards are made again; nothing where the
// table was never there. They compare the parts in the shards' records with those
// of the tasks.
func (p *Planner) reasons(ctx context.Context, pl *stagePlan) ([]string, error) {
	c, err := table.ReadCommit(ctx, storage.Default, p.Config.Out, pl.stage.Table)
	committed := err == nil
	if committed && len(c.Shards) != len(pl.tasks) {
		return []string{fmt.Sprintf("shards was %d, is %d", len(c.Shards), len(pl.tasks))}, nil
	}
	d := differences{stage: pl.stage, shards: len(pl.tasks), concerns: pl.deps.Whole}
	was, now := map[int]Parts{}, map[int]Parts{}
	for _, t := range pl.stale {
		rec, err := taskRecord(ctx, c, t)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			d.missing = append(d.missing, t.Shard)
		case rec.Shard.Fingerprint != t.Fingerprint:
			was[t.Shard] = rec.MadeFrom
		}
	}
	if pl.external.PartsOf != nil {
		if now, err = pl.external.PartsOf(was); err != nil {
			return nil, err
		}
	}
	for _, t := range pl.stale {
		if parts, there := was[t.Shard]; there {
			d.compare(t.Shard, parts, t.Parts.with(now[t.Shard]))
		}
	}
	if !committed {
		return d.unfinished(), nil
	}
	if len(pl.stale) == 0 {
		return recordOnly(c, pl), nil
	}
	return written(p.Config, d.words(c.Config, pl.tasks[0].Settings)), nil
}

// recordOnly says why a table is committed again of which all shards are there.
func recordOnly(c table.Commit, pl *stagePlan) []string {
	var reasons []string
	for _, in := range slices.Sorted(maps.Keys(pl.inputs)) {
		if c.Inputs[in] != pl.inputs[in] {
			reasons = append(reasons, "its commit record names another version of "+in+"; no shard is made again")
		}
	}
	return reasons
}

// OutdatedReasons say why a committed table is out of date, as far as the records of
// the tables that it was made from show it. commits are those of the run.
func OutdatedReasons(ctx context.Context, out string, commits map[string]table.Commit, name string) []string {
	s, err := stageOfTable(name)
	c, there := commits[name]
	if err != nil || !there {
		return nil
	}
	d := differences{stage: s, shards: len(c.Shards)}
	if c.Revision == s.Revision && !anotherVersion(c, commits) {
		return nil
	}
	for k, shard := range c.Shards {
		rec, err := c.Task(ctx, storage.Default, out, k)
		if err != nil || rec.Shard.Fingerprint != shard.Fingerprint {
			continue
		}
		d.compare(k, rec.MadeFrom, partsNow(rec.MadeFrom, s.Revision, commits, k))
	}
	d.reread = nil // a shard without a difference is as it was
	return d.words(nil, nil)
}

// anotherVersion reports whether a table that this one was made from is now another.
func anotherVersion(c table.Commit, commits map[string]table.Commit) bool {
	for in, was := range c.Inputs {
		if now, ok := commits[in]; ok && now.Fingerprint() != was {
			return true
		}
	}
	return false
}

// partsNow are a shard's parts where tables and the program are as they are now.
func partsNow(was Parts, revision int, commits map[string]table.Commit, shard int) Parts {
	is := maps.Clone(was)
	for key := range was {
		kind, name, _ := strings.Cut(key, ": ")
		c, ok := commits[name]
		switch {
		case kind == partRevision:
			is[key] = fmt.Sprint(revision)
		case kind == partTable && ok:
			is[key] = storage.Key(c.Fingerprint())
		case kind == partShard && ok && shard < len(c.Shards):
			is[key] = storage.Key(c.Shards[shard].SHA256)
		}
	}
	return is
}
