package eval

import (
	"cmp"
	"slices"
)

// order is the places of scores from the highest, and where each run of equal
// scores ends: groups[i] is the end, exclusive, of the i-th run.
func order(scores []float64) (places, groups []int) {
	places = make([]int, len(scores))
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(a, b int) int {
		if c := cmp.Compare(scores[b], scores[a]); c != 0 {
			return c
		}
		return a - b
	})
	for i := 1; i <= len(places); i++ {
		if i == len(places) || scores[places[i]] != scores[places[i-1]] {
			groups = append(groups, i)
		}
	}
	return places, groups
}

// expected are the values in the order of the scores, the mean of each run of
// equal scores in all its places.
func expected(scores, values []float64) []float64 {
	places, groups := order(scores)
	return expectedAt(places, groups, values)
}

func expectedAt(places, groups []int, values []float64) []float64 {
	out := make([]float64, len(places))
	begin := 0
	for _, end := range groups {
		sum := 0.0
		for _, p := range places[begin:end] {
			sum += values[p]
		}
		for i := begin; i < end; i++ {
			out[i] = sum / float64(end-begin)
		}
		begin = end
	}
	return out
}

// AverageRanks are the ranks of values from 1 for the lowest; equal values share
// the mean of their ranks.
func AverageRanks(values []float64) []float64 {
	return averageRanks(order(values))
}

func averageRanks(places, groups []int) []float64 {
	ranks := make([]float64, len(places))
	begin := 0
	for _, end := range groups {
		// Places count from the highest: begin..end-1 from above.
		mean := float64(len(places)) - float64(begin+end-1)/2
		for _, p := range places[begin:end] {
			ranks[p] = mean
		}
		begin = end
	}
	return ranks
}
