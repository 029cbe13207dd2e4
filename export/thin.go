package export

import "github.com/commonplace/commonplace/label"

// thin warns of splits of the table that are empty or very small, as the stage counted them.
func (g *gathered) thin() string {
	rows := map[string]int64{}
	for _, split := range []string{label.Train, label.Validation, label.Test} {
		rows[split] = g.Commit.Counts["in_"+split]
	}
	return label.ThinSplits(rows)
}

// thin warns of splits of the rows to train on: copies and withheld texts may leave fewer of
// them than the table has. Counts have folds and no splits.
func (x *purpose) thin() string {
	return label.ThinSplits(x.Stats.Rows)
}

// thin has the warnings of all that is exported.
func (j *job) thin(all []*gathered) []string {
	var found []string
	add := func(name, warning string) {
		if warning != "" {
			found = append(found, name+": "+warning)
		}
	}
	for _, g := range all {
		add(g.Name, g.thin())
	}
	for _, x := range j.purposes {
		add("rows for "+x.name, x.thin())
	}
	return found
}
