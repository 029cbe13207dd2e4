package eval

import "slices"

// Jaccard is the number of words in both texts divided by that of the words in either; 1 for two
// texts without words. Each text is its words, sorted, each word once. RA-MTR judges a retrieved
// chunk so, against the paragraph that is quoted (section 8.2): a chunk that has most of the
// paragraph is nearly right.
func Jaccard(a, b []string) float64 {
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			both, i, j = both+1, i+1, j+1
		}
	}
	if either := len(a) + len(b) - both; either > 0 {
		return float64(both) / float64(either)
	}
	return 1
}

// OfBest is the mean of a number of the candidates that have the best score: of all that
// could stand first.
func OfBest(scores []float64, value func(int) float64) float64 {
	best := slices.Max(scores)
	sum, n := 0.0, 0
	for i, s := range scores {
		if s == best {
			sum, n = sum+value(i), n+1
		}
	}
	return sum / float64(n)
}
