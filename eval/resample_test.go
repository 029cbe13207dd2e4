package eval

import (
	"math"
	"slices"
	"strconv"
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

// Each figure of a result is its own system's and its own metric's.
func TestFiguresAreTheirSystems(t *testing.T) {
	e := New([]System{{Name: "model"}, {Name: "first"}, {Name: "odd"}}, Options{Resamples: 200, Seed: 7})
	for d := range 20 {
		counts, odd := make([]float64, 6), make([]float64, 6)
		for i := range counts {
			counts[i], odd[i] = float64((d*d+3*i*i)%5), float64((7*d+5*i)%6)
		}
		scores := [][]float64{slices.Clone(counts), Position(6), odd}
		scores[0][d%6] = -1
		if err := e.Add(Document{strconv.Itoa(d), counts, scores}); err != nil {
			t.Fatal(err)
		}
	}
	different := map[float64]bool{}
	for i, row := range e.Result().Rows {
		for m, f := range row.Figures {
			if slices.ContainsFunc(slices.Concat(e.values[i][m], e.values[0][m]), math.IsNaN) {
				continue // some documents have no such figure
			}
			low, high := Bootstrap(e.values[i][m], 0.95, 200, 7)
			if *f.Low != low || *f.High != high {
				t.Errorf("%s, %s: interval %v to %v, want %v to %v", row.System.Name, f.Metric, *f.Low, *f.High, low, high)
			}
			if i > 0 {
				p := Permutation(e.values[i][m], e.values[0][m], 200, 7)
				if *f.P != p {
					t.Errorf("%s, %s: p %v, want %v", row.System.Name, f.Metric, *f.P, p)
				}
				different[p] = true
			}
		}
	}
	if len(different) < 4 {
		t.Errorf("the p-values are %v: they tell no systems apart", different)
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
