package pipelines

import (
	"context"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/table"
)

// matchStage finds where derived documents quote the sources. Its table is
// sharded by the derived document, since the finds of one span compete with each
// other over all sources; align deals them to the sources' shards.
type matchStage struct{}

func (matchStage) Identity() Identity {
	return Identity{
		Name: "match", Table: "matches", Revision: alignRevision,
		Short: "find where derived documents quote the sources",
		Unit:  "documents",
		Cache: []string{"counts", "part", "finds"},
	}
}

func (matchStage) Enabled(c *config.Config) bool { return c.HasSources() }

func (matchStage) Settings(c *config.Config) any { return c.Align }

func (matchStage) EnsureInputs(ctx context.Context, c *config.Config) error {
	return keepCounts(ctx, c)
}

func (matchStage) External(_ context.Context, p *planner) (external, error) {
	return lookForCounts(p.config)
}

func (matchStage) Plan(context.Context, *planner) (Deps, error) {
	return Deps{Inputs: matchInputs}, nil
}

func (matchStage) Setup(ctx context.Context, t Task) error { return countOnce(anythingQuotes)(ctx, t) }

// matchInputs are the whole collection, if anything quotes it.
func matchInputs(p *planner, shard, of int) ([]Input, error) {
	if anyQuoting(p.config) {
		return and(sameShard("documents"), whole("documents"))(p, shard, of)
	}
	return sameShard("documents")(p, shard, of)
}

// anythingQuotes tells by its inputs whether a task is one of a run in which
// documents quote.
func anythingQuotes(t Task) (bool, error) {
	return slices.ContainsFunc(t.Inputs, func(in Input) bool { return in.Table == "documents" && in.Of > 0 }), nil
}

func (matchStage) Make(ctx context.Context, t Task) (table.TaskRecord, error) {
	var s config.Align
	if err := t.decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	c, err := collectionOf(t, s)
	if err != nil {
		return table.TaskRecord{}, err
	}
	return output(ctx, t, table.Matches, func(o *out[commonplace.Alignment]) error {
		o.in = c.shards[t.Shard].Rows
		o.taken = o.in
		return c.eachMatch(ctx, t.Shard, func(_ string, rows []commonplace.Alignment) error {
			for _, a := range rows {
				if err := o.put(a); err != nil {
					return err
				}
			}
			return nil
		})
	})
}
