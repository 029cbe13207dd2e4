package align

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
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

// collection has texts by id, and where copies of a passage are in them.
type collection struct {
	texts  map[string]string
	copies []span
}

// span is a part of a text, in code points.
type span struct {
	id         string
	begin, end int
}

// coveredCopies makes a collection of documents that share a paragraph, and counts the
// copies of it that are found.
func coveredCopies(t *testing.T, size, every int, r *rand.Rand) (covered, copies int) {
	paragraph := fresh(r, 20+r.IntN(40))
	c := collection{texts: map[string]string{}}
	for i := range size {
		c.add(fmt.Sprintf("d%03d", i), fresh(r, 20+r.IntN(100))+".\n\n", aligntest.Damage(r, paragraph, every), "\n\n"+fresh(r, 20+r.IntN(100)))
	}
	return c.covered(t), size
}

// add adds a text with a copy in it.
func (c *collection) add(id, before, passage, behind string) {
	begin := len([]rune(before))
	c.copies = append(c.copies, span{id, begin, begin + len([]rune(passage))})
	c.texts[id] = before + passage + behind
}

// covered searches each text in the others, and counts the copies of which nine tenths
// are on one side of a match.
func (c *collection) covered(t *testing.T) int {
	is := map[span]bool{}
	cover := func(id string, begin, end int64) {
		for _, s := range c.copies {
			least := (s.end - s.begin) * 9 / 10
			if s.id == id && int(end)-s.begin >= least && s.end-int(begin) >= least {
				is[s] = true
			}
		}
	}
	for _, row := range findAll(t, c.texts) {
		cover(row.DerivedID, row.DerivedBegin, row.DerivedEnd)
		cover(row.SourceID, row.SourceBegin, row.SourceEnd)
	}
	return len(is)
}

// findAll searches each text in the others.
func findAll(t *testing.T, texts map[string]string) (rows []commonplace.Alignment) {
	a := New(Options{})
	for _, id := range slices.Sorted(maps.Keys(texts)) {
		a.Add(id, texts[id])
	}
	for id, text := range texts {
		found, err := a.Find(id, text)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, found...)
	}
	return rows
}

// A passage of 20 words that 20 documents have is found in all, though it is too frequent
// for the index, too rare for a licence, and damaged: in 200 documents of 300 words, and
// where some of its seeds are damaged so often that the index has them.
func TestPassagesOfManyDocuments(t *testing.T) {
	for _, test := range []struct{ passages, words, every, missed int }{
		{10, 300, math.MaxInt, 0},
		{10, 300, 100, 1},
		{10, 300, 33, 2},
		{40, 100, 60, 4},
	} {
		r := rand.New(rand.NewPCG(200, uint64(test.every)))
		c := collection{texts: map[string]string{}}
		for k := range test.passages {
			passage := fresh(r, 20)
			for i := range 20 {
				before := 10 + r.IntN(test.words-20)
				c.add(fmt.Sprintf("d%02d-%02d", i, k), fresh(r, before)+". ", aligntest.Damage(r, passage, test.every), " "+fresh(r, test.words-before))
			}
		}
		if found := c.covered(t); found < len(c.copies)-test.missed {
			t.Errorf("%d documents of %d words, one letter in %d wrong: %d of %d copies are found", len(c.texts), test.words, test.every, found, len(c.copies))
		}
	}
}

// A closing formula of nine words that 15 of 600 documents have is not reuse.
func TestFormulasOfManyDocuments(t *testing.T) {
	r := rand.New(rand.NewPCG(200, 9))
	formula := strings.Join(made().Words[40:49], " ")
	texts := map[string]string{}
	for i := range 600 {
		id := fmt.Sprintf("d%03d", i)
		texts[id] = fresh(r, 300)
		if i%40 == 0 {
			texts[id] += ". " + formula
		}
	}
	for _, row := range findAll(t, texts) {
		t.Errorf("%.1f bits: %q is found as %q", row.Score, row.DerivedText, row.SourceText)
	}
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
		texts := map[string]string{}
		for i := range 8 {
			texts[fmt.Sprintf("d%d", i)] = fresh(r, 30+r.IntN(60)) + " " + idiom + " " + fresh(r, 30+r.IntN(60))
		}
		found += len(findAll(t, texts))
	}
	if found > 0 {
		t.Errorf("%d matches between texts that share an idiom", found)
	}
}
