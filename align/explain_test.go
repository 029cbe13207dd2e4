package align

import (
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// What an explanation says of the quote is true of it: words that do stand in the
// document are not denied, and what copies make look common is not to blame where
// another threshold was missed.
func TestExplanationsAreTrue(t *testing.T) {
	c := made()
	o := Defaults()
	e, err := Explain(commonplace.Quote{ID: "q", Text: strings.Repeat("zzyq ", 26) + "dog"}, document("d", "the dog barks at the cat"), c.stats, o)
	if err != nil {
		t.Fatal(err)
	}
	if e.Found || e.Best != nil || strings.Contains(e.Verdict, "no three letters") {
		t.Errorf("of a word that stands there: %s", e.Verdict)
	}

	stats := NewStats(o)
	for _, b := range c.books {
		stats.Count(b)
	}
	text := strings.Join(strings.Fields(c.books[0].Text)[100:160], " ")
	for range 12 {
		stats.Count(document("edition", text))
	}
	q := strings.Join(strings.Fields(text)[20:28], " ")
	o.MinSimilarity, o.QuoteChance = 1, 1e-5
	if e, err = Explain(commonplace.Quote{ID: "q", Text: q[:len(q)-1] + "x"}, document("d", text), stats, o); err != nil {
		t.Fatal(err)
	}
	if e.WholeBits >= e.Threshold || e.Bits < e.Threshold || e.Best.Similarity >= 1 {
		t.Fatal("the case is not the one to test")
	}
	if !strings.Contains(e.Verdict, "min_similarity") {
		t.Errorf("of a quote that says enough: %s", e.Verdict)
	}
}
