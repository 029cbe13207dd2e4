package pipelines

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// TestQuoteRuns sorts quotes in runs and in memory.
func TestQuoteRuns(t *testing.T) {
	before := runBytes
	t.Cleanup(func() { runBytes = before })
	t.Setenv("TMPDIR", t.TempDir())
	random := rand.New(rand.NewPCG(7, 7))
	var all []readQuote
	for i := range 3000 {
		q := commonplace.Quote{ID: fmt.Sprint(random.IntN(900)), Text: strings.Repeat("x\xffé ", random.IntN(9)), EBook: int64(random.IntN(2))}
		all = append(all, readQuote{q, i % 3, i})
	}
	want := slices.Clone(all)
	slices.SortStableFunc(want, func(a, b readQuote) int { return strings.Compare(a.ID, b.ID) })
	for _, runBytes = range []int{1, 100, 5000, 1 << 20} {
		var r quoteRuns
		for _, q := range all {
			if err := r.add(q); err != nil {
				t.Fatal(err)
			}
			if runBytes == 1 && len(r.runs) == 40 {
				runBytes = 1 << 12
			}
		}
		if len(r.runs) == 0 != (runBytes == 1<<20) {
			t.Errorf("%d runs of %d bytes", len(r.runs), runBytes)
		}
		var got []readQuote
		if err := r.each(func(q readQuote) error { got = append(got, q); return nil }); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("runs of %d bytes give another order", runBytes)
		}
		if err := r.close(); err != nil {
			t.Error(err)
		}
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("%d files are left", len(left))
	}
}
