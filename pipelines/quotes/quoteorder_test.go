package quotes

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/sorting"
)

// TestQuoteOrder sorts quotes in files and in memory.
func TestQuoteOrder(t *testing.T) {
	held := sorting.HeldBytes
	t.Cleanup(func() { sorting.HeldBytes = held })
	t.Setenv("TMPDIR", t.TempDir())
	random := rand.New(rand.NewPCG(7, 7))
	var all []readQuote
	for i := range 3000 {
		q := commonplace.Quote{ID: fmt.Sprint(random.IntN(900)), Text: strings.Repeat("x<é\u2028\x00 ", random.IntN(9)), EBook: int64(random.IntN(2))}
		all = append(all, readQuote{q, i % 3, i})
	}
	want := slices.Clone(all)
	slices.SortStableFunc(want, func(a, b readQuote) int { return strings.Compare(a.ID, b.ID) })
	for _, sorting.HeldBytes = range []int{1000, 5000, 8 << 20} {
		var o quoteOrder
		for _, q := range all {
			if err := o.add(q); err != nil {
				t.Fatal(err)
			}
		}
		var got []readQuote
		if err := o.each(func(q readQuote) error { got = append(got, q); return nil }); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d bytes held give another order", sorting.HeldBytes)
		}
		if err := o.sorter.Close(); err != nil {
			t.Error(err)
		}
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("%d files are left", len(left))
	}
}
