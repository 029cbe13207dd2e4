package ngrams

import (
	"math/rand/v2"
	"testing"
)

// copiesOf is the most of the least of every run, as a slow search finds it, also where
// what stands beside the passage is equal by chance and rare.
func TestCopiesOf(t *testing.T) {
	slow := func(words []contextWord) uint32 {
		most := uint32(1)
		for i := 2; i+copyTriples <= len(words); i++ {
			least := words[i].triple
			for _, w := range words[i : i+copyTriples] {
				least = min(least, w.triple)
			}
			most = max(most, least)
		}
		return most
	}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 2))
		words := make([]contextWord, r.IntN(80))
		for i := range words {
			words[i].triple = uint32(r.IntN(3))
		}
		if n := len(words); n > 25 { // a passage
			for i := range words[2 : 2+r.IntN(n-2)] {
				words[2+i].triple = uint32(5 + r.IntN(2))
			}
		}
		if got, want := copiesOf(words), slow(words); got != want {
			t.Fatalf("seed %d: %d, want %d", seed, got, want)
		}
	}
}
