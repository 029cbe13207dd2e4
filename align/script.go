package align

import (
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/fold"
)

// Edit is one step of an edit script: Source[...] of the source text stands as
// Derived[...] in the derived text. An empty span says that the other side alone
// has it. Offsets are code points of the two texts that were compared.
type Edit struct {
	Source, Derived commonplace.Span
	SourceText      string // what the source has there
	DerivedText     string // what the derived side has instead
}

// scriptCells bounds the table for what is left where extension stops.
const scriptCells = 4 << 20

// Script is the edit script that makes source into derived, in order, over
// letters and digits: differences of case, accents, punctuation and white space
// are none. Give it the texts of an alignment, or of one part of an ellipsis.
func Script(derived, source string) []Edit {
	var f, g fold.Text
	f.Fold(derived, 0, len(derived))
	g.Fold(source, 0, len(source))
	var x extender
	pairs, dn, sn, _ := x.extend(nil, f.Sym, g.Sym, 0, 0, 1, len(f.Sym), len(g.Sym))
	if (len(f.Sym)-dn)*(len(g.Sym)-sn) <= scriptCells {
		pairs = appendCommon(pairs, f.Sym, g.Sym, dn, sn)
	}
	d, s := commonplace.NewOffsets(derived), commonplace.NewOffsets(source)
	var out []Edit
	span := func(o *commonplace.Offsets, text string, h *fold.Text, from, to int) (commonplace.Span, string) {
		b := int(h.Pos[from])
		e := b
		if to > from {
			e = h.End(text, to)
		}
		return commonplace.Span{Begin: o.Point(b), End: o.Point(e)}, text[b:e]
	}
	// A run of unequal symbols, on either side, is one edit.
	d0, s0 := 0, 0
	flush := func(d1, s1 int) {
		if d1 > d0 || s1 > s0 {
			var e Edit
			e.Derived, e.DerivedText = span(d, derived, &f, d0, d1)
			e.Source, e.SourceText = span(s, source, &g, s0, s1)
			out = append(out, e)
		}
	}
	for _, p := range wholeCharacters(equalPairs(pairs, &f, &g), &f, &g) {
		flush(int(p.d), int(p.s))
		d0, s0 = int(p.d)+1, int(p.s)+1
	}
	flush(len(f.Sym), len(g.Sym))
	return out
}

// equalPairs are the pairs of equal symbols.
func equalPairs(pairs []pair, f, g *fold.Text) []pair {
	return slices.DeleteFunc(pairs, func(p pair) bool { return f.Sym[p.d]&fold.Mask != g.Sym[p.s]&fold.Mask })
}

// wholeCharacters leaves out the pairs at the ends of rows of equal symbols that
// hold a part of a character only, of a ligature or of ß: an edit has the whole character.
func wholeCharacters(pairs []pair, f, g *fold.Text) []pair {
	between := func(d, s int32) bool { return !f.Inside(int(d)) && !g.Inside(int(s)) }
	out := pairs[:0]
	for len(pairs) > 0 {
		n := 1
		for n < len(pairs) && pairs[n].d == pairs[n-1].d+1 && pairs[n].s == pairs[n-1].s+1 {
			n++
		}
		row := pairs[:n]
		pairs = pairs[n:]
		for len(row) > 0 && !between(row[0].d, row[0].s) {
			row = row[1:]
		}
		for len(row) > 0 && !between(row[len(row)-1].d+1, row[len(row)-1].s+1) {
			row = row[:len(row)-1]
		}
		out = append(out, row...)
	}
	return out
}

// appendCommon appends the pairs of a longest common subsequence of d[di:] and s[si:].
func appendCommon(pairs []pair, d, s []byte, di, si int) []pair {
	n, m := len(d)-di, len(s)-si
	length := make([]int32, (n+1)*(m+1)) // of the best of d[di+i:], s[si+j:]
	at := func(i, j int) *int32 { return &length[i*(m+1)+j] }
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if d[di+i]&fold.Mask == s[si+j]&fold.Mask {
				*at(i, j) = *at(i+1, j+1) + 1
			} else {
				*at(i, j) = max(*at(i+1, j), *at(i, j+1))
			}
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case d[di+i]&fold.Mask == s[si+j]&fold.Mask:
			pairs = append(pairs, pair{int32(di + i), int32(si + j)})
			i, j = i+1, j+1
		case *at(i+1, j) >= *at(i, j+1):
			i++
		default:
			j++
		}
	}
	return pairs
}
