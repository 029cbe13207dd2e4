package datasets

import (
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/label/terms"
	"github.com/commonplace/commonplace/segment"
)

// What is quoted is the words that alignments take, by code points, and all words
// of a passage whose count a file gives.
func TestWordsAreQuotedWhereTheyStand(t *testing.T) {
	doc := commonplace.Document{ID: "b", Text: "Ünder “sea’s” edge we slept. Nobody knows why."}
	by, err := segment.Parse("sentences")
	if err != nil {
		t.Fatal(err)
	}
	passages := slices.Collect(segment.Passages(doc, by))
	if len(passages) != 2 {
		t.Fatalf("%d passages, want two sentences", len(passages))
	}
	at := func(words string) (begin, end int64) {
		i := strings.Index(doc.Text, words)
		begin = int64(len([]rune(doc.Text[:i])))
		return begin, begin + int64(len([]rune(words)))
	}
	quoting := func(by, words string) commonplace.Alignment {
		begin, end := at(words)
		return commonplace.Alignment{ID: by + words, DerivedID: by, SourceID: "b", SourceBegin: begin, SourceEnd: end, DerivedEnd: 5}
	}
	alignments := []commonplace.Alignment{
		quoting("essay", "sea’s” edge we"), quoting("essay", "edge we"), // one portion
		quoting("novel", "edge"), quoting("poem", "edge"),
	}
	quotations := label.Quotations(doc.ID, alignments, nil)
	counts := label.Counts(passages, quotations, label.OverlapAny)
	counts[1].Count += 7 // from a file
	l := terms.NewLanguage(1, 1, "")
	if err := addWords(l, 0, doc, passages, quotations, label.OverlapAny, counts); err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	err = l.NGrams(func(n commonplace.NGram) error {
		if n.Fold < 0 {
			got[n.Term] = n.Quotable
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for term, want := range map[string]float64{
		"Ünder": 0, "sea's": 1, "edge": 2, "we": 1, "slept": 0, "nobody": 3, "why": 3,
		"Ünder sea's": 0, "sea's edge": 1, "edge we": 1, "we slept": 0, "nobody knows": 3,
	} {
		if got[term] != want {
			t.Errorf("%q is quoted %v times, want %v", term, got[term], want)
		}
		delete(got, term)
	}
	if len(got) != 2 { // knows, knows why
		t.Errorf("other terms: %v", got)
	}
	if addWords(l, 0, doc, passages, nil, label.OverlapAny, counts[:1]) == nil {
		t.Error("a passage without a count was taken")
	}
}
