package join

import (
	"errors"
	"testing"
)

type row struct{ id, text string }

func rowsOf(rows []row, failed error) *Reader[row] {
	return OpenRows("table", func(yield func(row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
		if failed != nil {
			yield(row{}, failed)
		}
	}, func(r *row) string { return r.id })
}

// Rows beside others are of the same ids in the same order, whatever that is.
func TestOne(t *testing.T) {
	r := rowsOf([]row{{"b:1", "x"}, {"b-c:1", "y"}}, errors.New("broken"))
	defer r.Stop()
	if _, found, err := r.One("a"); found || err != nil {
		t.Errorf("a row of another id: %v", err)
	}
	for _, want := range []row{{"b:1", "x"}, {"b-c:1", "y"}} {
		if got, found, err := r.One(want.id); got != want || !found || err != nil {
			t.Errorf("%+v, %v, %v, want %+v", got, found, err, want)
		}
	}
	if _, found, err := r.One("d"); found || err == nil {
		t.Error("an error is not reported")
	}
	end := rowsOf(nil, nil)
	defer end.Stop()
	if _, found, err := end.One("a"); found || err != nil {
		t.Errorf("a row of no rows: %v", err)
	}
}

// Documents that are not asked for are passed over on demand, and are an error else.
func TestSkipTo(t *testing.T) {
	r := rowsOf([]row{{"a", "1"}, {"b", "2"}, {"b", "3"}, {"c", "4"}}, errors.New("broken"))
	defer r.Stop()
	r.SkipTo("b")
	if rows, err := r.Of("b"); err != nil || len(rows) != 2 {
		t.Errorf("%v, %v", rows, err)
	}
	if _, err := r.Of("d"); err == nil {
		t.Error("the row of c is lost")
	}
	r.SkipTo("e")
	if _, err := r.Of("e"); err == nil {
		t.Error("an error is passed over")
	}
}
