package eval

import "slices"

// Jaccard is the number of words in both texts divided by that of the words in either, each word
// once; 1 for two texts without words. RA-MTR judges a retrieved chunk so, against the paragraph
// that is quoted (section 8.2): a chunk that has most of the paragraph is nearly right.
func Jaccard(a, b []string) float64 {
	in := map[string]int{} // 1: in a, 3: in both
	for _, w := range a {
		in[w] = 1
	}
	either, both := len(in), 0
	for _, w := range b {
		switch in[w] {
		case 0:
			in[w] = 2
			either++
		case 1:
			in[w] = 3
			both++
		}
	}
	if either == 0 {
		return 1
	}
	return float64(both) / float64(either)
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
