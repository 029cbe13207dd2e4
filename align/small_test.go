package align

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/align/aligntest"
)

// Copies that stand in every document of a collection must not make their own words
// common: each is found on one side of a match, however small the collection is, and
// with the wrong letters that a scan has.
func TestSmallCollectionsAgainstThemselves(t *testing.T) {
	for _, test := range []struct {
		every  int     // one letter in so many is wrong
		sizes  []int   // of the collections, in documents
		missed float64 // of the copies, at most
	}{
		{math.MaxInt, []int{2, 3, 4, 20, 200}, 0},
		{100, []int{2, 4, 20, 60}, .03},
		{33, []int{2, 4, 20, 60}, .03},
	} {
		copies, found := 0, 0
		for _, size := range test.sizes {
			for seed := range uint64(max(1, 12/size)) {
				n, all := coveredCopies(t, size, test.every, rand.New(rand.NewPCG(uint64(size), seed)))
				if n < all {
					t.Logf("%d documents, seed %d, one letter in %d wrong: %d of %d copies are found", size, seed, test.every, n, all)
				}
				copies, found = copies+all, found+n
			}
		}
		if float64(copies-found) > test.missed*float64(copies) {
			t.Errorf("one letter in %d wrong: %d of %d copies are found", test.every, found, copies)
		}
	}
}

// coveredCopies makes a collection of documents that share a paragraph, and counts the
// copies of it of which nine tenths stand on one side of a match.
func coveredCopies(t *testing.T, size, every int, r *rand.Rand) (covered, copies int) {
	paragraph := fresh(r, 20+r.IntN(40))
	a := New(Options{})
	texts, at := map[string]string{}, map[string]int{}
	for i := range size {
		before, behind := fresh(r, 20+r.IntN(100)), fresh(r, 20+r.IntN(100))
		id := fmt.Sprintf("d%03d", i)
		texts[id] = before + ".\n\n" + aligntest.Damage(r, paragraph, every) + "\n\n" + behind
		at[id] = len([]rune(before)) + 3
		a.Add(id, texts[id])
	}
	length := len([]rune(paragraph))
	is := map[string]bool{}
	cover := func(id string, begin, end int64) {
		if int(end)-at[id] >= length*9/10 && at[id]+length-int(begin) >= length*9/10 {
			is[id] = true
		}
	}
	for id, text := range texts {
		rows, err := a.Find(id, text)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			cover(row.DerivedID, row.DerivedBegin, row.DerivedEnd)
			cover(row.SourceID, row.SourceBegin, row.SourceEnd)
		}
	}
	return len(is), size
}

// fresh is n words that stand nowhere else in this order.
func fresh(r *rand.Rand, n int) string {
	words := made().Words
	zipf := rand.NewZipf(r, 1.2, 4, uint64(len(words)-1))
	out := make([]string, n)
	for i := range out {
		out[i] = words[zipf.Uint64()]
	}
	return strings.Join(out, " ")
}

// Short texts that share nothing but idioms are not reuse.
func TestSmallCollectionsOfStrangers(t *testing.T) {
	common := made().Words[:40]
	found := 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(7, seed))
		var words [5]string
		for i := range words {
			words[i] = common[r.IntN(len(common))]
		}
		idiom := strings.Join(words[:], " ")
		a := New(Options{})
		texts := map[string]string{}
		for i := range 8 {
			id := fmt.Sprintf("d%d", i)
			texts[id] = fresh(r, 30+r.IntN(60)) + " " + idiom + " " + fresh(r, 30+r.IntN(60))
			a.Add(id, texts[id])
		}
		for id, text := range texts {
			rows, err := a.Find(id, text)
			if err != nil {
				t.Fatal(err)
			}
			found += len(rows)
		}
	}
	if found > 0 {
		t.Errorf("%d matches between texts that share an idiom", found)
	}
}
