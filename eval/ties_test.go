package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// The slow obvious version of every tie: all orders of the tied passages, each
// made strict by a little, and the mean of the metric over them.
func overAllOrders(scores []float64, metric func(strict []float64) float64) float64 {
	n := len(scores)
	sum, orders := 0.0, 0
	places := make([]int, n)
	for i := range places {
		places[i] = i
	}
	var permute func(k int)
	permute = func(k int) {
		if k == n {
			strict := make([]float64, n)
			for rank, p := range places {
				strict[p] = scores[p] - 1e-6*float64(rank)
			}
			sum += metric(strict)
			orders++
			return
		}
		for i := k; i < n; i++ {
			places[k], places[i] = places[i], places[k]
			permute(k + 1)
			places[k], places[i] = places[i], places[k]
		}
	}
	permute(0)
	return sum / float64(orders)
}

func TestTiesAreTheMeanOverOrders(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 2))
	for c := range 40 {
		n := 2 + c%5
		scores, counts, quoted := make([]float64, n), make([]float64, n), make([]bool, n)
		for i := range scores {
			scores[i], counts[i] = float64(random.IntN(3)), float64(random.IntN(4))
		}
		counts[random.IntN(n)] = 5
		for i := range counts {
			quoted[i] = counts[i] > 0
		}
		for name, metric := range map[string]func(s []float64) float64{
			"qNDCG@3":  func(s []float64) float64 { return QuotabilityNDCG(s, counts, 3) },
			"NDCG@2":   func(s []float64) float64 { return NDCG(s, counts, 2) },
			"AP":       func(s []float64) float64 { return AveragePrecision(s, quoted) },
			"P@2":      func(s []float64) float64 { return PrecisionAt(s, quoted, 2) },
			"R@2":      func(s []float64) float64 { return RecallAt(s, quoted, 2) },
			"Acc@2":    func(s []float64) float64 { return AccuracyAt(s, quoted, 2) },
			"MeanRank": func(s []float64) float64 { return MeanRank(s, quoted) },
		} {
			near(t, fmt.Sprintf("%s of %v by %v", name, counts, scores), metric(scores), overAllOrders(scores, metric))
		}
	}
}

// The paper's form by hand: the first two ranks count alike, the third is
// divided by log2(3), the fourth by 2.
func TestQuotabilityNDCGByHand(t *testing.T) {
	counts := []float64{10, 0, 4, 6}
	scores := []float64{1, 4, 3, 2} // counts in order: 0 4 6 10
	near(t, "@1", QuotabilityNDCG(scores, counts, 1), 0)
	near(t, "@2", QuotabilityNDCG(scores, counts, 2), 4.0/16)
	near(t, "@4", QuotabilityNDCG(scores, counts, 4), (0+4+6/math.Log2(3)+10.0/2)/(10+6+4/math.Log2(3)+0))
	near(t, "@50", QuotabilityNDCG(scores, counts, 50), QuotabilityNDCG(scores, counts, 4))
	near(t, "common @2", NDCG(scores, counts, 2), (4/math.Log2(3))/(10+6/math.Log2(3)))
	if !math.IsNaN(QuotabilityNDCG(scores, []float64{0, 0, 0, 0}, 3)) {
		t.Error("nothing quoted must be NaN")
	}
	near(t, "best order", QuotabilityNDCG(counts, counts, 3), 1)
}

func TestUndefinedAndConstant(t *testing.T) {
	counts := []float64{3, 0, 1, 0}
	near(t, "Spearman of a constant", Spearman(Constant(4), counts), 0)
	if !math.IsNaN(Spearman(counts, []float64{2, 2, 2, 2})) || !math.IsNaN(MeanRank(counts, make([]bool, 4))) || !math.IsNaN(AUC(counts, make([]bool, 4))) {
		t.Error("nothing to order must be NaN")
	}
	mean := 0.0
	for seed := range uint64(4000) {
		mean += QuotabilityNDCG(Random(seed, "d", 4), counts, 3) / 4000
	}
	if exact := QuotabilityNDCG(Constant(4), counts, 3); math.Abs(mean-exact) > 0.01 {
		t.Errorf("random orders have %v on average, a constant has %v", mean, exact)
	}
	if a, b := Random(1, "d", 3), Random(1, "e", 3); a[0] == b[0] || a[0] != Random(1, "d", 3)[0] {
		t.Error("a random order is of its seed and document")
	}
}
