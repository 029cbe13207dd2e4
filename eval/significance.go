package eval

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Moments gathers a sample without keeping it.
type Moments struct {
	N    int
	Mean float64
	m2   float64
}

// Add takes one value (Welford's method).
func (m *Moments) Add(x float64) {
	m.N++
	d := x - m.Mean
	m.Mean += d / float64(m.N)
	m.m2 += d * (x - m.Mean)
}

// Variance is the sample's unbiased variance; NaN below two values.
func (m Moments) Variance() float64 {
	if m.N < 2 {
		return math.NaN()
	}
	return m.m2 / float64(m.N-1)
}

// Welch is the t-test of two samples whose variances may differ: t, degrees of
// freedom and the two-sided p. Where neither sample varies, p is 1 for equal
// means and 0 for others; with fewer than two values in one it is NaN.
func Welch(a, b Moments) (t, df, p float64) {
	va, vb := a.Variance()/float64(a.N), b.Variance()/float64(b.N)
	d := a.Mean - b.Mean
	if va+vb == 0 {
		if d == 0 {
			return 0, float64(a.N + b.N - 2), 1
		}
		return math.Inf(int(math.Copysign(1, d))), float64(a.N + b.N - 2), 0
	}
	t = d / math.Sqrt(va+vb)
	df = (va + vb) * (va + vb) / (va*va/float64(a.N-1) + vb*vb/float64(b.N-1))
	if math.IsNaN(t) || math.IsNaN(df) {
		return t, df, math.NaN()
	}
	return t, df, studentTwoSided(t, df)
}

// studentTwoSided is the two-sided p of a t with so many degrees of freedom.
func studentTwoSided(t, df float64) float64 {
	return 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.CDF(-math.Abs(t))
}

// Bonferroni corrects a p for the number of tests that were made.
func Bonferroni(p float64, tests int) float64 { return min(1, p*float64(tests)) }

// MannWhitney is the U of the first sample and the two-sided p: exact when one
// sample has at most eight values and no two are equal, by the normal
// approximation with corrections for ties and continuity otherwise (as SciPy
// chooses). p is NaN when a sample is empty.
func MannWhitney(x, y []float64) (u, p float64) {
	n1, n2 := float64(len(x)), float64(len(y))
	all := slices.Concat(x, y)
	sum := 0.0
	for i, r := range AverageRanks(all) {
		if i < len(x) {
			sum += r
		}
	}
	u = sum - n1*(n1+1)/2
	if len(x) == 0 || len(y) == 0 {
		return u, math.NaN()
	}
	_, groups := order(all)
	if len(groups) == len(all) && min(len(x), len(y)) <= 8 {
		return u, exactMannWhitney(max(u, n1*n2-u), len(x), len(y))
	}
	n, ties, begin := n1+n2, 0.0, 0
	for _, end := range groups {
		t := float64(end - begin)
		ties += t*t*t - t
		begin = end
	}
	s := math.Sqrt(n1 * n2 / 12 * (n + 1 - ties/(n*(n-1))))
	if s == 0 {
		return u, 1
	}
	z := (max(u, n1*n2-u) - n1*n2/2 - 0.5) / s
	return u, min(1, 2*distuv.UnitNormal.Survival(z))
}

// exactMannWhitney is the two-sided p of a U at or above the middle. U = k in as
// many arrangements as k has partitions into at most n1 parts, each at most n2.
func exactMannWhitney(u float64, n1, n2 int) float64 {
	// The Gaussian binomial: multiply by 1-q^(n2+i), divide by 1-q^i, i = 1..n1.
	ways := make([]float64, n1*n2+1)
	ways[0] = 1
	for i := 1; i <= n1; i++ {
		for k := len(ways) - 1; k >= n2+i; k-- {
			ways[k] -= ways[k-n2-i]
		}
		for k := i; k < len(ways); k++ {
			ways[k] += ways[k-i]
		}
	}
	total, tail := 0.0, 0.0
	for k, w := range ways {
		total += w
		if float64(k) >= u {
			tail += w
		}
	}
	return min(1, 2*tail/total)
}
