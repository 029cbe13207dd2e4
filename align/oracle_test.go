package align

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/aligntest"
	"github.com/commonplace/commonplace/align/fold"
)

// smithWaterman is the best local alignment of two folded texts by the full
// tables (Gotoh 1982): its score, and the symbols after which it ends.
func smithWaterman(d, s []byte) (score, dEnd, sEnd int) {
	const low, match, mismatch, opening, gap = -1 << 20, 2, -3, -4, -1
	best, up := make([]int, len(s)+1), make([]int, len(s)+1)
	for j := range up {
		up[j] = low
	}
	for i := range d {
		diagonal, left := 0, low
		for j := range s {
			up[j+1] = max(up[j+1]+gap, best[j+1]+opening+gap)
			left = max(left+gap, best[j]+opening+gap)
			v := diagonal + mismatch
			if d[i]&fold.Mask == s[j]&fold.Mask {
				v = diagonal + match
			}
			diagonal = best[j+1]
			best[j+1] = max(0, v, up[j+1], left)
			if best[j+1] > score {
				score, dEnd, sEnd = best[j+1], i+1, j+1
			}
		}
	}
	return score, dEnd, sEnd
}

func lettersIn(text string) []byte {
	var f fold.Text
	f.Fold(text, 0, len(text))
	return slices.Clone(f.Sym)
}

// Between documents, what full Smith-Waterman over all letters finds is found,
// with the same score: the find's own spans hold the best local alignment, but for
// letters beyond the ends of one in seven that are alike by chance and say less than they cost.
// What a find says, bit by bit, is checked in bruteforce_test.go.
func TestDocumentsFindWhatSmithWatermanFinds(t *testing.T) {
	c := made()
	o := Defaults()
	r := rand.New(rand.NewPCG(71, 72))
	const tries, words = 40, 18
	found, same := 0, 0
	for range tries {
		b, q := c.Cut(r, words)
		at := strings.Index(strings.Join(strings.Fields(c.books[b].Text), " "), q)
		source := document("source", strings.Join(strings.Fields(c.books[b].Text), " ")[max(0, at-900):at+len(q)+900])
		source.Text = strings.ToValidUTF8(source.Text, "")
		derived := essay(r, c, 0)
		derived.Text = derived.Text[:200] + " " + aligntest.Damage(r, q, 20) + " " + derived.Text[200:]
		d, s := lettersIn(derived.Text), lettersIn(source.Text)
		want, _, _ := smithWaterman(d, s)
		rows := Merge(openPart(t, []commonplace.Document{source}, c.stats, o).Find(derived), o)
		if len(rows) != 1 {
			t.Errorf("%q: %d finds", q, len(rows))
			continue
		}
		found++
		got, dEnd, sEnd := smithWaterman(lettersIn(rows[0].DerivedText), lettersIn(rows[0].SourceText))
		if got > want {
			t.Fatalf("%q scores %d, all letters %d", rows[0].DerivedText, got, want)
		}
		if got == want && dEnd > 0 && sEnd > 0 {
			same++
		} else if got < want-10*2 {
			t.Errorf("%d of %d: %q in %q", got, want, rows[0].DerivedText, rows[0].SourceText)
		}
	}
	if found < tries || same < found*85/100 {
		t.Errorf("of %d quotations %d found, %d with the score of the full tables", tries, found, same)
	}
}

// Ties go to the leftmost place, then the shortest, whatever the order in which candidates come.
func TestTiesGoToTheLeftmost(t *testing.T) {
	c := made()
	o := Defaults()
	r := rand.New(rand.NewPCG(81, 82))
	_, q := c.Cut(r, 20)
	other := essay(r, c, 0).Text
	docs := []commonplace.Document{document("b", other+q+" "+other+q+" "+other), document("a", other+other+q+" "+other)}
	stats := NewStats(o)
	for _, d := range append(docs, c.books...) {
		stats.Count(d)
	}
	derived := document("d", "yyy zzz "+q+" zzz yyy")
	candidates := openPart(t, docs, stats, o).Find(derived)
	if len(candidates) != 3 {
		t.Fatalf("%d candidates of three places", len(candidates))
	}
	want := Merge(candidates, o)
	if want[0].SourceID != "a" || want[0].Group != want[0].ID || want[1].SourceBegin >= want[2].SourceBegin {
		t.Errorf("places in the order %v", want)
	}
	o.Places = 1
	if one := Merge(candidates, o); len(one) != 1 || one[0].SourceID != "a" {
		t.Errorf("the first place is %+v", one)
	}
	o.Places = 2
	if two := Merge(candidates, o); len(two) != 2 || two[1].SourceID != "b" || two[1].SourceBegin != want[1].SourceBegin {
		t.Errorf("the first places are %+v", two)
	}
	o.Places = 0
	for range 20 {
		r.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
		if got := Merge(candidates, o); !reflect.DeepEqual(got, want) {
			t.Fatal("the order of candidates decides")
		}
	}
	// Of equal finds in one place the shorter is kept.
	a := want[0]
	longer := a
	longer.SourceEnd++
	longer.ID = fmt.Sprint(a.ID, "longer")
	if got := Merge(candidatesOf(longer, a), o); got[0].Group != a.ID && got[0].ID != a.ID {
		t.Errorf("the longer of two equal finds leads: %+v", got)
	}
}

// Any two texts: spans are what they say, in order, and marked quotations too.
func FuzzDocuments(f *testing.F) {
	for _, s := range [][2]string{{"one two three four five six", "zero one two three four five six seven"}, {"", ""}, {"“ﬃ é” … [x]", "ﬃ é y x"},
		{"\xff“\xff", "\xff\xff"}, {"“a b … c d”", "a b x y c d"}, {strings.Repeat("ha ", 50), strings.Repeat("ha ", 40)}, {"to-day any one", "today anyone to day"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, quote, text string) {
		c := made()
		o := Defaults()
		o.QuoteChance, o.DocumentChance, o.MinSimilarity, o.MinWords, o.MinConfidence = 1e6, 1e12, 0, 0, 0
		base := c.books[0].Text[:3000]
		source := document("s", strings.ToValidUTF8(base[:1500]+text+base[1500:], ""))
		derived := document("d", strings.ToValidUTF8(base[2000:2300]+quote+" "+text+quote+base[200:400], ""))
		p := openPart(t, []commonplace.Document{source}, c.stats, o)
		rows := Merge(p.Find(derived), o)
		if !slices.IsSortedFunc(rows, func(a, b commonplace.Alignment) int {
			return cmp.Or(cmp.Compare(a.DerivedBegin, b.DerivedBegin), cmp.Compare(a.DerivedEnd, b.DerivedEnd))
		}) {
			t.Fatal("rows are not in order")
		}
		for _, a := range append(rows, MergeMarked(p.FindMarked(derived), o)...) {
			checkSpans(t, a, derived.Text, source.Text)
		}
	})
}
