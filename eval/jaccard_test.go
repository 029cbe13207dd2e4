package eval

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The words of both and of either, counted one by one.
func slowJaccard(a, b []string) float64 {
	all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
	both := 0
	for _, w := range all {
		if slices.Contains(a, w) && slices.Contains(b, w) {
			both++
		}
	}
	if len(all) == 0 {
		return 1
	}
	return float64(both) / float64(len(all))
}

func TestJaccard(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	words := func() []string {
		var out []string
		for range draw.IntN(12) {
			out = append(out, string(rune('a'+draw.IntN(8))))
		}
		return out
	}
	for range 2000 {
		a, b := words(), words()
		once := func(words []string) []string { return slices.Compact(slices.Sorted(slices.Values(words))) }
		if got, want := Jaccard(once(a), once(b)), slowJaccard(a, b); got != want || got != Jaccard(once(b), once(a)) {
			t.Fatalf("%v and %v: %v, want %v", a, b, got, want)
		}
	}
	of := []float64{.1, .5, .3}
	if got := OfBest([]float64{2, 3, 3}, func(i int) float64 { return of[i] }); math.Abs(got-.4) > 1e-12 {
		t.Errorf("two stand first: %v", got)
	}
}
