package align

import (
	"fmt"
	"github.com/commonplace/commonplace"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDbg(t *testing.T) {
	s := NewStats(Defaults())
	fs, _ := filepath.Glob("/tmp/bench/small/sources/*.txt")
	for _, f := range fs {
		b, _ := os.ReadFile(f)
		s.Count(commonplace.Document{ID: f, Text: string(b)})
	}
	fmt.Println(s.words, s.letters, s.DocumentThreshold(Defaults()), s.QuoteThreshold(Defaults()))
	for _, p := range []string{"by the scarcity of", "from ocean to ocean", "for the upkeep of", "at the end of the day", "a deep impression must have been there during the night", "once upon a time"} {
		var f folded
		f.fold(p, 0, len(p))
		pad := f.sym[:len(f.sym)+padding]
		var u, v uint64
		i := 0
		for _, w := range strings.Fields(p) {
			h, n := wordHash(pad, i)
			fmt.Printf("%s %.1f c1=%d c2=%d c3=%d  ", w, s.surprise(u, v, h), s.unigrams[h>>(64-unigramBits)], s.ngrams[pairHash(v, h)>>(64-ngramBits)], s.ngrams[tripleHash(u, v, h)>>(64-ngramBits)])
			u, v = v, h
			i += n
		}
		fmt.Println()
	}
}
func TestLog(t *testing.T) {
	for _, x := range []float32{1, 1.5, 1.99, 2, 3, 0.001, 77777} {
		fmt.Println(x, log2(x))
	}
}
