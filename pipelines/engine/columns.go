package engine

import "fmt"

// Columns are the widths of names in the lines of a build: those of the longest
// names, and of the demonstration's at least.
type Columns struct{ stage, table int }

// ColumnsOf are the columns of what a request runs.
func ColumnsOf(r Request) Columns {
	c := Columns{8, 12}
	list, err := selected(r.Config, r.Stages)
	if err != nil { // the run says so
		return c
	}
	for _, s := range list {
		c.stage, c.table = max(c.stage, len(s.Name)), max(c.table, len(s.Table))
	}
	return c
}

// TableColumns are the columns of lines about tables of these names.
func TableColumns(names []string) Columns {
	c := Columns{8, 12}
	for _, name := range names {
		c.table = max(c.table, len(name))
	}
	return c
}

// Stage is a stage's name at its width.
func (c Columns) Stage(name string) string { return fmt.Sprintf("%-*s", c.stage, name) }

// Table is a table's name at its width.
func (c Columns) Table(name string) string { return fmt.Sprintf("%-*s", c.table, name) }
