package datasets

import (
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

func (Examples) Notes(c table.Commit) []string { return thinSplits(c) }
func (Queries) Notes(c table.Commit) []string  { return thinSplits(c) }
func (Windows) Notes(c table.Commit) []string  { return thinSplits(c) }
func (Replies) Notes(c table.Commit) []string  { return thinSplits(c) }
