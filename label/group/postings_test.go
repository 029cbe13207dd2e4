package group

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Whatever fits into memory, each hash has the same documents.
func TestPostings(t *testing.T) {
	for _, most := range []int{1 << 20, 1000, 7} {
		r := rand.New(rand.NewPCG(3, uint64(most)))
		h := postings{dir: t.TempDir(), least: most}
		want := map[uint64][]uint32{}
		for doc := range uint32(400) {
			for range 30 {
				hash := r.Uint64N(5000) << (r.IntN(2) * 20)
				if d := want[hash]; len(d) > 0 && d[len(d)-1] == doc {
					continue // a sketch has a hash once
				}
				want[hash] = append(want[hash], doc)
				if err := h.add(hash, int(doc)); err != nil {
					t.Fatal(err)
				}
			}
		}
		var expected, got []string
		for _, docs := range want {
			if len(docs) > 1 {
				expected = append(expected, fmt.Sprint(docs[:min(len(docs), 4)]))
			}
		}
		if err := h.each(3, func(docs []uint32) error {
			got = append(got, fmt.Sprint(docs))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		slices.Sort(expected)
		slices.Sort(got)
		if !slices.Equal(expected, got) || len(got) < 1000 {
			t.Errorf("%d in memory: %d shared hashes, want %d", most, len(got), len(expected))
		}
		if (h.file != nil) != (most < 12000) {
			t.Errorf("%d in memory: file %v", most, h.file)
		}
		if err := h.close(); err != nil {
			t.Error(err)
		}
	}
}

// A library of tiny documents has few hashes, and holds few of them at once.
func TestPostingsHeld(t *testing.T) {
	h := postings{dir: t.TempDir(), least: leastHeld}
	defer h.close()
	for doc := range 2_000_000 {
		if err := h.add(uint64(doc), doc); err != nil {
			t.Fatal(err)
		}
	}
	if held := cap(h.held); held > 1<<20 {
		t.Errorf("%d held of 2,000,000", held)
	}
}
