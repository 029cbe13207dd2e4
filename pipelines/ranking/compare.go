package ranking

import (
	"context"
	"errors"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/table"
)

// FeatureStats compares the features of the most with those of the least quoted
// passages: one table for the whole run.
type FeatureStats struct{}

func (FeatureStats) Identity() engine.Identity {
	return engine.Identity{
		Name: "feature_stats", Formerly: "compare", Table: "attributes", Revision: 2, Group: "label",
		Short:    "compare the most quoted passages with the least quoted",
		Unit:     "passages",
		OneShard: true,
	}
}

func (FeatureStats) Enabled(c *config.Config) bool { return config.Makes(config.DataCounts)(c) }

func (FeatureStats) Settings(*config.Config) any { return struct{}{} }

func (FeatureStats) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{Inputs: engine.Whole("passages", "quote_counts")}, nil
}

func (FeatureStats) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	return engine.WriteShard(ctx, t, table.Attributes, func(o *engine.Output[commonplace.Attribute]) error {
		n, r, err := attributesOf(ctx, t.Paths("passages"), t.Paths("quote_counts"), 0)
		if errors.Is(err, ErrNothing) {
			o.Count("nothing_to_compare", 1) // no passage is quoted more than another
			err = nil
		}
		if err != nil {
			return err
		}
		o.In, o.Taken = n, n
		for i, a := range r.Attributes {
			row := commonplace.Attribute{
				Name: a.Name, Number: int64(i), Arrows: a.Arrows, Most: a.Most, Least: a.Least, T: a.T, P: a.P,
				MostCount: int64(r.Most), AtLeast: r.AtLeast, LeastCount: int64(r.Least), AtMost: r.AtMost,
			}
			if err := o.Put(row); err != nil {
				return err
			}
		}
		return nil
	})
}
