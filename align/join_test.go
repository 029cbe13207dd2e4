package align

import (
	"testing"

	"github.com/commonplace/commonplace/align/marks"
)

// Of two pieces that stand at one place the one that says more is taken, in
// whatever order they were found.
func TestOneOfTwoPiecesOfAPlace(t *testing.T) {
	less := piece{d0: 10, d1: 60, s0: 100, s1: 180, bits: 20}
	more := less
	more.bits = 25
	for _, pieces := range [][]piece{{less, more}, {more, less}} {
		m := &matcher{marks: &marks.Marks{}}
		if c := m.chains(pieces); len(c) != 1 || c[0].first().bits != more.bits {
			t.Errorf("%d chains, the first of %v bits", len(c), c[0].first().bits)
		}
	}
}
