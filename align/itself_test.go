package align

import (
	"testing"

	"github.com/commonplace/commonplace"
)

// A document of the collection is not compared with itself: that takes no more work than
// the search for what it has of others, and gives the same.
func TestADocumentIsNotComparedWithItself(t *testing.T) {
	c := made()
	o := Defaults()
	stats := NewStats(o)
	var docs []commonplace.Document
	for _, b := range c.books {
		docs = append(docs, b)
		stats.Count(b)
	}
	derived := docs[0]
	derived.ID, derived.Text = "derived", derived.Text+" "+docs[1].Text[:2000]
	docs = append(docs, derived)
	stats.Count(derived)
	with, without := openPart(t, docs, stats, o), openPart(t, docs[:len(docs)-1], stats, o)
	got, want := Merge(with.Find(derived), o), Merge(without.Find(derived), o)
	if len(got) < 2 || len(got) != len(want) {
		t.Fatalf("%d matches, %d without itself", len(got), len(want))
	}
	for i := range got {
		if got[i].ID != want[i].ID || got[i].SourceID == derived.ID {
			t.Errorf("%s, want %s", got[i].ID, want[i].ID)
		}
	}
	other := derived
	other.ID = "another"
	cells := func(d commonplace.Document) int {
		s := &search{of: map[int][]int32{}}
		s.begin(with, d)
		s.m.Cuttable = true
		s.scan(with)
		return len(s.m.Arena)
	}
	if own, twin := cells(derived), cells(other); 4*own > 3*twin {
		t.Errorf("%d words are kept of the document itself, %d of its twin under another name", own, twin)
	}
}
