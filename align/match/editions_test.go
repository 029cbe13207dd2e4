package match

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The larger a collection is, the more of 16 triples must be repeated; the numbers are
// those that were measured in novels (docs/alignment.md).
func TestFewestRepeats(t *testing.T) {
	measured := map[int64]int{0: 6, 20_000: 6, 60_000: 9, 200_000: 12, 600_000: 14, 2_000_000: 16, 1 << 40: 16}
	for words, want := range measured {
		if got := fewestRepeats(words); got != want {
			t.Errorf("%d words: %d, want %d", words, got, want)
		}
	}
	for words := int64(1); words < 1<<32; words += words/7 + 1 {
		if fewestRepeats(words) < fewestRepeats(words-1) {
			t.Errorf("%d words: fewer than with one word less", words)
		}
	}
}

// The copies are the count that so many of any 16 successive triples reach, as a slow search finds it.
func TestDamagedCopies(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 6))
		words, fewest := make([]word, r.IntN(60)), leastRepeats+r.IntN(copyRun-leastRepeats+1)
		for i := range words {
			words[i] = word{triple: uint32(r.IntN(8)), added: 1}
		}
		want := make([]uint32, len(words))
		for i := range want {
			want[i] = 1
		}
		for to := 1; to <= len(words); to++ {
			from := max(0, to-copyRun)
			var counts []uint32
			for _, w := range words[from:to] {
				counts = append(counts, w.triple)
			}
			slices.Sort(counts)
			if len(counts) < fewest || counts[len(counts)-fewest] < 2 {
				continue
			}
			copies := counts[len(counts)-fewest]
			for i := from; i < to; i++ {
				want[i] = max(want[i], copies+copies/2)
			}
		}
		discountDamaged(words, fewest)
		for i := range words {
			if words[i].added != want[i] {
				t.Fatalf("seed %d: word %d of %d: %d, want %d", seed, i, len(words), words[i].added, want[i])
			}
		}
	}
}
