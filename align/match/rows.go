package match

import (
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/edit"
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/marks"
)

// Row makes a chain into an alignment; dPoint and sPoint convert bytes to code points.
func (m *Matcher) Row(c *Chain, dPoint, sPoint func(int) int64) commonplace.Alignment {
	parts, ellipses, blocks := m.segments(c)
	var words int64
	for i := range c.Pieces {
		words += int64(c.Pieces[i].matched)
	}
	first, last := parts[0], parts[len(parts)-1]
	a := commonplace.Alignment{
		DerivedBegin: dPoint(first.D0), DerivedEnd: dPoint(last.D1), DerivedText: m.DerivedText[first.D0:last.D1],
		SourceBegin: sPoint(first.S0), SourceEnd: sPoint(last.S1), SourceText: m.SourceText[first.S0:last.S1],
		MatchedWords: words, Score: c.Bits(), Marked: c.marked(), Places: m.boilerplatePlaces(c),
	}
	a.Similarity = m.identity(parts)
	a.Kind = kindOf(&a, ellipses, blocks)
	if len(parts) > 1 {
		for _, s := range parts {
			a.Parts = append(a.Parts, commonplace.Part{DerivedBegin: dPoint(s.D0), DerivedEnd: dPoint(s.D1), SourceBegin: sPoint(s.S0), SourceEnd: sPoint(s.S1)})
		}
	}
	return a
}

// kindOf is the kind of an alignment of so many ellipses and blocks, by its similarity and texts.
func kindOf(a *commonplace.Alignment, ellipses, blocks int) string {
	switch {
	case ellipses > 0:
		return commonplace.KindEllipsis
	case blocks > 0:
		return commonplace.KindBlock
	case a.Similarity == 1 && edit.Similarity(a.DerivedText, a.SourceText) == 1 && fold.SameSigns(a.DerivedText, a.SourceText):
		return commonplace.KindExact
	}
	return commonplace.KindInexact
}

// separate moves the beginning of a part, of piece p, past the end of the part
// before it, by as many letters on both sides.
func (m *Matcher) separate(s *Segment, p *Piece, d1, s1 int) {
	for d := p.D0; (d < d1 || s.S0 < s1) && d+1 < p.D1 && s.S0 < s.S1; d++ {
		s.D0 = int(m.Derived.Pos[d+1])
		_, size := decode(m.SourceText, s.S0)
		for s.S0 += size; s.S0 < s.S1; s.S0 += size {
			var r rune
			r, size = decode(m.SourceText, s.S0)
			if fold.IsLetter(r) {
				break
			}
		}
	}
}

// blockBetween reports whether one marked quotation or block ends in gap and the next begins.
func blockBetween(gap string) bool {
	n := 0
	for _, r := range gap {
		if k, _, _ := marks.Kind(r); k >= 0 {
			n++
		}
	}
	return n >= 2 || strings.Contains(gap, "\n\n")
}

// identity is [edit.Similarity] over the parts, without the insertions in square
// brackets that the source does not have.
func (m *Matcher) identity(parts []Segment) float64 {
	var f, g fold.Text
	common, letters := 0, 0
	for _, p := range parts {
		f.Fold(m.DerivedText, p.D0, p.D1)
		g.Fold(m.SourceText, p.S0, p.S1)
		at := 0
		if m.Marks.Inserted != nil {
			at = m.Derived.SymbolAt(0, p.D0)
		}
		c, n, s := m.equalLetters(&f, &g, at)
		common += c
		letters += n + s
	}
	if letters == 0 {
		return 1
	}
	return 2 * float64(common) / float64(letters)
}

// equalLetters is the number of letters that a part's two sides have in common, and of those of each side. The derived one
// begins at symbol at. Its insertions are left out if more is equal then.
func (m *Matcher) equalLetters(f, g *fold.Text, at int) (same, derived, source int) {
	all := func(int) bool { return true }
	outside := func(i int) bool { return !m.Marks.Inserted[at+i] }
	if f.Shared() || g.Shared() {
		s := g.AppendSigns(nil, m.SourceText, all)
		return m.withoutInsertions(func(keep func(int) bool) (c, n int) {
			d := f.AppendSigns(nil, m.DerivedText, keep)
			return edit.CommonSigns(d, s), len(d)
		}, all, outside, len(s))
	}
	return m.withoutInsertions(func(keep func(int) bool) (c, n int) {
		d := f.Sym
		if m.Marks.Inserted != nil {
			d = make([]byte, 0, len(f.Sym))
			for i, s := range f.Sym {
				if keep(i) {
					d = append(d, s)
				}
			}
		}
		return edit.Common(d, g.Sym), len(d)
	}, all, outside, len(g.Sym))
}

// withoutInsertions chooses between all derived letters and those outside brackets, by the similarity.
func (m *Matcher) withoutInsertions(equal func(keep func(int) bool) (c, n int), all, outside func(int) bool, source int) (same, derived, letters int) {
	c, n := equal(all)
	if m.Marks.Inserted != nil {
		if c2, n2 := equal(outside); n2 < n && c2*(n+source) > c*(n2+source) {
			c, n = c2, n2
		}
	}
	return c, n, source
}

// extendToPoints extends a segment, within free, by the points and marks that both sides have at its ends.
func (m *Matcher) extendToPoints(p *Segment, free Segment) {
	for p.D1 < free.D1 && p.S1 < free.S1 {
		a, n := decode(m.DerivedText, p.D1)
		b, k := decode(m.SourceText, p.S1)
		if !SamePoint(a, b) {
			break
		}
		p.D1, p.S1 = p.D1+n, p.S1+k
	}
	for p.D0 > free.D0 && p.S0 > free.S0 {
		a, n := decodeLast(m.DerivedText, p.D0)
		b, k := decodeLast(m.SourceText, p.S0)
		if !SamePoint(a, b) {
			break
		}
		p.D0, p.S0 = p.D0-n, p.S0-k
	}
}

// SamePoint reports whether two characters are the same mark in print: quotation
// marks of any style, dashes, and the points that editors exchange.
func SamePoint(a, b rune) bool {
	class := func(r rune) int {
		if k, _, _ := marks.Kind(r); k >= 0 {
			return 1
		}
		switch r {
		case '.', ',', ';', ':', '!', '?':
			return 2
		case '-', '\u2013', '\u2014', '\u2012', '\u2015':
			return 3
		case '(', ')', '*', '_':
			return int(r) + 10
		}
		return 0
	}
	c := class(a)
	return c != 0 && c == class(b)
}

// Judge is the similarity and the kind of an alignment whose texts were cut to these parts.
func Judge(a *commonplace.Alignment, parts []Segment) (similarity float64, kind string) {
	var d fold.Text
	var k marks.Marks
	d.Fold(a.DerivedText, 0, len(a.DerivedText))
	k.Find(a.DerivedText, &d)
	m := Matcher{DerivedText: a.DerivedText, Derived: &d, Marks: &k, SourceText: a.SourceText, Bounds: Bounds{SHi: len(a.SourceText)}}
	ellipses := 0
	for i := 1; i < len(parts); i++ {
		if m.ellipsisBetween(d.SymbolAt(0, parts[i-1].D1), d.SymbolAt(0, parts[i].D0)) {
			ellipses++
		}
	}
	a.Similarity = m.identity(parts)
	return a.Similarity, kindOf(a, ellipses, len(parts)-1-ellipses)
}
