package fold

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestWordLength(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 43))
	for range 2000 {
		n := 1 + r.IntN(60)
		sym := make([]byte, n+Padding)
		for i := range n {
			sym[i] = byte(1 + r.IntN(127))
			if i == 0 || r.IntN(9) == 0 {
				sym[i] |= WordStart
			}
		}
		var lengths []int
		for i := 0; i < n; {
			k := WordLength(sym, i)
			lengths = append(lengths, k)
			i += k
		}
		var want []int
		for i := range n {
			if sym[i]&WordStart != 0 {
				want = append(want, 0)
			}
			want[len(want)-1]++
		}
		if !slices.Equal(lengths, want) {
			t.Fatalf("%v: words of %v letters, want %v", sym, lengths, want)
		}
	}
}
