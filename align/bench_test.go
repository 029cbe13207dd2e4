package align

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

func BenchmarkFold(b *testing.B) {
	t := made().books[0].Text
	var f folded
	b.SetBytes(int64(len(t)))
	for b.Loop() {
		f.fold(t, 0, len(t))
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
		if _, err := BuildPart(&w, slices.Values(c.books), c.stats, Defaults()); err != nil {
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

// BenchmarkExtend aligns a passage of 600 letters with its copy, one letter in twenty damaged.
func BenchmarkExtend(b *testing.B) {
	c := made()
	r := rand.New(rand.NewPCG(3, 3))
	_, text := c.cut(r, 150)
	var d, s folded
	s.fold(text, 0, len(text))
	copied := damage(r, text, 20)
	d.fold(copied, 0, len(copied))
	var x extender
	var pairs []pair
	b.SetBytes(int64(len(copied)))
	for b.Loop() {
		pairs, _, _, _ = x.extend(pairs[:0], d.sym, s.sym, 0, 0, 1, len(d.sym), len(s.sym))
	}
	if len(pairs) < len(d.sym)/2 {
		b.Fatal("aligned", len(pairs), "of", len(d.sym))
	}
}
