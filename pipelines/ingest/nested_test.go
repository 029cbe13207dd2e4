package ingest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// The same records as JSON lines and as Parquet of other tools give the same documents: lists,
// structs, pages and numbers that are larger than ours, too (bench/foreign_tables.py).
func TestARecordIsTheSameInEveryContainer(t *testing.T) {
	read := func(name string) []string {
		path, err := filepath.Abs("../../table/parquet/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		c := folderConfig(t, path)
		documents, rejects, _ := crawlOnly(t, c)
		if len(rejects) > 0 {
			t.Errorf("%s: %v", name, rejects)
		}
		var rows []string
		for _, d := range documents {
			rows = append(rows, fmt.Sprintf("%s %q %v", d.ID, d.Metadata, d.Pages))
		}
		return rows
	}
	want := read("nested.jsonl")
	for _, part := range []string{`{"tags" "[\"Times\",\"a \\\"b\\\" <é😀>\"]"}`, `{"place" "{\"city\":\"Bath\",\"at\":[1.5,-2]}"}`, `{"series" "Herald"}`, "p1  0 3"} {
		if !strings.Contains(strings.Join(want, "\n"), part) {
			t.Errorf("JSON lines: no %s in\n%s", part, strings.Join(want, "\n"))
		}
	}
	for _, name := range []string{"nested.parquet", "nested-old.parquet"} {
		if got := read(name); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	if got := read("map.parquet"); len(got) != 1 || got[0] != `a [{"author" "[\"A\",\"B\"]"} {"words" "{\"the\":2,\"of\":null}"}] []` {
		t.Errorf("maps: %s", got)
	}
}
