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
