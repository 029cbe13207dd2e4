// Package aligntest makes texts for the aligner's tests: the same ones everywhere.
package aligntest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/commonplace/commonplace"
)

// Corpus is eight books of made-up words, Zipf-distributed.
type Corpus struct {
	Books []commonplace.Document
	Words []string // the commonest first
}

// Made is the corpus. Nobody may change it.
var Made = sync.OnceValue(func() *Corpus {
	r := rand.New(rand.NewPCG(7, 11))
	c := &Corpus{}
	for range 3000 {
		n := 2 + r.IntN(8)
		w := make([]byte, n)
		for i := range w {
			if i%2 == 0 {
				w[i] = "bcdfghlmnprstvw"[r.IntN(15)]
			} else {
				w[i] = "aeiou"[r.IntN(5)]
			}
		}
		c.Words = append(c.Words, string(w))
	}
	zipf := rand.NewZipf(r, 1.2, 4, uint64(len(c.Words)-1))
	for b := range 8 {
		var t strings.Builder
		for i := range 6000 {
			w := c.Words[zipf.Uint64()]
			switch {
			case i%11 == 0:
				w = "“" + strings.ToUpper(w[:1]) + w[1:]
			case i%11 == 10:
				w += ".”"
			case i%5 == 0:
				w += ","
			}
			t.WriteString(w)
			t.WriteString([]string{" ", " ", " ", "\n", " é "}[r.IntN(5)])
		}
		c.Books = append(c.Books, commonplace.Document{ID: fmt.Sprintf("book-%d", b), Text: t.String()})
	}
	return c
})

// Cut is n words of a book from its k-th byte on.
func (c *Corpus) Cut(r *rand.Rand, n int) (book int, text string) {
	book = r.IntN(len(c.Books))
	t := c.Books[book].Text
	f := strings.Fields(t[r.IntN(len(t)/2):])
	return book, strings.Join(f[1:n+1], " ")
}

// Damage changes about one letter in every.
func Damage(r *rand.Rand, text string, every int) string {
	out := []rune(text)
	for i := range out {
		if r.IntN(every) == 0 && out[i] != ' ' {
			out[i] = rune('a' + r.IntN(26))
		}
	}
	return string(out)
}
