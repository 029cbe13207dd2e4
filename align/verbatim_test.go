package align

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// Exact search is strings.Index at every byte: all places, also those that overlap, and texts within others.
func TestExactSearchIsTheStringItself(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	letters := []rune("aab é世界 .")
	random := func(n int) string {
		b := make([]rune, n)
		for i := range b {
			b[i] = letters[r.IntN(len(letters))]
		}
		return string(b)
	}
	o := Defaults()
	o.Match = MatchExact
	for round := range 60 {
		docs := []commonplace.Document{document("a", random(400)), document("b", strings.Repeat("a", 60)+random(50))}
		stats := NewStats(o)
		var quotes []commonplace.Quote
		for i := range 40 {
			quotes = append(quotes, commonplace.Quote{ID: fmt.Sprint(i), Text: random(1 + r.IntN(1+round/4))})
		}
		for _, d := range docs {
			stats.Count(d)
		}
		l, err := NewQuoteList(quotes, stats, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range docs {
			got, want := map[string]bool{}, map[string]bool{}
			for _, a := range l.Find(d) {
				got[fmt.Sprint(a.QuoteID, " ", a.SourceBegin)] = true
				if s := commonplace.Slice(d.Text, commonplace.Span{Begin: int(a.SourceBegin), End: int(a.SourceEnd)}); s != a.SourceText || a.DerivedText != s || a.Kind != commonplace.KindExact {
					t.Fatalf("%q at %d is %q", a.DerivedText, a.SourceBegin, s)
				}
			}
			runes := []rune(d.Text)
			for _, q := range quotes {
				for i := range runes {
					if strings.HasPrefix(string(runes[i:]), q.Text) {
						want[fmt.Sprint(q.ID, " ", i)] = true
					}
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("round %d: %d places where %d are", round, len(got), len(want))
			}
		}
	}
}

// Case, marks, spaces and accents that fold to the same count; a common word is found as often as it occurs.
func TestExactSearchFoldsNothing(t *testing.T) {
	o := Defaults()
	o.Match = MatchExact
	a := New(o)
	a.Add("a", "It is the café. it is the cafe\u0301. It is\nthe café; “It is the café.” !?")
	for text, want := range map[string]int{"It is the café.": 2, "it is the café.": 0, "It is the cafe\u0301": 0, "it is the cafe\u0301": 1, "It is the café": 2, "the": 4, "!?": 1, "": 0} {
		rows, err := a.FindQuotes(commonplace.Quote{ID: "q", Text: text})
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != want {
			t.Errorf("%q is found %d times, want %d", text, len(rows), want)
		}
	}
	for text, found := range map[string]bool{"it is the cafe\u0301": true, "it is the café. it is the cafe": false, "!!!": false} {
		e, err := Explain(commonplace.Quote{ID: "q", Text: text}, document("a", "It is the café. it is the cafe\u0301."), statsOf(t, o, "It is the café. it is the cafe\u0301."), o)
		if err != nil || e.Found != found {
			t.Errorf("%q: %v, %v", text, e.Verdict, err)
		}
	}
	if err := (Options{Match: "rough", QuoteChance: 1, DocumentChance: 1}).Validate(); err == nil {
		t.Error("a match that does not exist is accepted")
	}
}

func statsOf(t *testing.T, o Options, text string) *Stats {
	t.Helper()
	stats := NewStats(o)
	stats.Count(document("a", text))
	return stats
}
