package pipelines

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/pipelines/ranking"
	"github.com/commonplace/commonplace/table"
)

// What became of each passage does not depend on how many shards the two rankings have.
func TestDiffOfOtherShards(t *testing.T) {
	c, folder := small(t)
	for i := range 9 {
		bookOf(t, folder, fmt.Sprintf("copy%d.txt", i))
	}
	built := func(shards int, name string) string {
		other := *c
		other.Shards, other.Out = shards, filepath.Join(t.TempDir(), name)
		pipelinetest.Build(t, &other)
		night, err := table.Current(t.Context(), other.Out)
		if err != nil {
			t.Fatal(err)
		}
		return night
	}
	was := map[int]string{}
	for _, shards := range []int{1, 4, 6} {
		was[shards] = built(shards, "was")
	}
	bookOf(t, folder, "new.txt")
	var want []ranking.Change
	for _, shards := range []int{4, 6, 1} {
		is := built(shards, "is")
		for _, n := range []int{4, 6, 1} {
			var got []ranking.Change
			for change, err := range ranking.Diff(t.Context(), is, was[n]) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, change)
			}
			slices.SortFunc(got, func(a, b ranking.Change) int { return cmp.Compare(a.PassageID, b.PassageID) })
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d and %d shards: %d changes, and %d of equal shards", n, shards, len(got), len(want))
			}
		}
	}
	if n := len(slices.DeleteFunc(slices.Clone(want), func(c ranking.Change) bool { return c.Kind != ranking.New })); n == 0 || n == len(want) {
		t.Errorf("%d of %d changes are new passages", n, len(want))
	}
}
