package ranking

import (
	"context"
	"errors"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer/features"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/table"
)

// FeatureStats compares the features of the most with those of the least quoted
// passages: one table for the whole run.
type FeatureStats struct{}

func (FeatureStats) Identity() engine.Identity {
	return engine.Identity{
		Name: "feature_stats", Formerly: "compare", Table: "attributes", Revision: 4, Group: "label",
		Short:    "compare the most quoted passages with the least quoted",
		Unit:     "passages",
		OneShard: true,
	}
}

func (FeatureStats) Enabled(c *config.Config) bool { return config.Makes(config.DataCounts)(c) }

func (FeatureStats) Settings(c *config.Config) any {
	return featureSettings{Latin: c.Label.Counts.Genre == string(label.Latin)}
}

type featureSettings struct {
	Latin bool `json:"latin,omitempty"` // the features that look for English words are left out
}

// names are the features that are compared.
func (s featureSettings) names() []string {
	if s.Latin {
		return features.AnyLanguage()
	}
	return features.Names
}

func (FeatureStats) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{Inputs: engine.Whole("passages", "quote_counts")}, nil
}

func (FeatureStats) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var s featureSettings
	if err := t.Decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	return engine.WriteShard(ctx, t, table.Attributes, func(o *engine.Output[commonplace.Attribute]) error {
		n, r, err := attributesOf(ctx, s.names(), t.Paths("passages"), t.Paths("quote_counts"), 0)
		if errors.Is(err, ErrNothing) {
			o.Count("nothing_to_compare", 1) // no passage is quoted more than another
			err = nil
		}
		if err != nil {
			return err
		}
		o.In, o.Taken = n, n
		if out := len(features.Names) - len(s.names()); out > 0 {
			o.Count("english_features_left_out", int64(out))
		}
		for i, a := range r.Attributes {
			row := commonplace.Attribute{
				Name: a.Name, Number: int64(i), Arrows: a.Arrows, Most: a.Most, Least: a.Least, T: a.T, P: a.P, Test: a.Test,
				MostCount: int64(r.Most), AtLeast: r.AtLeast, LeastCount: int64(r.Least), AtMost: r.AtMost,
			}
			if err := o.Put(row); err != nil {
				return err
			}
		}
		return nil
	})
}
