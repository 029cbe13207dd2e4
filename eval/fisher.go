package eval

import "math"

// Fisher is the two-sided p of Fisher's exact test: a of n against b of m. It adds up all
// tables with the same sums that are no likelier than this one, as SciPy and R do.
func Fisher(a, n, b, m int) float64 {
	choose := func(n, k int) float64 {
		x, _ := math.Lgamma(float64(n + 1))
		y, _ := math.Lgamma(float64(k + 1))
		z, _ := math.Lgamma(float64(n - k + 1))
		return x - y - z
	}
	with := a + b // yes, in both
	chance := func(k int) float64 { return math.Exp(choose(n, k) + choose(m, with-k) - choose(n+m, with)) }
	limit, p := chance(a)*(1+1e-7), 0.0
	for k := max(0, with-m); k <= min(n, with); k++ {
		if c := chance(k); c <= limit {
			p += c
		}
	}
	return min(1, p)
}
