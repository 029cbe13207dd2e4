package rank

import (
	"cmp"
	"math"
	"slices"
)

// LogSoftmax are the log-probabilities of scores over all of them, which for a
// ranker are the passages of one source. Scores must be finite, or -Inf for a probability of 0;
// not all of them are.
func LogSoftmax(scores []float64) []float64 {
	if len(scores) == 0 {
		return nil
	}
	most, sum := slices.Max(scores), 0.0
	for _, s := range scores {
		sum += math.Exp(s - most)
	}
	total := most + math.Log(sum)
	out := make([]float64, len(scores))
	for i, s := range scores {
		out[i] = s - total
	}
	return out
}

// Product fuses the models' log-probabilities, parts[model][passage], into the
// logarithm of p1^w1 * p2^w2 ...: the combination of paragraph and span model in
// context-based quotation recommendation, section 4.4.
func Product(parts [][]float64, weights []float64) []float64 {
	return fused(parts, weights, func(logp float64) float64 { return logp })
}

// Mixture fuses them into w1*p1 + w2*p2 ...: recommendation and generation in
// quotation recommendation for dialogues.
func Mixture(parts [][]float64, weights []float64) []float64 {
	return fused(parts, weights, math.Exp)
}

func fused(parts [][]float64, weights []float64, of func(logp float64) float64) []float64 {
	var out []float64
	for k, part := range parts {
		if out == nil {
			out = make([]float64, len(part))
		}
		for i, logp := range part {
			out[i] += weights[k] * of(logp)
		}
	}
	return out
}

// BestFirst are the places of the n highest scores, the highest first and the
// lower place first among equals; all of them when n is 0.
func BestFirst(scores []float64, n int) []int {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	if n > 0 {
		order = order[:min(n, len(order))]
	}
	return order
}
