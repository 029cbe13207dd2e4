package datasets

import (
	"context"

	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/table"
)

// thinSplits warns of splits that came out empty or very small, by what a table's record
// counts.
func thinSplits(c table.Commit) []string {
	rows := map[string]int64{}
	for _, split := range []string{label.Train, label.Validation, label.Test} {
		rows[split] = c.Counts["in_"+split]
	}
	if warning := label.ThinSplits(rows); warning != "" {
		return []string{warning}
	}
	return nil
}

func (Examples) Notes(_ context.Context, _ string, c table.Commit) ([]string, error) {
	return thinSplits(c), nil
}

func (Queries) Notes(_ context.Context, _ string, c table.Commit) ([]string, error) {
	return thinSplits(c), nil
}

func (Windows) Notes(_ context.Context, _ string, c table.Commit) ([]string, error) {
	return thinSplits(c), nil
}
