package standalone

import (
	"cmp"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/commonplace/commonplace/sorting"
)

// Finds come in the order in which one would sort them in memory.
func TestQuoteFindsAreInOrder(t *testing.T) {
	defer func(n int) { sorting.HeldBytes = n }(sorting.HeldBytes)
	sorting.HeldBytes = 1 << 12
	r := rand.New(rand.NewPCG(25, 11))
	ids := []string{"", "a", "aa", "a b", "a\x00", "a\x00b", "a\x01", "b", "\x00", "<&>", "ä", "\u2028"}
	numbers := []float64{0, math.Copysign(0, -1), 1, 0.5, 0.25, -1, -0.5, 31.4159, 1e-9}
	draw := func() float64 { return numbers[r.IntN(len(numbers))] }
	var want []quoteFind
	var sorted quoteFinds
	defer sorted.Close()
	for i := range 2000 {
		f := quoteFind{QuoteID: ids[r.IntN(len(ids))], SourceID: "<book>", SourceBegin: int64(i), Score: draw(), Similarity: draw(), Kind: "exact"}
		want = append(want, f)
		if err := sorted.add(f); err != nil {
			t.Fatal(err)
		}
	}
	slices.SortStableFunc(want, func(x, y quoteFind) int {
		return cmp.Or(cmp.Compare(x.QuoteID, y.QuoteID), cmp.Compare(y.Score, x.Score), cmp.Compare(y.Similarity, x.Similarity))
	})
	var got []quoteFind
	if err := sorted.each(func(line any) error {
		var f quoteFind
		err := json.Unmarshal(line.(json.RawMessage), &f)
		got = append(got, f)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("another order")
	}
}
