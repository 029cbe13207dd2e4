package eval

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// Spearman is the rank correlation of scores and counts, ties at their average
// rank. It is 0 when all scores are equal, since such scores order nothing, and
// NaN when all counts are equal, since then there is nothing to order.
func Spearman(scores, counts []float64) float64 {
	return spearman(scores, counts, AverageRanks(scores), AverageRanks(counts))
}

func spearman(scores, counts, ranks, countRanks []float64) float64 {
	if same(counts) {
		return math.NaN()
	}
	if same(scores) {
		return 0
	}
	return stat.Correlation(ranks, countRanks, nil)
}

func same(values []float64) bool {
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return true
}
