package eval

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Bootstrap is the percentile interval of the mean: values are drawn with
// replacement resamples times, and the interval leaves (1-confidence)/2 of the
// means on either side. The same seed gives the same interval. NaN without values.
func Bootstrap(values []float64, confidence float64, resamples int, seed uint64) (low, high float64) {
	if len(values) == 0 {
		return math.NaN(), math.NaN()
	}
	random := rand.New(rand.NewPCG(seed, uint64(len(values))))
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range values {
			sum += values[random.IntN(len(values))]
		}
		means[i] = sum / float64(len(values))
	}
	slices.Sort(means)
	tail := (1 - confidence) / 2
	return quantile(means, tail), quantile(means, 1-tail)
}

// quantile interpolates between the sorted values, as NumPy does.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// exactBelow is the number of pairs up to which all sign patterns are tried.
const exactBelow = 16

// Permutation is the two-sided p of the paired permutation test that two systems
// are equally good on average (context-based quotation recommendation): the
// share of all exchanges of the pairs whose mean difference is at least as large.
// Up to 16 pairs all exchanges are tried; beyond, resamples random ones, the
// observed one among them. NaN without pairs; a and b must be equally long.
func Permutation(a, b []float64, resamples int, seed uint64) float64 {
	n := len(a)
	if n == 0 {
		return math.NaN()
	}
	differences, observed := make([]float64, n), 0.0
	scale := 0.0
	for i := range a {
		differences[i] = a[i] - b[i]
		observed += differences[i]
		scale += math.Abs(differences[i])
	}
	observed = math.Abs(observed) - 1e-12*scale // sums of the same numbers in other orders are equal
	extreme := func(signs func(i int) bool) bool {
		sum := 0.0
		for i, d := range differences {
			if signs(i) {
				d = -d
			}
			sum += d
		}
		return math.Abs(sum) >= observed
	}
	count := 0
	if n <= exactBelow {
		for pattern := range 1 << n {
			if extreme(func(i int) bool { return pattern>>i&1 == 1 }) {
				count++
			}
		}
		return float64(count) / float64(int(1)<<n)
	}
	random := rand.New(rand.NewPCG(seed, uint64(n)))
	for range resamples {
		if extreme(func(int) bool { return random.Uint64()>>63 == 1 }) {
			count++
		}
	}
	return float64(count+1) / float64(resamples+1)
}
