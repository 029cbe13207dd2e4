package table_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// A table of another tool's, with an id, a text and columns that no document has.
func TestOpenDocuments(t *testing.T) {
	const path = "../testdata/sources/files/rows.parquet"
	for _, onlyIDs := range []bool{true, false} {
		r, err := table.OpenDocuments(t.Context(), path, onlyIDs, bounded.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for d, err := range r.Rows() {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(d.ID+"|"+d.Title+"|"+d.Text, d.Metadata))
		}
		want := "row-1||[],row-2||[]"
		if !onlyIDs {
			want = "row-1|On Tables|A table is a room with all the talk taken out.[{year 1999}],row-2|On Rows|A row remembers what a column knows.[{year 2001}]"
		}
		if strings.Join(got, ",") != want {
			t.Errorf("got %q, want %q", got, want)
		}
		r.Close()
	}
	if _, err := table.OpenDocuments(t.Context(), "parquet/testdata/duckdb.parquet", false, bounded.Limits{}); !errors.Is(err, table.ErrColumn) || !strings.Contains(err.Error(), "duckdb.parquet: wrong columns: it has no column doc_id or id (text)") {
		t.Errorf("no id: %v", err)
	}
	if _, err := table.OpenDocuments(t.Context(), "otherdocuments.go", false, bounded.Limits{}); !errors.Is(err, storage.ErrDamaged) {
		t.Errorf("no table: %v", err)
	}
}

// Dates and timestamps are read, whatever type other tools gave them (bench/foreign_tables.py).
func TestDatesOfOtherTypes(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"dates", "1850-01-02[{scanned 2020-05-06T07:08:09.5} {stored 2020-05-06T07:08:09Z}] [{scanned 1850-01-02} {stored 2020-05-06T07:08:09Z}] 2024-02-29[{stored 2020-05-06T07:08:09Z}]"},
		{"dates-spark", "1850-01-02[{scanned 2020-05-06T07:08:09.5Z}] 1969-12-31T23:00:00Z[{scanned 1850-01-02}] []"},
		{"years", "1984 1850[] 2001 1851[] []"},
	} {
		r, err := table.OpenDocuments(t.Context(), "parquet/testdata/"+c.file+".parquet", false, bounded.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for d, err := range r.Rows() {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, strings.TrimSpace(d.Title+" "+d.Date+fmt.Sprint(d.Metadata)))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %s, want %s", c.file, strings.Join(got, " "), c.want)
		}
		r.Close()
	}
}
