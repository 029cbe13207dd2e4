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
	compareSketches(b, sketches)
}

func compareSketches(b *testing.B, sketches []Sketch) {
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
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(len(sketches)), "µs/book")
}

// BenchmarkCopies compares sketches of 42 books in 69 copies each, of which every one has
// changed a run in fifty.
func BenchmarkCopies(b *testing.B) {
	const books, copies = 42, 69
	r := rand.New(rand.NewPCG(1, 2))
	var sketches []Sketch
	for range books {
		book := make(Sketch, sketchSize)
		for k := range book {
			book[k] = r.Uint64() >> 12
		}
		for range copies {
			s := slices.Clone(book)
			for k := range s {
				if r.IntN(50) == 0 {
					s[k] = r.Uint64() >> 12
				}
			}
			slices.Sort(s)
			sketches = append(sketches, s)
		}
	}
	compareSketches(b, sketches)
}
