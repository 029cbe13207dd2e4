package eval

import (
	"math"
	"slices"
)

// QuotabilityNDCG is NDCG@k of "Content-based models of quotation", section 7.1:
// DCG_k = c_1 + sum over i = 2..k of c_i / log2(i), c_i the raw quote count of the
// passage at rank i, divided by the DCG_k of the best order. The first two ranks
// count alike. NaN when nothing is quoted.
func QuotabilityNDCG(scores, counts []float64, k int) float64 {
	return ndcg(scores, counts, k, quotabilityDiscount)
}

// NDCG is the common form, as in "When and what to quote" and trec_eval:
// DCG_k = sum over i = 1..k of c_i / log2(i+1), gains not exponentiated. NaN when
// nothing is relevant.
func NDCG(scores, counts []float64, k int) float64 {
	return ndcg(scores, counts, k, commonDiscount)
}

func quotabilityDiscount(i int) float64 {
	if i == 1 {
		return 1
	}
	return math.Log2(float64(i))
}

func commonDiscount(i int) float64 { return math.Log2(float64(i) + 1) }

func ndcg(scores, counts []float64, k int, discount func(int) float64) float64 {
	return gain(expected(scores, counts), ideal(counts), k, discount)
}

// gain is that of an order's gains, as a share of the best order's.
func gain(gains, ideal []float64, k int, discount func(int) float64) float64 {
	return dcg(gains, k, discount) / dcg(ideal, k, discount)
}

// ideal are the counts of the best order.
func ideal(counts []float64) []float64 {
	best := slices.Clone(counts)
	slices.SortFunc(best, func(a, b float64) int { return -compare(a, b) })
	return best
}

func dcg(gains []float64, k int, discount func(int) float64) float64 {
	sum := 0.0
	for i := range min(k, len(gains)) {
		sum += gains[i] / discount(i+1)
	}
	return sum
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
