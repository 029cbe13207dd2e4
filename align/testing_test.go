package align

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/commonplace/commonplace"
)

// corpus is eight made books of made words, Zipf-distributed, with the stats over them.
type corpus struct {
	books []commonplace.Document
	stats *Stats
	words []string
}

var made = sync.OnceValue(func() *corpus {
	r := rand.New(rand.NewPCG(7, 11))
	c := &corpus{stats: NewStats(Defaults())}
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
		c.words = append(c.words, string(w))
	}
	zipf := rand.NewZipf(r, 1.2, 4, uint64(len(c.words)-1))
	for b := range 8 {
		var t strings.Builder
		for i := range 6000 {
			w := c.words[zipf.Uint64()]
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
		c.books = append(c.books, commonplace.Document{ID: fmt.Sprintf("book-%d", b), Text: t.String()})
		c.stats.Count(c.books[b])
	}
	return c
})

// cut is n words of a book from its k-th byte on.
func (c *corpus) cut(r *rand.Rand, n int) (book int, text string) {
	book = r.IntN(len(c.books))
	t := c.books[book].Text
	f := strings.Fields(t[r.IntN(len(t)/2):])
	return book, strings.Join(f[1:n+1], " ")
}

// damage changes about one letter in every.
func damage(r *rand.Rand, text string, every int) string {
	out := []rune(text)
	for i := range out {
		if r.IntN(every) == 0 && out[i] != ' ' {
			out[i] = rune('a' + r.IntN(26))
		}
	}
	return string(out)
}

func openPart(t testing.TB, docs []commonplace.Document, stats *Stats, o Options) *Part {
	t.Helper()
	var b bytes.Buffer
	info, err := BuildPart(&b, slices.Values(docs), stats, o)
	if err != nil {
		t.Fatal(err)
	}
	if info.Bytes != int64(b.Len()) || info.Documents != len(docs) {
		t.Fatalf("info %+v for %d bytes", info, b.Len())
	}
	path := filepath.Join(t.TempDir(), "part")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := OpenPart(path, stats, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// candidatesOf makes finds into candidates that may not be cut.
func candidatesOf(rows ...commonplace.Alignment) (out []Candidate) {
	for _, a := range rows {
		out = append(out, Candidate{Alignment: a})
	}
	return out
}

// checkSpans fails unless every span of a row is the text it says.
func checkSpans(t testing.TB, a commonplace.Alignment, derived, source string) {
	t.Helper()
	slice := func(s string, from, to int64) string {
		return commonplace.Slice(s, commonplace.Span{Begin: int(from), End: int(to)})
	}
	if got := slice(derived, a.DerivedBegin, a.DerivedEnd); got != a.DerivedText {
		t.Fatalf("derived[%d:%d] is %q, row says %q", a.DerivedBegin, a.DerivedEnd, got, a.DerivedText)
	}
	if got := slice(source, a.SourceBegin, a.SourceEnd); got != a.SourceText {
		t.Fatalf("source[%d:%d] is %q, row says %q", a.SourceBegin, a.SourceEnd, got, a.SourceText)
	}
	last := commonplace.Part{DerivedEnd: a.DerivedBegin, SourceEnd: a.SourceBegin}
	for _, p := range a.Parts {
		if p.DerivedBegin < last.DerivedEnd || p.DerivedEnd < p.DerivedBegin || p.DerivedEnd > a.DerivedEnd || p.SourceEnd < p.SourceBegin {
			t.Fatalf("part %+v after %+v in %+v", p, last, a)
		}
		last = p
	}
	if a.Similarity < 0 || a.Similarity > 1 || a.Confidence < 0 || a.Confidence > 1 {
		t.Fatalf("similarity %v, confidence %v", a.Similarity, a.Confidence)
	}
}
