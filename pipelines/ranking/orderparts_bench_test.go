package ranking

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
)

// What a score costs one machine, and workers, both without reading the table.
func BenchmarkOrder(b *testing.B) {
	const scores, elements = 4 << 20, 4
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]float64, scores)
	for i := range values {
		values[i] = r.NormFloat64()
	}
	b.Run("one", func(b *testing.B) {
		for b.Loop() {
			if err := makeOrder(b.Context(), filepath.Join(b.TempDir(), "order-0"), valuesIn(values)); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/scores, "ns/score")
	})
	b.Run("parts", func(b *testing.B) {
		for b.Loop() {
			dir := b.TempDir()
			bounds, err := boundsOf(valuesIn(values[:scores/elements]), elements)
			if err != nil {
				b.Fatal(err)
			}
			var sorted []string
			for i := range elements {
				sorted = append(sorted, filepath.Join(dir, fmt.Sprint("order-", i)))
				if err := sortCut(b.Context(), orderPart{Bounds: bounds, To: sorted[i]}, valuesIn(values[i*scores/elements:(i+1)*scores/elements])); err != nil {
					b.Fatal(err)
				}
			}
			for i := range elements {
				if err := makeOrder(b.Context(), filepath.Join(dir, "part"), between(b.Context(), sorted, i)); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/scores, "ns/score")
	})
}
