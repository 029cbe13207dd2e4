package eval

import (
	"hash/fnv"
	"math/rand/v2"
)

// Baselines give scores to the n passages of a document without reading them.
// What a baseline ties stays tied: see the package comment.

// Constant says nothing. Its figures are exactly the means over all random orders.
func Constant(n int) []float64 { return make([]float64, n) }

// Random is one random order, the same for the same seed and document.
func Random(seed uint64, docID string, n int) []float64 {
	h := fnv.New64a()
	h.Write([]byte(docID))
	random := rand.New(rand.NewPCG(seed, h.Sum64()))
	scores := make([]float64, n)
	for i := range scores {
		scores[i] = random.Float64()
	}
	return scores
}

// Position puts the first passage first.
func Position(n int) []float64 {
	scores := make([]float64, n)
	for i := range scores {
		scores[i] = float64(n - i)
	}
	return scores
}

// Only puts the marked passages first, in any order, and the rest behind them:
// first or last sentences of their paragraphs.
func Only(marked []bool) []float64 {
	scores := make([]float64, len(marked))
	for i, m := range marked {
		if m {
			scores[i] = 1
		}
	}
	return scores
}
