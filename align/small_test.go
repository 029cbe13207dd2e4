package align

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Copies that stand in every document of a collection must not make their own words
// common: each is found on one side of a match, however small the collection is.
func TestSmallCollectionsAgainstThemselves(t *testing.T) {
	c := made()
	copies, found := 0, 0
	for _, size := range []int{2, 3, 4, 20, 200} {
		for seed := range uint64(max(1, 12/size)) {
			r := rand.New(rand.NewPCG(uint64(size), seed))
			_, paragraph := c.Cut(r, 20+r.IntN(40))
			a := New(Options{})
			texts, at := map[string]string{}, map[string]int{}
			for i := range size {
				_, before := c.Cut(r, 20+r.IntN(100))
				_, behind := c.Cut(r, 20+r.IntN(100))
				id := fmt.Sprintf("d%03d", i)
				texts[id] = before + ".\n\n" + paragraph + "\n\n" + behind
				at[id] = len([]rune(before)) + 3
				a.Add(id, texts[id])
			}
			length := len([]rune(paragraph))
			covered := map[string]bool{}
			cover := func(id string, begin, end int64) {
				if int(end)-at[id] >= length*9/10 && at[id]+length-int(begin) >= length*9/10 {
					covered[id] = true
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
			copies, found = copies+size, found+len(covered)
			if len(covered) < size {
				t.Logf("%d documents, seed %d: %d copies of %d words are found", size, seed, len(covered), len(strings.Fields(paragraph)))
			}
		}
	}
	if found < copies {
		t.Errorf("%d of %d copies are found", found, copies)
	}
}
