//go:build unix

package features

import (
	"syscall"
	"testing"

	"github.com/commonplace/commonplace"
)

func cpuSeconds(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

// A verse of 23 words: passages a CPU second, which a busy machine does not change much.
func benchmark(b *testing.B, names []string, vocabulary *Vocabulary) {
	r, err := NewReader(names)
	if err != nil {
		b.Fatal(err)
	}
	x, verse := make([]float32, len(names)), commonplace.Passage{Text: page[:117], Position: 0.5}
	read := func() error { return r.Read(&verse, x) }
	if vocabulary != nil {
		bag := NewBag(vocabulary)
		read = func() error { return bag.Read(r, &verse, x) }
	}
	begin := cpuSeconds(b)
	for b.Loop() {
		if err := read(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/(cpuSeconds(b)-begin), "passages/CPUs")
}

func BenchmarkLexical(b *testing.B) { benchmark(b, lexicalNames(), nil) }

func BenchmarkLexicalAndTerms(b *testing.B) {
	v := everything(page)
	v.speech = false
	benchmark(b, lexicalNames(), v)
}

func BenchmarkAll(b *testing.B) { benchmark(b, Names, everything(page)) }

func BenchmarkAllWithLemmas(b *testing.B) {
	v := everything(page)
	v.Lemmas = true
	benchmark(b, Names, v)
}
