package commonplace_test

import (
	"testing"

	"github.com/commonplace/commonplace"
)

func TestCountOf(t *testing.T) {
	for _, c := range []struct {
		n    int
		noun string
		want string
	}{
		{0, "row", "0 rows"}, {1, "row", "1 row"}, {2, "row", "2 rows"}, {1, "entry", "1 entry"}, {3, "entry", "3 entries"},
		{2, "match", "2 matches"}, {2, "address", "2 addresses"}, {2, "day", "2 days"}, {1, "match", "1 match"},
	} {
		if got := commonplace.CountOf(c.n, c.noun); got != c.want {
			t.Errorf("CountOf(%d, %q) = %q, want %q", c.n, c.noun, got, c.want)
		}
	}
}
