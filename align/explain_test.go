package align

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/aligntest"
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

// What is explained of words between marks is what the search for them does.
func TestExplanationsOfMarkedQuotationsAgreeWithTheSearch(t *testing.T) {
	c := made()
	o := Defaults()
	r := rand.New(rand.NewPCG(5, 6))
	p := openPart(t, c.books, c.stats, o)
	had, lost, seedless := 0, 0, 0
	for range 80 {
		b, q := c.Cut(r, 5+r.IntN(6))
		q = aligntest.Damage(r, strings.Map(dropMarks, q), []int{1 << 30, 15, 8}[r.IntN(3)])
		d := essay(r, c, 0)
		at := int64(len([]rune(d.Text)))
		d.Text += " “" + q + "” " + d.Text
		found := slices.ContainsFunc(MergeMarked(p.FindMarked(d), o), func(a commonplace.Alignment) bool {
			return a.SourceID == c.books[b].ID && a.DerivedEnd > at && a.DerivedBegin < at+int64(len([]rune(q)))
		})
		e, err := ExplainMarked(commonplace.Quote{ID: "q", Text: q}, c.books[b], c.stats, o)
		if err != nil {
			t.Fatal(err)
		}
		if e.Found != found || e.Found != strings.HasPrefix(e.Verdict, "found") {
			t.Errorf("found %v, but explained as %q: %q", found, e.Verdict, q)
		}
		if e.Best != nil {
			checkSpans(t, *e.Best, q, c.books[b].Text)
		}
		switch {
		case found:
			had++
		case strings.Contains(e.Verdict, "too few runs of undamaged letters"):
			seedless++
		default:
			lost++
		}
	}
	if had < 20 || lost+seedless < 3 || seedless == 0 {
		t.Errorf("%d found, %d without a seed, %d lost otherwise: the cases are not those to test", had, seedless, lost)
	}
}
