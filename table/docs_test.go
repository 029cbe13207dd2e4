package table

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the columns into docs/tables.md")

const docsPath = "../docs/tables.md"

// columnsMarkdown is what docs/tables.md has between its marks for a table.
func columnsMarkdown(d Description) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Sorted by `%s`", strings.Join(d.Order, "`, `"))
	if d.Shard != "" {
		fmt.Fprintf(&b, "; the shard is the hash of `%s`", d.Shard)
	}
	b.WriteString(".\n\n| column | type | what it is |\n|---|---|---|\n")
	for _, c := range d.Columns {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", c.Name, c.Type, strings.ReplaceAll(c.Doc, "|", `\|`))
		for _, f := range c.Fields {
			fmt.Fprintf(&b, "| `%s[].%s` | %s | %s |\n", c.Name, f.Name, f.Type, strings.ReplaceAll(f.Doc, "|", `\|`))
		}
	}
	return b.String()
}

var marked = regexp.MustCompile(`(?s)<!-- columns of ([a-z_]+) -->\n(.*?)<!-- end -->`)

// TestDocs holds docs/tables.md against the schemas: `go test ./table -run Docs -update`
// writes what is between the marks, the rest is written by hand.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile(docsPath)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	want := marked.ReplaceAllStringFunc(string(page), func(section string) string {
		name := marked.FindStringSubmatch(section)[1]
		d, ok := Named(name)
		if !ok || seen[name] {
			t.Errorf("docs/tables.md has columns of %q, which is no table or there twice", name)
			return section
		}
		seen[name] = true
		return fmt.Sprintf("<!-- columns of %s -->\n%s<!-- end -->", name, columnsMarkdown(d.Describe()))
	})
	for _, name := range names() {
		if !seen[name] {
			t.Errorf("docs/tables.md has no section of table %s", name)
		}
	}
	if want == string(page) {
		return
	}
	if !*update {
		t.Fatal("docs/tables.md does not say what the schemas say: go test ./table -run Docs -update")
	}
	if err := os.WriteFile(docsPath, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
