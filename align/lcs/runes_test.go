package lcs

import (
	"math/rand/v2"
	"testing"
)

func TestRunesAgainstTheTable(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	word := func() []rune {
		w := make([]rune, r.IntN(200))
		for i := range w {
			w[i] = []rune("abcdé愛")[r.IntN(6)]
		}
		return w
	}
	for range 200 {
		a, b := word(), word()
		row := make([]int, len(b)+1)
		for _, x := range a {
			last := 0 // of the row before, one to the left
			for j, y := range b {
				above := row[j+1]
				if x == y {
					row[j+1] = last + 1
				} else {
					row[j+1] = max(above, row[j])
				}
				last = above
			}
		}
		if got := Runes(a, b); got != row[len(b)] {
			t.Fatalf("%q and %q: %d, want %d", string(a), string(b), got, row[len(b)])
		}
	}
}
