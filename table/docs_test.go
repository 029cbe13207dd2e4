package table

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the tables into docs/tables.md")

const docsPath = "../docs/tables.md"

// overview is the table of tables: a line for what several of them hold.
func overview() string {
	var lines []string
	of := map[string][]string{}
	for _, t := range All() {
		d := t.Describe()
		if of[d.Holds] == nil {
			lines = append(lines, d.Holds)
		}
		of[d.Holds] = append(of[d.Holds], fmt.Sprintf("[%s](#%s)", d.Name, d.Name))
	}
	var b strings.Builder
	b.WriteString("| tables | what they hold |\n|---|---|\n")
	for _, line := range lines {
		fmt.Fprintf(&b, "| %s | %s |\n", strings.Join(of[line], ", "), line)
	}
	return b.String()
}

// sections are one for each table: what it is, its order, its columns.
func sections() string {
	var b strings.Builder
	for i, t := range All() {
		d := t.Describe()
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "## %s\n\n%s\n\nSorted by `%s`", d.Name, d.About, strings.Join(d.Order, "`, `"))
		if d.Shard != "" {
			fmt.Fprintf(&b, "; the shard is the hash of `%s`", d.Shard)
		}
		if t.Exported() != nil {
			b.WriteString(". `commonplace export` writes it")
		}
		b.WriteString(".\n\n| column | type | what it is |\n|---|---|---|\n")
		for _, c := range d.Columns {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", c.Name, c.Type, strings.ReplaceAll(c.Doc, "|", `\|`))
			for _, f := range c.Fields {
				fmt.Fprintf(&b, "| `%s[].%s` | %s | %s |\n", c.Name, f.Name, f.Type, strings.ReplaceAll(f.Doc, "|", `\|`))
			}
		}
	}
	return b.String()
}

var generated = regexp.MustCompile(`(?s)<!-- (overview|tables) -->\n(.*?)<!-- end -->`)

// TestDocs holds docs/tables.md against the entries: `go test ./table -run Docs -update`
// writes what is between the marks, the rest is written by hand.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile(docsPath)
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]func() string{"overview": overview, "tables": sections}
	want := generated.ReplaceAllStringFunc(string(page), func(section string) string {
		name := generated.FindStringSubmatch(section)[1]
		write := parts[name]
		if write == nil {
			t.Fatalf("docs/tables.md has the mark of %s twice", name)
		}
		delete(parts, name)
		return fmt.Sprintf("<!-- %s -->\n%s<!-- end -->", name, write())
	})
	if len(parts) > 0 {
		t.Fatalf("docs/tables.md lacks the marks of %d parts", len(parts))
	}
	if want == string(page) {
		return
	}
	if !*update {
		t.Fatal("docs/tables.md does not say what the entries say: go test ./table -run Docs -update")
	}
	if err := os.WriteFile(docsPath, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
