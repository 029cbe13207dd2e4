package eval

import (
	"cmp"
	"fmt"
	"strings"
)

// Groups are the figures of parts of the documents, such as those of one genre,
// behind the figures of all.
type Groups []Group

// Group is the figures of the documents that have a value in common.
type Group struct {
	Name   string `json:"name"`
	Result Result `json:"result"`
}

// Text is one table after the other, and what is said of all at the end.
func (g Groups) Text(columns int) string {
	columns = cmp.Or(columns, Columns)
	table := func(r Result) string { return r.table(columns) }
	fold := func(line string) string { return folded(line, columns) }
	return g.print(func(name, summary string) string { return fold(name + ": " + summary) }, table, fold)
}

// Markdown is the same for a document.
func (g Groups) Markdown() string {
	head := func(name, summary string) string { return fmt.Sprintf("**%s:** %s\n", name, summary) }
	return g.print(head, Result.markdownTable, func(note string) string { return "- " + note + "\n" })
}

func (g Groups) print(head func(name, summary string) string, table func(Result) string, note func(string) string) string {
	var b strings.Builder
	for _, group := range g {
		b.WriteString(head(group.Name, group.Result.Summary()))
		if group.Result.Documents > 0 {
			fmt.Fprintf(&b, "\n%s", table(group.Result))
		}
		b.WriteString("\n")
	}
	for _, n := range g[0].Result.Notes() {
		b.WriteString(note(n))
	}
	return b.String()
}
