package match

import (
	"testing"

	"github.com/commonplace/commonplace/align/marks"
)

// Of two pieces that stand at one place the one that says more is taken, in
// whatever order they were found.
func TestOneOfTwoPiecesOfAPlace(t *testing.T) {
	less := Piece{D0: 10, D1: 60, S0: 100, S1: 180, Bits: 20}
	more := less
	more.Bits = 25
	for _, pieces := range [][]Piece{{less, more}, {more, less}} {
		m := &Matcher{Marks: &marks.Marks{}}
		if c := m.Chains(pieces); len(c) != 1 || c[0].First().Bits != more.Bits {
			t.Errorf("%d chains, the first of %v bits", len(c), c[0].First().Bits)
		}
	}
}
