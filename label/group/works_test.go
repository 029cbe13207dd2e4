package group

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Copies of a book share hundreds of hashes, and are a pair once.
func TestPairsOfCopiesAreSortedOnce(t *testing.T) {
	const copies = 40
	finder, err := NewWorkFinder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer finder.Close()
	r := rand.New(rand.NewPCG(1, 2))
	sketch := make(Sketch, sketchSize)
	for i := range sketch {
		sketch[i] = r.Uint64()
	}
	slices.Sort(sketch)
	for i := range copies {
		if err := finder.Add(fmt.Sprint(i), sketch); err != nil {
			t.Fatal(err)
		}
	}
	pairs, added := map[string]bool{}, 0
	err = finder.pairs(func(pair []byte) error {
		pairs[string(pair)] = true
		added++
		return nil
	})
	if want := copies * (copies - 1) / 2; err != nil || len(pairs) != want || added > 2*want {
		t.Errorf("%d pairs were added %d times, want %d (%v)", len(pairs), added, want, err)
	}
}
