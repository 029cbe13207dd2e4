package paraphrase

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/commonplace/commonplace"
)

// Best gives what a sort of all matches gives, in any order of them and with equal
// scores, and holds no more than twice as many as are asked for.
func TestBest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		all := make([]commonplace.ParaphraseMatch, random.IntN(60))
		for i, k := range random.Perm(len(all)) {
			all[i] = commonplace.ParaphraseMatch{SourceID: fmt.Sprintf("%02d", k), Score: float64(random.IntN(6)) / 4}
		}
		b := Best{Most: random.IntN(8)}
		for _, row := range all {
			b.Add(row)
			if b.Most > 0 && len(b.rows) > 2*b.Most {
				t.Fatalf("it holds %d rows for %d", len(b.rows), b.Most)
			}
		}
		want := slices.Clone(all)
		slices.SortFunc(want, func(x, y commonplace.ParaphraseMatch) int {
			return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.SourceID, y.SourceID))
		})
		if b.Most > 0 {
			want = want[:min(b.Most, len(want))]
		}
		slices.SortFunc(want, func(x, y commonplace.ParaphraseMatch) int { return cmp.Compare(x.SourceID, y.SourceID) })
		if got := b.Rows(); len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("%d of %v: got %v, want %v", b.Most, all, got, want)
		}
	}
}
