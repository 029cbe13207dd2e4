package table

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// The tables are in the order of entries.go, and nothing is wrong with an entry.
func TestEntries(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "entries.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	ast.Inspect(f, func(n ast.Node) bool {
		kv, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Name" {
			want = append(want, strings.Trim(kv.Value.(*ast.BasicLit).Value, `"`))
		}
		return true
	})
	var got []string
	for _, d := range All() {
		got = append(got, d.Describe().Name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the tables are %v and their entries %v", got, want)
	}
	for _, d := range All() {
		if err := d.Err(); err != nil {
			t.Error(err)
		}
		if about := d.Describe(); about.Holds == "" || about.About == "" {
			t.Errorf("nobody says what table %s is", about.Name)
		}
	}
}

// What is wrong with an entry or a row type is an error of whoever uses the table.
func TestAWrongEntryIsAnError(t *testing.T) {
	type noColumn struct{ ID string }
	type complexColumn struct {
		ID complex128 `parquet:"id" doc:"id"`
	}
	type nullList struct {
		IDs *[]string `parquet:"ids" doc:"ids"`
	}
	type inner struct {
		Text []string `parquet:"text,list" doc:"texts"`
	}
	type structColumn struct {
		ID string `parquet:"id" doc:"id"`
		In inner  `parquet:"in" doc:"in"`
	}
	type fine struct {
		ID string `parquet:"id" doc:"id"`
	}
	for want, tab := range map[string]interface{ Err() error }{
		"noColumn.ID needs a parquet and a doc tag":    newTable(Entry[noColumn]{Name: "t"}),
		"no column holds a complex128":                 newTable(Entry[complexColumn]{Name: "t"}),
		"null is for plain values":                     newTable(Entry[nullList]{Name: "t"}),
		"in is a struct":                               newTable(Entry[structColumn]{Name: "t", Order: []string{"id"}}),
		"no column nothing to sort by":                 newTable(Entry[fine]{Name: "t", Order: []string{"nothing"}}),
		"no column nothing to shard by":                newTable(Entry[fine]{Name: "t", Order: []string{"id"}, Shard: "nothing"}),
		"no column nothing, which is to be emptied":    newTable(Entry[fine]{Name: "t", Export: &Export[fine]{Row: "a row", Texts: []string{"nothing"}, Allowed: ofDocument(func(r *fine) string { return r.ID })}}),
		"must say which columns are emptied and when,": newTable(Entry[fine]{Name: "t", Export: &Export[fine]{Row: "a row", Texts: []string{"id"}}}),
		"or that none has a text":                      newTable(Entry[fine]{Name: "t", Export: &Export[fine]{Row: "a row"}}),
		"the entry does not say what an exported row ": newTable(Entry[fine]{Name: "t", Export: &Export[fine]{}}),
	} {
		if err := tab.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	wrong := newTable(Entry[commonplace.Quote]{Name: "t", Order: []string{"nothing"}})
	if _, err := wrong.CreateFile(t.Context(), t.TempDir()+"/t.parquet"); err == nil {
		t.Error("a table without its key was written")
	}
	if _, err := wrong.Open(t.Context(), "t.parquet"); err == nil || !strings.Contains(err.Error(), "no column nothing") {
		t.Errorf("opened: %v", err)
	}
}
