package parquet

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

// TestOtherWriters reads what pyarrow and DuckDB wrote (bench/foreign_tables.py):
// nullable columns, floats and int32, dictionaries, old and new pages, lists
// with other names, in another order.
func TestOtherWriters(t *testing.T) {
	columns := []string{"source_id", "source_begin", "source_text", "score", "marked", "parts"}
	var want []commonplace.Alignment
	for i := range int64(40) {
		a := commonplace.Alignment{SourceID: "a", SourceBegin: i, SourceText: []string{"é😀", "ſo", ""}[i%3], Score: float64(i) / 4, Marked: i%3 != 2 && i%2 == 1}
		for j := range i % 3 {
			a.Parts = append(a.Parts, commonplace.Part{DerivedBegin: j, DerivedEnd: j + 1, SourceBegin: i - 1, SourceEnd: i})
		}
		want = append(want, a)
	}
	for _, name := range []string{"pyarrow-v1", "pyarrow-v2", "duckdb"} {
		got := read(t, Alignments, "testdata/"+name+".parquet", columns...)
		if len(got) != len(want) {
			t.Errorf("%s: %d rows of %d", name, len(got), len(want))
			continue
		}
		for i := range want {
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Errorf("%s: row %d:\n got %+v\nwant %+v", name, i, got[i], want[i])
				break
			}
		}
	}
	for _, err := range Alignments.Rows(t.Context(), "testdata/lz4.parquet", "source_id") {
		if !errors.Is(err, ErrColumn) || !strings.Contains(err.Error(), "LZ4") {
			t.Errorf("LZ4: %v", err)
		}
	}
}

// Of the names of a column the first is read. Another one that is there, too, and one that is not in
// small letters, are among the other columns.
func TestOtherColumnsOfOneName(t *testing.T) {
	known := []Alias{{Column: "doc_id", Names: []string{"doc_id", "id"}}, {Column: "date", Names: []string{"date", "Date"}}}
	type row struct {
		DocID string `parquet:"doc_id"`
		ID    string `parquet:"id"`
		Date  string `parquet:"Date"`
	}
	r, err := Documents.OpenForeign(t.Context(), written(t, []row{{"a", "7", "1850"}}), known, bounded.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.WithOthers(Documents, "metadata"); err != nil {
		t.Fatal(err)
	}
	for d, err := range r.Rows() {
		if got := fmt.Sprint(d.ID, " ", d.Date, " ", d.Metadata); err != nil || got != "a 1850 [{id 7} {Date 1850}]" {
			t.Errorf("%s %v", got, err)
		}
	}
}
