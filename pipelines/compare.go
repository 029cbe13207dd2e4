package pipelines

import (
	"context"
	"errors"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/table"
)

// compareStage compares the features of the most with those of the least quoted
// passages: one table for the whole run.
var compareStage = &stage{
	name: "compare", table: "attributes", revision: 2, command: "label",
	short:    "compare the most with the least quoted passages",
	unit:     "passages",
	wanted:   config.Makes(config.DataCounts),
	settings: func(*config.Config) any { return struct{}{} },
	shards:   func(*config.Config) int { return 1 },
	inputs:   whole("passages", "quote_counts"),
	make:     makeAttributes,
}

func makeAttributes(ctx context.Context, t Task) (table.TaskRecord, error) {
	return output(ctx, t, table.Attributes, func(o *out[commonplace.Attribute]) error {
		n, r, err := attributesOf(t.paths("passages"), t.paths("quote_counts"))
		if errors.Is(err, ErrNothing) {
			o.count("nothing_to_compare", 1) // no passage is quoted more than another
			err = nil
		}
		if err != nil {
			return err
		}
		o.in, o.taken = n, n
		for i, a := range r.Attributes {
			row := commonplace.Attribute{
				Name: a.Name, Number: int64(i), Arrows: a.Arrows, Most: a.Most, Least: a.Least, T: a.T, P: a.P,
				MostCount: int64(r.Most), AtLeast: r.AtLeast, LeastCount: int64(r.Least), AtMost: r.AtMost,
			}
			if err := o.put(row); err != nil {
				return err
			}
		}
		return nil
	})
}
