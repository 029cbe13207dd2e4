package join

import (
	"errors"
	"testing"
)

type testRow struct{ id, text string }

func rowsOf(rows []testRow, failed error) *Reader[testRow] {
	return OpenRows("table", func(yield func(testRow, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
		if failed != nil {
			yield(testRow{}, failed)
		}
	}, func(r *testRow) string { return r.id })
}

// Rows beside others are of the same ids in the same order, whatever that is.
func TestOne(t *testing.T) {
	r := rowsOf([]testRow{{"b:1", "x"}, {"b-c:1", "y"}}, errors.New("broken"))
	defer r.Stop()
	if _, found, err := r.One("a"); found || err != nil {
		t.Errorf("a row of another id: %v", err)
	}
	for _, want := range []testRow{{"b:1", "x"}, {"b-c:1", "y"}} {
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

// Rows that are not asked for are passed over, in any order of ids.
func TestNext(t *testing.T) {
	r := rowsOf([]testRow{{"b:1", "x"}, {"b:2", "y"}, {"b-c:1", "z"}}, errors.New("broken"))
	defer r.Stop()
	for _, want := range []testRow{{"b:2", "y"}, {"b-c:1", "z"}} {
		if got, found, err := r.Next(want.id); got != want || !found || err != nil {
			t.Errorf("%+v, %v, %v, want %+v", got, found, err, want)
		}
	}
	if _, found, err := r.Next("d"); found || err == nil {
		t.Error("an error is not reported")
	}
}

// Documents that are not asked for are passed over on demand, and are an error else.
func TestSkipTo(t *testing.T) {
	r := rowsOf([]testRow{{"a", "1"}, {"b", "2"}, {"b", "3"}, {"c", "4"}}, errors.New("broken"))
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
