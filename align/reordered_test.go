package align

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// Sentences in another order that are one find take nothing away: each find of the merge without them is still there or within such a
// find, which has nearly all of their words, none twice, and more evidence than each.
func TestReorderedFindsTakeNothingAway(t *testing.T) {
	c := made()
	p, stats := plainBooks(t, c)
	o := Defaults()
	threshold := stats.DocumentThreshold(o)
	r := rand.New(rand.NewPCG(141, 142))
	joined := 0
	for range 100 {
		var text strings.Builder
		text.WriteString(nonsense(r, 20) + "\n")
		for range 1 + r.IntN(3) {
			f := strings.Fields(strings.Map(dropMarks, c.books[r.IntN(4)].Text[r.IntN(2000):]))[1:]
			n, length := 2+r.IntN(4), 7+r.IntN(14)
			for _, k := range r.Perm(n) {
				from, to := max(0, length*k-r.IntN(4)*r.IntN(6)), length*(k+1)+r.IntN(4)*r.IntN(6)
				s := strings.Join(f[from:to], " ")
				fmt.Fprint(&text, s, []string{" ", ". ", "\n", " " + nonsense(r, 1+r.IntN(6)) + " "}[r.IntN(4)])
				if r.IntN(8) == 0 {
					g := strings.Fields(strings.Map(dropMarks, c.books[4+r.IntN(4)].Text[r.IntN(2000):]))[1:]
					fmt.Fprint(&text, strings.Join(g[:8+r.IntN(8)], " "), " ")
				}
			}
			text.WriteString(nonsense(r, r.IntN(20)) + "\n")
		}
		doc := document("d", text.String())
		candidates := p.Find(doc)
		rows := Merge(candidates, o)
		shuffled := slices.Clone(candidates)
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if again := Merge(shuffled, o); fmt.Sprint(again) != fmt.Sprint(rows) {
			t.Errorf("another order of candidates gives other rows")
		}
		before := Merge(slices.DeleteFunc(slices.Clone(candidates), func(k Candidate) bool { return k.Reordered }), o)
		ids := map[string]bool{}
		for i, a := range rows {
			checkParts(t, a, doc.Text, strings.Map(dropMarks, c.text(a.SourceID)))
			if n := len(strings.Fields(a.DerivedText)); a.MatchedWords > int64(n+1) { // a word may be cut
				t.Errorf("%d words match of %d: %q", a.MatchedWords, n, a.DerivedText)
			}
			if a.Score < threshold || a.Places < 1 || ids[a.ID] || i > 0 && rows[i-1].DerivedBegin > a.DerivedBegin {
				t.Errorf("score %.1f of %.1f, places %d: %s", a.Score, threshold, a.Places, a.ID)
			}
			ids[a.ID] = true
		}
		for _, a := range rows {
			words, n := int64(0), 0
			for _, b := range before {
				if b.SourceID != a.SourceID || b.ID == a.ID || inBoth(a.DerivedBegin, a.DerivedEnd, b.DerivedBegin, b.DerivedEnd) == 0 {
					continue
				}
				if n, words = n+1, words+b.MatchedWords; a.Score <= b.Score {
					t.Errorf("%.1f bits of %d parts take the place of %.1f: %q %q", a.Score, len(a.Parts), b.Score, a.DerivedText, b.DerivedText)
				}
			}
			if joined += min(1, n); n > 0 && 10*a.MatchedWords < 9*words {
				t.Errorf("of %d words %d are left: %q", words, a.MatchedWords, a.DerivedText)
			}
		}
		for _, b := range before {
			if !ids[b.ID] && !slices.ContainsFunc(rows, func(a commonplace.Alignment) bool {
				return a.SourceID == b.SourceID && a.DerivedBegin <= b.DerivedBegin && a.DerivedEnd >= b.DerivedEnd
			}) {
				t.Errorf("%q is gone", b.DerivedText)
			}
		}
	}
	if joined < 60 {
		t.Errorf("%d finds are joined", joined)
	}
}

// What is left of a match beside its neighbours stays, although it stands in a gap of sentences in another order.
func TestReorderedFindsLeaveWhatIsNoPartOfThem(t *testing.T) {
	c := made()
	r := rand.New(rand.NewPCG(143, 144))
	words := func(n int) string {
		var w []string
		for range n {
			w = append(w, c.Words[200+r.IntN(2000)])
		}
		return strings.Join(w, " ")
	}
	left := 0
	for range 6 {
		one, shared, between, two := words(20), words(8), words(10), words(20)
		source := words(40) + " " + shared + " " + one + " " + between + " " + shared + " " + two + " " + words(40)
		doc := document("d", nonsense(r, 20)+"\n"+two+" "+between+" "+shared+" "+one+"\n"+nonsense(r, 20))
		o := Defaults()
		stats := NewStats(o)
		docs := append([]commonplace.Document{document("s", source)}, c.books...)
		for _, d := range docs {
			stats.Count(d)
		}
		found := int64(0)
		for _, a := range Merge(openPart(t, docs, stats, o).Find(doc), o) {
			if found += a.MatchedWords; strings.HasPrefix(a.DerivedText, between[:8]) {
				left++
			}
		}
		if found != 58 {
			t.Errorf("%d of 58 words match", found)
		}
	}
	if left == 0 {
		t.Error("no text has two matches that share words")
	}
}
