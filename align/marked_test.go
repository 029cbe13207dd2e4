package align

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/edit"
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/marks"
)

// A place that is found for a quotation and for one around it has the confidence
// of the closer one, whatever the order and the number of candidates.
func TestMarkedTiesGoToTheClosestQuotation(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	var candidates []commonplace.Alignment
	for i := range int64(20) {
		for _, confidence := range []float64{0.5, 0.91, 0.97} {
			candidates = append(candidates, commonplace.Alignment{ID: fmt.Sprint(i), SourceID: fmt.Sprint("s", i), DerivedBegin: 100 * i, DerivedEnd: 100*i + 50, SourceEnd: 50, Score: 60, Similarity: 1, Confidence: confidence})
		}
	}
	want := MergeMarked(candidatesOf(candidates...), Defaults())
	for range 50 {
		r.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
		got := MergeMarked(candidatesOf(candidates...), Defaults())
		if len(got) != 20 || got[0].Confidence != 0.97 || !reflect.DeepEqual(got, want) {
			t.Fatalf("%d rows, the first of confidence %v", len(got), got[0].Confidence)
		}
	}
}

// A marked quotation that stands in several editions is reported at all of them, in one group.
func TestMarkedEditionsAreGrouped(t *testing.T) {
	c := made()
	o := Defaults()
	r := rand.New(rand.NewPCG(93, 94))
	stats := NewStats(o)
	var docs []commonplace.Document
	for e := range 3 {
		for _, b := range c.books {
			docs = append(docs, document(fmt.Sprintf("%s-ed%d", b.ID, e), strings.Repeat("Preface of another kind. ", e)+b.Text))
			stats.Count(docs[len(docs)-1])
		}
	}
	p := openPart(t, docs, stats, o)
	for range 10 {
		_, q := c.Cut(r, 14)
		d := essay(r, c, 0)
		d.Text += "“" + strings.Map(dropMarks, q) + "” " + d.Text
		rows := MergeMarked(p.FindMarked(d), o)
		if len(rows) != 3 {
			t.Fatalf("%d rows for three editions of %q", len(rows), q)
		}
		for _, a := range rows {
			if a.Group == "" || a.Group != rows[0].Group || a.Places != 3 {
				t.Errorf("place %q is in group %q, of %d places", a.ID, a.Group, a.Places)
			}
		}
		o := o
		if o.Places = 1; len(MergeMarked(p.FindMarked(d), o)) != 1 {
			t.Error("more than one place where one is asked for")
		}
	}
}

func dropMarks(r rune) rune {
	if kind, _, _ := marks.Kind(r); kind >= 0 {
		return -1
	}
	return r
}

// Nothing is too long for a marked quotation, and one that a mark left open
// swallows is found all the same.
func TestLongAndUnclosedMarkedQuotations(t *testing.T) {
	c := made()
	o := Defaults()
	p := openPart(t, c.books, c.stats, o)
	passage := func(words, from int) string {
		return strings.Map(dropMarks, strings.Join(strings.Fields(c.books[2].Text)[from:from+words], " "))
	}
	other := essay(rand.New(rand.NewPCG(95, 96)), c, 0).Text
	long, short := passage(1800, 100), passage(12, 3000)
	if fold.Letters(long) <= markedMost {
		t.Fatal("the passage is not long")
	}
	block := "    " + strings.ReplaceAll(long, " ", "\n    ")
	for what, text := range map[string]string{
		"between marks":                  other + "“" + long + "” " + other,
		"a block":                        other + "\n\n" + block + "\n\n" + other,
		"the half of what marks enclose": other + "“" + strings.Repeat(other, 30) + long + "” " + other,
	} {
		rows := MergeMarked(p.FindMarked(document("d", text)), o)
		if len(rows) != 1 || fold.Letters(rows[0].DerivedText) < fold.Letters(long)*99/100 {
			t.Errorf("%s: %d rows for a passage of %d letters", what, len(rows), fold.Letters(long))
		}
	}
	rows := MergeMarked(p.FindMarked(document("d", other+"“never closed "+strings.Repeat(other, 10)+"“"+short+"” "+other)), o)
	if len(rows) != 1 || edit.Similarity(rows[0].DerivedText, short) < 0.99 {
		t.Errorf("behind a mark that was never closed: %d rows", len(rows))
	}
}

// No letter of a derived text is in two quotations; a mark or a point may be.
func TestQuotationsShareNoLetter(t *testing.T) {
	text := "alpha beta gamma. Delta epsilon"
	find := func(id, source string, from, to int64, score float64) commonplace.Alignment {
		return commonplace.Alignment{ID: id, SourceID: source, SourceEnd: to - from, DerivedBegin: from, DerivedEnd: to, DerivedText: text[from:to], Score: score, Similarity: 1, Confidence: 1}
	}
	best := find("best", "a", 0, 17, 90) // "alpha beta gamma."
	for _, c := range []struct {
		other commonplace.Alignment
		rows  int
	}{
		{find("beside", "b", 18, 31, 60), 2},
		{find("shares the point", "b", 16, 31, 60), 2},
		{find("shares a letter", "b", 15, 31, 60), 1},
		{find("within", "b", 6, 10, 60), 1},
		{find("elsewhere", "b", 0, 17, 89), 2},
	} {
		for _, order := range [][]commonplace.Alignment{{best, c.other}, {c.other, best}} {
			if rows := Merge(candidatesOf(order...), Defaults()); len(rows) != c.rows || rows[0].ID != "best" {
				t.Errorf("%s: %d rows of documents", c.other.ID, len(rows))
			}
			if rows := MergeMarked(candidatesOf(order...), Defaults()); len(rows) != c.rows || rows[0].ID != "best" {
				t.Errorf("%s: %d marked rows", c.other.ID, len(rows))
			}
		}
	}
}

// A find of the same words that goes on into another quotation is dropped, since
// its letters would be in two.
func TestAnotherPlaceSharesNoLetterEither(t *testing.T) {
	text := strings.Repeat("abcd ", 40)
	find := func(id string, from, to int64, score float64) commonplace.Alignment {
		return commonplace.Alignment{ID: id, SourceID: id, SourceEnd: to - from, DerivedBegin: from, DerivedEnd: to, DerivedText: text[from:to], Score: score, Similarity: 1, Confidence: 1}
	}
	for what, c := range map[string]struct {
		finds []commonplace.Alignment
		want  string
	}{
		"longer than the best":  {[]commonplace.Alignment{find("best", 0, 100, 100), find("next", 101, 200, 98), find("long", 0, 120, 95)}, "[best next]"},
		"beside a longer one":   {[]commonplace.Alignment{find("best", 0, 100, 100), find("long", 0, 120, 98), find("next", 101, 200, 95)}, "[best long]"},
		"beside the longer one": {[]commonplace.Alignment{find("best", 0, 100, 100), find("long", 0, 120, 98), find("next", 120, 200, 95)}, "[best long next]"},
	} {
		for _, rows := range [][]commonplace.Alignment{Merge(candidatesOf(c.finds...), Defaults()), MergeMarked(candidatesOf(c.finds...), Defaults())} {
			var ids []string
			for _, a := range rows {
				ids = append(ids, a.ID)
			}
			if fmt.Sprint(ids) != c.want {
				t.Errorf("%s: %v, want %s", what, ids, c.want)
			}
		}
	}
}
