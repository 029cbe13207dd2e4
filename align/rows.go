package align

import (
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/edit"
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/marks"
)

// row makes a chain into an alignment; dPoint and sPoint turn bytes into code points.
func (m *matcher) row(c *chain, dPoint, sPoint func(int) int64) commonplace.Alignment {
	parts, skips, blocks := m.stretches(c)
	var words int64
	for i := range c.pieces {
		words += int64(c.pieces[i].matched)
	}
	first, last := parts[0], parts[len(parts)-1]
	a := commonplace.Alignment{
		DerivedBegin: dPoint(first.d0), DerivedEnd: dPoint(last.d1), DerivedText: m.dText[first.d0:last.d1],
		SourceBegin: sPoint(first.s0), SourceEnd: sPoint(last.s1), SourceText: m.sText[first.s0:last.s1],
		MatchedWords: words, Score: c.bits(), Marked: c.marked(), Places: m.sharedBy(c),
	}
	a.Similarity = m.identity(parts)
	a.Kind = kindOf(&a, skips, blocks)
	if len(parts) > 1 {
		for _, s := range parts {
			a.Parts = append(a.Parts, commonplace.Part{DerivedBegin: dPoint(s.d0), DerivedEnd: dPoint(s.d1), SourceBegin: sPoint(s.s0), SourceEnd: sPoint(s.s1)})
		}
	}
	return a
}

// kindOf is the kind of an alignment of so many ellipses and blocks, by its similarity and texts.
func kindOf(a *commonplace.Alignment, skips, blocks int) string {
	switch {
	case skips > 0:
		return commonplace.KindEllipsis
	case blocks > 0:
		return commonplace.KindBlock
	case a.Similarity == 1 && edit.Similarity(a.DerivedText, a.SourceText) == 1 && fold.SameSigns(a.DerivedText, a.SourceText):
		return commonplace.KindExact
	}
	return commonplace.KindInexact
}

// keepApart moves the beginning of a part, of piece p, past the end of the part
// before it, by as many letters on both sides.
func (m *matcher) keepApart(s *stretch, p *piece, d1, s1 int) {
	for d := p.d0; (d < d1 || s.s0 < s1) && d+1 < p.d1 && s.s0 < s.s1; d++ {
		s.d0 = int(m.d.Pos[d+1])
		_, size := decode(m.sText, s.s0)
		for s.s0 += size; s.s0 < s.s1; s.s0 += size {
			var r rune
			r, size = decode(m.sText, s.s0)
			if fold.IsLetter(r) {
				break
			}
		}
	}
}

// blockBetween says whether one marked quotation or block ends in gap and the next begins.
func blockBetween(gap string) bool {
	n := 0
	for _, r := range gap {
		if k, _, _ := marks.Kind(r); k >= 0 {
			n++
		}
	}
	return n >= 2 || strings.Contains(gap, "\n\n")
}

// identity is [Similarity] over the parts, without the insertions in square
// brackets that the source does not have.
func (m *matcher) identity(parts []stretch) float64 {
	var f, g fold.Text
	var kept []byte
	common, letters := 0, 0
	for _, p := range parts {
		f.Fold(m.dText, p.d0, p.d1)
		g.Fold(m.sText, p.s0, p.s1)
		c, n := edit.Common(f.Sym, g.Sym), len(f.Sym)
		if m.marks.Inserted != nil {
			at := m.d.SymbolAt(0, p.d0)
			kept = kept[:0]
			for i, s := range f.Sym {
				if !m.marks.Inserted[at+i] {
					kept = append(kept, s)
				}
			}
			if len(kept) < n && edit.Common(kept, g.Sym)*(n+len(g.Sym)) > c*(len(kept)+len(g.Sym)) {
				c, n = edit.Common(kept, g.Sym), len(kept)
			}
		}
		common += c
		letters += n + len(g.Sym)
	}
	if letters == 0 {
		return 1
	}
	return 2 * float64(common) / float64(letters)
}

// sharePoints takes the points and marks at the ends that both sides have.
func (m *matcher) sharePoints(p *stretch) {
	dLo, dHi := 0, len(m.dText)
	for p.d1 < dHi && p.s1 < m.sHi {
		a, n := decode(m.dText, p.d1)
		b, k := decode(m.sText, p.s1)
		if !samePoint(a, b) {
			break
		}
		p.d1, p.s1 = p.d1+n, p.s1+k
	}
	for p.d0 > dLo && p.s0 > m.sLo {
		a, n := decodeLast(m.dText, p.d0)
		b, k := decodeLast(m.sText, p.s0)
		if !samePoint(a, b) {
			break
		}
		p.d0, p.s0 = p.d0-n, p.s0-k
	}
}

// samePoint says whether two characters are the same mark in print: quotation
// marks of any style, dashes, and the points that editors exchange.
func samePoint(a, b rune) bool {
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
