package align

import (
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"github.com/commonplace/commonplace"
)

// An Aligner finds what an index part and a quote list find, and nothing of a text in itself.
func TestAligner(t *testing.T) {
	c := made()
	o := Defaults()
	a := New(Options{})
	if rows, err := a.Find("essay", "words of no source"); err != nil || len(rows) != 0 {
		t.Fatal("without sources:", rows, err)
	}
	for _, b := range c.books {
		a.Add(b.ID, b.Text)
	}
	d := essay(rand.New(rand.NewPCG(1, 1)), c, 6)
	p := openPart(t, c.books, c.stats, o)
	same := func(what string, got []commonplace.Alignment, err error, want []commonplace.Alignment) {
		t.Helper()
		if err != nil || len(want) == 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %d rows, want these %d: %v", what, len(got), len(want), err)
		}
	}
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			got, err := a.Find(d.ID, d.Text)
			same("Find", got, err, Merge(p.Find(d), o))
		})
	}
	group.Wait()
	got, err := a.FindMarked(d.ID, d.Text)
	same("FindMarked", got, err, MergeMarked(p.FindMarked(d), o))

	_, text := c.Cut(rand.New(rand.NewPCG(2, 2)), 30)
	quote := commonplace.Quote{ID: "q", Text: text}
	list, err := NewQuoteList([]commonplace.Quote{quote}, c.stats, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var want []commonplace.Alignment
	for _, b := range c.books {
		want = append(want, list.Find(b)...)
	}
	got, err = a.FindQuotes(quote)
	same("FindQuotes", got, err, want)

	for _, b := range c.books[:2] {
		rows, err := a.Find(b.ID, b.Text)
		for _, r := range rows {
			if r.SourceID == b.ID {
				t.Errorf("%s is found in itself", b.ID)
			}
		}
		if err != nil {
			t.Error(err)
		}
	}
	a.Add("late", text+" and no more")
	if got, err = a.Find("q", text); err != nil || len(got) < 2 || got[0].Places != int64(len(got)) {
		t.Errorf("a source that was added after a search: %d rows, %v", len(got), err)
	}
}

// What is wrong is said by the search, with the setting's name.
func TestAlignerOptions(t *testing.T) {
	a := New(Options{MinSimilarity: 2})
	a.Add("book", "some words")
	for _, find := range []func() ([]commonplace.Alignment, error){
		func() ([]commonplace.Alignment, error) { return a.Find("essay", "some words") },
		func() ([]commonplace.Alignment, error) { return a.FindMarked("essay", "some words") },
		func() ([]commonplace.Alignment, error) { return a.FindQuotes(commonplace.Quote{Text: "some words"}) },
	} {
		if _, err := find(); err == nil {
			t.Error("wrong options were taken")
		}
	}
	if rows, err := New(Options{}).FindQuotes(commonplace.Quote{Text: "some words"}); err != nil || len(rows) != 0 {
		t.Error(rows, err)
	}
}
