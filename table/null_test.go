package table

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
	"github.com/parquet-go/parquet-go"
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
	// What is printed, and asked for.
	var cells []string
	at, err := ParseWhere("scores", "best_score >= 0 and best_begin = 0")
	if err != nil {
		t.Fatal(err)
	}
	for row, err := range Scores.rows(t.Context(), storage.Default, path, []string{"index", "best_begin", "best_score"}) {
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		if at(row) {
			b = append(b, '!')
		}
		cells = append(cells, string(b))
	}
	want := []string{`{"index":0,"best_begin":null,"best_score":null}`, `{"index":1,"best_begin":0,"best_score":0.5}!`, `{"index":2,"best_begin":null,"best_score":null}`}
	if !reflect.DeepEqual(cells, want) {
		t.Errorf("got  %q\nwant %q", cells, want)
	}
}
