package align

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// However little an ellipsis leaves out, its parts are those that the quoter kept.
func TestEllipsisOfFewWords(t *testing.T) {
	c := made()
	o := Defaults()
	p := openPart(t, c.books, c.stats, o)
	r := rand.New(rand.NewPCG(91, 92))
	for _, mark := range []string{" … ", " . . . ", "... ", " [...] "} {
		for dropped := 1; dropped < 7; dropped++ {
			_, q := c.Cut(r, 24)
			f := strings.Fields(q)
			left, right := strings.Join(f[:11], " "), strings.Join(f[11+dropped:], " ")
			d := essay(r, c, 0)
			d.Text += "“" + left + mark + right + "” " + d.Text
			rows := Merge(p.Find(d), o)
			if len(rows) != 1 {
				for _, a := range rows {
					t.Logf("%s %.1f bits %q", a.Kind, a.Score, a.DerivedText)
				}
				t.Fatalf("%d words dropped at %q: %d finds", dropped, mark, len(rows))
			}
			a := rows[0]
			checkSpans(t, a, d.Text, c.text(a.SourceID))
			if dropped == 1 && a.Kind == commonplace.KindInexact {
				continue // a missed word as well as an ellipsis
			}
			if a.Kind != commonplace.KindEllipsis || len(a.Parts) != 2 || a.Similarity < 0.97 {
				t.Errorf("%d words dropped at %q: %s of %d parts, similarity %.3f: %q is %q", dropped, mark, a.Kind, len(a.Parts), a.Similarity, a.DerivedText, a.SourceText)
				continue
			}
			got := commonplace.Slice(d.Text, commonplace.Span{Begin: int(a.Parts[0].DerivedBegin), End: int(a.Parts[0].DerivedEnd)})
			if strings.Trim(got, "“”,. ") != strings.Trim(left, "“”,. ") {
				t.Errorf("%d words dropped at %q: the first part is %q of %q", dropped, mark, got, left)
			}
		}
	}
}

// What follows an ellipsis is looked for, also where the source is at its end.
func TestEllipsisAtTheEndOfASource(t *testing.T) {
	c := made()
	_, q := c.Cut(rand.New(rand.NewPCG(93, 94)), 14)
	doc := document("short", "Before it. "+q)
	stats := NewStats(Defaults())
	stats.Count(doc)
	for _, b := range c.books {
		stats.Count(b)
	}
	l, err := NewQuoteList([]commonplace.Quote{{ID: "q", Text: q + " … and other words that stand nowhere"}}, stats, Defaults())
	if err != nil {
		t.Fatal(err)
	}
	if rows := l.Find(doc); len(rows) != 1 || rows[0].SourceEnd != int64(len([]rune(doc.Text))) {
		t.Errorf("found %+v", rows)
	}
}
