package quotes

import (
	"context"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/table"
)

// Match finds where derived documents quote the sources. Its table is
// sharded by the derived document, since the finds of one span compete with each
// other over all sources; align deals them to the sources' shards.
type Match struct{}

func (Match) Identity() engine.Identity {
	return engine.Identity{
		Name: "match", Table: "matches", Revision: alignRevision,
		Short: "compare derived documents with the sources",
		Unit:  "documents",
		Keys:  map[string]string{"": "align"},
		Cache: []string{"counts", "part", "finds"}, Because: countsOfAll,
	}
}

// Enabled says whether documents of the config quote others.
func (Match) Enabled(c *config.Config) bool { return anyQuoting(c) }

func (Match) Unneeded() string { return "no source has role: derived or both" }

func (Match) Settings(c *config.Config) any { return c.Align }

func (Match) EnsureInputs(ctx context.Context, r engine.Request) error {
	return keepSpreadCounts(ctx, r)
}

func (Match) External(ctx context.Context, p *engine.Planner) (engine.External, error) {
	return lookForCounts(ctx, p.Config)
}

// Plan makes a task depend on the whole collection, which it is searched for.
func (Match) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{Inputs: engine.And(engine.SameShard("documents"), engine.Whole("documents"))}, nil
}

func (Match) Setup(ctx context.Context, r engine.Request, t engine.Task) error {
	return makeCounts(ctx, r, t)
}

func (Match) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var s config.Align
	if err := t.Decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	c, err := collectionOf(ctx, t, s)
	if err != nil {
		return table.TaskRecord{}, err
	}
	return engine.WriteShard(ctx, t, table.Matches, func(o *engine.Output[commonplace.Alignment]) error {
		o.In = c.shards[t.Shard].Rows
		o.Taken = o.In
		return c.eachMatch(ctx, t.Shard, c.inflections(s), func(_ string, rows []commonplace.Alignment) error {
			for _, a := range rows {
				if err := o.Put(a); err != nil {
					return err
				}
			}
			return nil
		})
	})
}
