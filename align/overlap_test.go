package align

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/aligntest"
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/match"
)

// anthology is passages of the books one after another, with nothing between them but a break.
func anthology(r *rand.Rand, c *corpus, passages int) (doc commonplace.Document, spans []commonplace.Alignment) {
	var t strings.Builder
	between := []string{" ", "\n", "\n\n"}[r.IntN(3)]
	next := "" // the word with which the source of the last passage goes on
	for len(spans) < passages {
		b := c.books[r.IntN(len(c.books))]
		f := strings.Fields(strings.Map(dropMarks, b.Text))
		at, n := r.IntN(len(f)-60), 10+r.IntN(40)
		if r.IntN(2) == 0 { // begin as the passage before goes on
			for k := at; k < len(f)-60; k++ {
				if f[k] == next {
					at = k
					break
				}
			}
		}
		q := aligntest.Damage(r, strings.Join(f[at:at+n], " "), []int{1 << 30, 1 << 30, 25}[r.IntN(3)])
		next = f[at+n]
		from := int64(len([]rune(t.String())))
		t.WriteString(q + between)
		spans = append(spans, commonplace.Alignment{SourceID: b.ID, DerivedBegin: from, DerivedEnd: from + int64(len([]rune(q))), DerivedText: q})
	}
	return document("anthology", t.String()), spans
}

// plainBooks is an index of the books without marks.
func plainBooks(t *testing.T, c *corpus) (*Part, *Stats) {
	o := Defaults()
	stats := NewStats(o)
	var docs []commonplace.Document
	for _, b := range c.books {
		docs = append(docs, document(b.ID, strings.Map(dropMarks, b.Text)))
		stats.Count(docs[len(docs)-1])
	}
	return openPart(t, docs, stats, o), stats
}

// inBoth is the number of code points that two spans have in common.
func inBoth(a, b, c, d int64) int64 { return max(0, min(b, d)-max(a, c)) }

// apart is the distance of two code points.
func apart(a, b int64) int64 { return max(a-b, b-a) }

// saysEnough says whether the words of a match between two code points of the derived text
// would be reported alone, without the bits of quotation marks at both ends.
func saysEnough(words []match.Border, from, to, minWords int, needed float64) bool {
	begin, end := -1, -1
	for i, w := range words {
		if w.Flags&match.MayBegin != 0 && w.D0 >= from && (begin < 0 || w.From+w.Open > words[begin].From+words[begin].Open) {
			begin = i
		}
		if w.Flags&match.MayEnd != 0 && w.D1 <= to && (end < 0 || w.Upto+w.Close >= words[end].Upto+words[end].Close) {
			end = i
		}
	}
	if begin < 0 || end < begin || end+1-begin < minWords {
		return false
	}
	a, b := words[begin], words[end]
	return a.From+b.Upto-words[len(words)-1].Upto+a.Open+b.Close >= needed
}

// Of passages side by side each is found that is found when it stands alone, and no letter is in two finds. A find
// vanishes only where a better one has half of it, or where what stronger neighbours leave of it says too little.
func TestNeighboursDoNotEatEachOther(t *testing.T) {
	c := made()
	o := Defaults()
	r := rand.New(rand.NewPCG(121, 122))
	p, stats := plainBooks(t, c)
	threshold := stats.DocumentThreshold(o)
	alone, lost, ends, wrong, cuts := 0, 0, 0, 0, 0
	for range 25 {
		doc, spans := anthology(r, c, 30)
		candidates := p.Find(doc)
		rows := Merge(candidates, o)
		candidates = slices.DeleteFunc(candidates, func(k Candidate) bool { return k.Reordered }) // their parts are candidates, too
		for i, a := range rows {
			checkSpans(t, a, doc.Text, strings.Map(dropMarks, c.text(a.SourceID)))
			if a.Score < threshold {
				t.Errorf("a find of %.1f bits is left", a.Score)
			}
			for _, b := range rows[:i] {
				if b.Group != "" && b.Group == a.Group {
					continue
				}
				if shared := (commonplace.Span{Begin: int(max(a.DerivedBegin, b.DerivedBegin)), End: int(min(a.DerivedEnd, b.DerivedEnd))}); shared.Begin < shared.End && fold.Letters(commonplace.Slice(doc.Text, shared)) > 0 {
					t.Errorf("%q and %q share letters", a.DerivedText, b.DerivedText)
				}
			}
		}
		for _, k := range candidates {
			words, err := match.UnpackBorders(k.Words)
			if err != nil {
				t.Fatal(err)
			}
			if got := words[0].From + words[0].Open + words[len(words)-1].Close; math.Abs(got-k.Score) > 0.1 {
				t.Fatalf("the words of a find say %.2f bits, the find %.2f", got, k.Score)
			}
			kept := false
			for _, a := range rows {
				kept = kept || a.SourceID == k.SourceID && inBoth(a.DerivedBegin, a.DerivedEnd, k.DerivedBegin, k.DerivedEnd) > 0 && inBoth(a.SourceBegin, a.SourceEnd, k.SourceBegin, k.SourceEnd) > 0
			}
			lo, hi := k.DerivedBegin, k.DerivedEnd // what stronger ones leave
			for _, b := range candidates {
				over := inBoth(b.DerivedBegin, b.DerivedEnd, k.DerivedBegin, k.DerivedEnd)
				switch {
				case b.Score < k.Score || b.ID == k.ID || over == 0:
				case 2*over >= k.DerivedEnd-k.DerivedBegin:
					kept = true // not to be asked
				case b.DerivedBegin < k.DerivedBegin:
					lo = max(lo, b.DerivedEnd)
				default:
					hi = min(hi, b.DerivedBegin)
				}
			}
			if !kept && saysEnough(words, int(lo), int(hi), o.MinWords, k.Needed) {
				t.Errorf("%q is gone", k.DerivedText)
			}
		}
		for _, s := range spans {
			one := Merge(p.Find(document("one", s.DerivedText)), o)
			if len(one) == 0 || one[0].Score < threshold+15 { // what says little may fall below the threshold
				continue
			}
			alone++
			found := false
			for _, a := range rows {
				if a.SourceID != s.SourceID || 2*inBoth(a.DerivedBegin, a.DerivedEnd, s.DerivedBegin, s.DerivedEnd) < s.DerivedEnd-s.DerivedBegin {
					continue
				}
				found = true
				if ends++; apart(a.DerivedBegin, s.DerivedBegin) > 12 || apart(a.DerivedEnd, s.DerivedEnd) > 12 {
					wrong++
				}
			}
			if !found {
				lost++
				t.Errorf("lost: %q", s.DerivedText)
			}
		}
		for _, k := range candidates {
			for _, s := range spans {
				if k.SourceID == s.SourceID && k.DerivedBegin == s.DerivedBegin && k.DerivedEnd > s.DerivedEnd+1 {
					cuts++
				}
			}
		}
	}
	t.Logf("%d are found alone, %d lost, %d of %d with ends that are off, %d ran into their neighbours", alone, lost, wrong, ends, cuts)
	if alone < 400 || cuts < 50 || wrong > ends/20 {
		t.Errorf("%d are found alone, %d of %d have other ends, %d ran into their neighbours", alone, wrong, ends, cuts)
	}
}

// Places of the same words that share a letter in the source are two places, for documents and for lists.
func TestPlacesSideBySideAreTwo(t *testing.T) {
	c := made()
	o := Defaults()
	r := rand.New(rand.NewPCG(123, 124))
	for k := range 12 {
		_, q := c.Cut(r, 32)
		q = strings.Map(dropMarks, q)
		f := strings.Fields(q)
		f[len(f)-1] = f[0] // it ends with the word with which it begins: of two in a row, the first may have the second's
		q = strings.Join(f, " ")
		prose := strings.Map(dropMarks, essay(r, c, 0).Text)
		other := strings.Map(dropMarks, essay(r, c, 0).Text)
		twice := strings.Join(f, " ") + " " + strings.Join(f[1:], " ")
		docs := []commonplace.Document{document("twice", prose+" "+twice+" "+prose)}
		stats := NewStats(o)
		for _, d := range append(docs, c.books...) {
			stats.Count(d)
		}
		rows := Merge(openPart(t, docs, stats, o).Find(document("d", other+"\n\n"+q+"\n\n"+other)), o)
		n := 0
		for _, a := range rows {
			if strings.Contains(a.DerivedText, f[5]+" "+f[6]) {
				n++
			}
		}
		found := inList(t, []commonplace.Quote{{ID: "q", Text: q}}, docs, stats, o)["q"]
		if n != 2 || len(found) != 2 {
			t.Errorf("case %d: %d places for a document and %d for a list: %s", k, n, len(found), fmt.Sprint(found))
		}
	}
}
