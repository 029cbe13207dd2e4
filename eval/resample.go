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
	all := bootstraps([][]float64{values}, confidence, resamples, seed)
	return all[0][0], all[0][1]
}

// bootstraps are the intervals of several means of equally many values. What is drawn
// depends on the seed and the number alone, so it is drawn once for all.
func bootstraps(values [][]float64, confidence float64, resamples int, seed uint64) [][2]float64 {
	intervals := make([][2]float64, len(values))
	n := len(values[0])
	if n == 0 {
		for i := range intervals {
			intervals[i] = [2]float64{math.NaN(), math.NaN()}
		}
		return intervals
	}
	random := rand.New(rand.NewPCG(seed, uint64(n)))
	means := make([][]float64, len(values))
	for k := range means {
		means[k] = make([]float64, 0, resamples)
	}
	drawn := make([]int32, n)
	for range resamples {
		for i := range drawn {
			drawn[i] = int32(random.IntN(n))
		}
		for k, of := range values {
			sum := 0.0
			for _, i := range drawn {
				sum += of[i]
			}
			means[k] = append(means[k], sum/float64(n))
		}
	}
	tail := (1 - confidence) / 2
	for k := range means {
		slices.Sort(means[k])
		intervals[k] = [2]float64{quantile(means[k], tail), quantile(means[k], 1-tail)}
	}
	return intervals
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
	return permutations([][2][]float64{{a, b}}, resamples, seed)[0]
}

// permutations are the p of several pairs of systems, all equally long. The exchanges
// depend on the seed and the length alone, so they are made once for all.
func permutations(pairs [][2][]float64, resamples int, seed uint64) []float64 {
	tests := make([]exchange, len(pairs))
	for k, p := range pairs {
		tests[k] = newExchange(p[0], p[1])
	}
	n, tried := len(pairs[0][0]), resamples+1
	swapped := make([]bool, n)
	try := func(swap func(i int) bool) {
		for i := range swapped {
			swapped[i] = swap(i)
		}
		for k := range tests {
			tests[k].try(swapped)
		}
	}
	if n <= exactBelow {
		tried = 1 << n
		for pattern := range tried {
			try(func(i int) bool { return pattern>>i&1 == 1 })
		}
	} else {
		for k := range tests {
			tests[k].extreme = 1 // the observed one
		}
		random := rand.New(rand.NewPCG(seed, uint64(n)))
		for range resamples {
			try(func(int) bool { return random.Uint64()>>63 == 1 })
		}
	}
	p := make([]float64, len(tests))
	for k, t := range tests {
		if p[k] = float64(t.extreme) / float64(tried); n == 0 {
			p[k] = math.NaN()
		}
	}
	return p
}

// exchange counts the exchanges that differ as much as what was observed.
type exchange struct {
	differences []float64
	observed    float64
	extreme     int
}

func newExchange(a, b []float64) exchange {
	e := exchange{differences: make([]float64, len(a))}
	scale := 0.0
	for i := range a {
		e.differences[i] = a[i] - b[i]
		e.observed += e.differences[i]
		scale += math.Abs(e.differences[i])
	}
	e.observed = math.Abs(e.observed) - 1e-12*scale // sums of the same numbers in other orders are equal
	return e
}

func (e *exchange) try(swapped []bool) {
	sum := 0.0
	for i, d := range e.differences {
		if swapped[i] {
			d = -d
		}
		sum += d
	}
	if math.Abs(sum) >= e.observed {
		e.extreme++
	}
}
