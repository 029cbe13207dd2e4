package align

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/aligntest"
	"github.com/commonplace/commonplace/align/edit"
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/marks"
)

func BenchmarkFold(b *testing.B) {
	t := made().books[0].Text
	var f fold.Text
	b.SetBytes(int64(len(t)))
	for b.Loop() {
		f.Fold(t, 0, len(t))
	}
}

func BenchmarkCount(b *testing.B) {
	c := made()
	s := NewStats(Defaults())
	b.SetBytes(int64(len(c.books[0].Text)))
	for b.Loop() {
		s.Count(c.books[0])
	}
}

func BenchmarkBuildPart(b *testing.B) {
	c := made()
	n := 0
	for _, d := range c.books {
		n += len(d.Text)
	}
	b.SetBytes(int64(n))
	for b.Loop() {
		var w bytes.Buffer
		if _, err := BuildPart("", &w, slices.Values(c.books), c.stats, Defaults()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	c := made()
	p := openPart(b, c.books, c.stats, Defaults())
	d := essay(rand.New(rand.NewPCG(1, 1)), c, 6)
	b.SetBytes(int64(len(d.Text)))
	for b.Loop() {
		p.Find(d)
	}
}

func BenchmarkMarks(b *testing.B) {
	t := made().books[0].Text
	var f fold.Text
	f.Fold(t, 0, len(t))
	var m marks.Marks
	b.SetBytes(int64(len(t)))
	for b.Loop() {
		m.Find(t, &f)
	}
}

// quotesOf cuts quotes of 5 to 40 words, damaged, out of the made books.
func quotesOf(c *corpus, n int) []commonplace.Quote {
	r := rand.New(rand.NewPCG(5, 5))
	list := make([]commonplace.Quote, n)
	for i := range list {
		_, text := c.Cut(r, 5+r.IntN(36))
		list[i] = commonplace.Quote{ID: fmt.Sprint(i), Text: aligntest.Damage(r, text, 20)}
	}
	return list
}

func BenchmarkNewQuoteList(b *testing.B) {
	c := made()
	quotes := quotesOf(c, 500)
	for b.Loop() {
		if _, err := NewQuoteList(quotes, c.stats, Defaults()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFindQuotes looks for quotes with ellipses, whose parts are looked up beside what is found.
func BenchmarkFindQuotes(b *testing.B) {
	c := made()
	quotes := quotesOf(c, 500)
	for i := range quotes {
		quotes[i].Text += " … " + quotes[i].Text[:len(quotes[i].Text)/2]
	}
	l, err := NewQuoteList(quotes, c.stats, Defaults())
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(c.books[0].Text)))
	for b.Loop() {
		l.Find(c.books[0])
	}
}

// BenchmarkExtend aligns a passage of 600 letters with its copy, one letter in twenty damaged.
func BenchmarkExtend(b *testing.B) {
	c := made()
	r := rand.New(rand.NewPCG(3, 3))
	_, text := c.Cut(r, 150)
	var d, s fold.Text
	s.Fold(text, 0, len(text))
	copied := aligntest.Damage(r, text, 20)
	d.Fold(copied, 0, len(copied))
	var x edit.Extender
	var pairs []edit.Pair
	b.SetBytes(int64(len(copied)))
	for b.Loop() {
		pairs, _, _, _ = x.Extend(pairs[:0], d.Sym, s.Sym, 0, 0, 1, len(d.Sym), len(s.Sym))
	}
	if len(pairs) < len(d.Sym)/2 {
		b.Fatal("aligned", len(pairs), "of", len(d.Sym))
	}
}
