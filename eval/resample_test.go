package eval

import (
	"math"
	"testing"
)

// Figures that are made together are those that are made alone.
func TestTogetherAsAlone(t *testing.T) {
	for _, n := range []int{0, 1, 3, 16, 17, 40} {
		var values [][]float64
		var pairs [][2][]float64
		for k := range 3 {
			a, b := make([]float64, n), make([]float64, n)
			for i := range a {
				a[i], b[i] = math.Sin(float64(i*(k+1))), math.Cos(float64(i+k))
			}
			values, pairs = append(values, a), append(pairs, [2][]float64{a, b})
		}
		intervals, p := bootstraps(values, 0.9, 200, 7), permutations(pairs, 200, 7)
		for k := range values {
			low, high := Bootstrap(values[k], 0.9, 200, 7)
			if alone := Permutation(pairs[k][0], pairs[k][1], 200, 7); !equal(p[k], alone) || !equal(intervals[k][0], low) || !equal(intervals[k][1], high) {
				t.Errorf("%d values: p %v and interval %v together, %v and %v, %v alone", n, p[k], intervals[k], alone, low, high)
			}
		}
	}
}

// The figures of before draws were shared, which a seed must go on giving.
func TestDrawsStay(t *testing.T) {
	a, b := make([]float64, 20), make([]float64, 20)
	for i := range a {
		a[i], b[i] = float64(i*7%11), float64(i*5%13)
	}
	low, high := Bootstrap(a, 0.95, 500, 3)
	if p := Permutation(a, b, 500, 3); p != 0.36327345309381237 || low != 3.3737500000000007 || high != 6.15 {
		t.Errorf("p %v, interval %v to %v", p, low, high)
	}
}

func equal(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
