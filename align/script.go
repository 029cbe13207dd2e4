package align

import (
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/edit"
	"github.com/commonplace/commonplace/align/fold"
)

// Edit is one step of an edit script: Source of the source text is replaced by
// Derived in the derived text. If a span is empty, only the other side
// has text. Offsets are code points of the two texts that were compared.
type Edit struct {
	Source, Derived commonplace.Span
	SourceText      string // what the source has there
	DerivedText     string // what the derived side has instead
}

// scriptCells bounds the table for the rest where extension stops.
const scriptCells = 4 << 20

// Script is the edit script that makes source into derived, in order, over
// letters and digits: differences of case, accents, punctuation and white space
// do not count. Give it the texts of an alignment, or of one part of an ellipsis.
func Script(derived, source string) []Edit {
	var f, g fold.Text
	f.Fold(derived, 0, len(derived))
	g.Fold(source, 0, len(source))
	var x edit.Extender
	pairs, dn, sn, _ := x.Extend(nil, f.Sym, g.Sym, 0, 0, 1, len(f.Sym), len(g.Sym))
	if (len(f.Sym)-dn)*(len(g.Sym)-sn) <= scriptCells {
		pairs = edit.AppendCommon(pairs, f.Sym, g.Sym, dn, sn)
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
		flush(int(p.D), int(p.S))
		d0, s0 = int(p.D)+1, int(p.S)+1
	}
	flush(len(f.Sym), len(g.Sym))
	return out
}

// equalPairs are the pairs of equal symbols.
func equalPairs(pairs []edit.Pair, f, g *fold.Text) []edit.Pair {
	return slices.DeleteFunc(pairs, func(p edit.Pair) bool { return f.Sym[p.D]&fold.Mask != g.Sym[p.S]&fold.Mask })
}

// wholeCharacters omits the pairs at the ends of rows of equal symbols that
// are only a part of a character, of a ligature or of ß: an edit has the whole character.
func wholeCharacters(pairs []edit.Pair, f, g *fold.Text) []edit.Pair {
	between := func(d, s int32) bool { return !f.Inside(int(d)) && !g.Inside(int(s)) }
	out := pairs[:0]
	for len(pairs) > 0 {
		n := 1
		for n < len(pairs) && pairs[n].D == pairs[n-1].D+1 && pairs[n].S == pairs[n-1].S+1 {
			n++
		}
		row := pairs[:n]
		pairs = pairs[n:]
		for len(row) > 0 && !between(row[0].D, row[0].S) {
			row = row[1:]
		}
		for len(row) > 0 && !between(row[len(row)-1].D+1, row[len(row)-1].S+1) {
			row = row[:len(row)-1]
		}
		out = append(out, row...)
	}
	return out
}
