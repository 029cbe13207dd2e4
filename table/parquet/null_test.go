package parquet

import (
	"errors"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
)

// A column whose field is a pointer holds null, which is not zero, and says so to
// other tools; a file of ours that says otherwise is damaged.
func TestNull(t *testing.T) {
	dir := t.TempDir()
	zero, half := int64(0), 0.5
	rows := []commonplace.Score{
		{PassageID: "d:000000", DocID: "d"},
		{PassageID: "d:000001", DocID: "d", Index: 1, BestBegin: &zero, BestEnd: &zero, BestScore: &half, BestText: "x"},
		{PassageID: "d:000002", DocID: "d", Index: 2},
	}
	rec := write(t, Scores, dir, rows)
	path := filepath.Join(dir, rec.File)
	if got, err := readAll(t, Scores, path); err != nil || !reflect.DeepEqual(got, rows) {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, optional := range []bool{true, false} {
		type row struct {
			Begin int64 `parquet:"best_begin"`
		}
		type nullable struct {
			Begin *int64 `parquet:"best_begin,optional"`
		}
		other := filepath.Join(dir, "other.parquet")
		by := parquet.CreatedBy(createdBy, "1", "table")
		err := parquet.WriteFile(other, []row{{7}}, by)
		if optional {
			err = parquet.WriteFile(other, []nullable{{nil}}, by)
		}
		if err != nil {
			t.Fatal(err)
		}
		var failed error
		for _, err := range Scores.Rows(t.Context(), other, "best_begin") {
			failed = err
		}
		if errors.Is(failed, storage.ErrDamaged) == optional {
			t.Errorf("our own file, nullable %v: %v", optional, failed)
		}
	}
}
