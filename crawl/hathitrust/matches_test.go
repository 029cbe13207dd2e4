package hathitrust

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/bounded"
)

func TestMatches(t *testing.T) {
	const list = "\ufeffsource,htid,matches\nemma,mdp.1,1\nemma,mdp.2,7\nemma,mdp.3,900\nulysses,mdp.3,12\n"
	for _, c := range []struct {
		least, most int64
		want        string
	}{{0, 0, "mdp.1 mdp.2 mdp.3"}, {2, 100, "mdp.2 mdp.3"}, {100, 0, "mdp.3"}, {0, 1, "mdp.1"}} {
		m, err := ReadMatches(context.Background(), strings.NewReader(list), c.least, c.most, bounded.Limits{})
		if got := strings.Join(slices.Sorted(maps.Keys(m)), " "); err != nil || got != c.want {
			t.Errorf("%d to %d: %q, %v; want %q", c.least, c.most, got, err, c.want)
		}
	}
	for _, bad := range []string{"", "id,n\n", "htid,matches\nx\n", "htid,matches\nx,-1\n", "htid,matches\nx,many\n", "htid,matches\n\"x"} {
		if _, err := ReadMatches(context.Background(), strings.NewReader(bad), 0, 0, bounded.Limits{}); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
