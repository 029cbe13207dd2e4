package group

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// BenchmarkWorks compares sketches of books, one in ten of which is another edition of
// the book before.
func BenchmarkWorks(b *testing.B) {
	const books = 20_000
	r := rand.New(rand.NewPCG(1, 2))
	sketches := make([]Sketch, books)
	for i := range sketches {
		s := make(Sketch, sketchSize)
		for k := range s {
			s[k] = r.Uint64() >> 12
		}
		if i%10 == 9 {
			copy(s, sketches[i-1][:sketchSize*4/5])
		}
		slices.Sort(s)
		sketches[i] = s
	}
	for b.Loop() {
		f, err := NewWorkFinder(b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		for i, s := range sketches {
			if err := f.Add(fmt.Sprint("book-", i), s); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := f.Works(); err != nil {
			b.Fatal(err)
		}
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/books, "µs/book")
}
