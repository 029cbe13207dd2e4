package match

import (
	"github.com/commonplace/commonplace/align/edit"
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/marks"
)

// Evidence decides the ends of an alignment, not letters. It ends after the
// last word whose evidence is greater than the cost of the words before it, at a quotation mark
// of the derived side rather than a little before or after it, and inside a word
// only where the derived side has a part of the word.
const (
	cutSource  = -3.0 // bits where the derived word ends inside a source word of which it has two letters or more
	cutOther   = -6.0 // or it has another word
	cutLittle  = -7.0 // or it has one letter
	cutDerived = -9.0 // where the end is inside a derived word

	ellipsisMark = 8.0 // bits for an end at an ellipsis
	sharedMark   = 0.4 // fraction of the evidence of a mark where the source has one too

	markReach = 48 // symbols within which an end may move to a mark
)

// bestEnd is the number of pairs to keep so that the alignment ends best.
func (m *Matcher) bestEnd(words []word, pairs []edit.Pair) int {
	d, s := m.Derived.Sym, m.win.Sym
	best, bestAt := -1e9, len(pairs)
	sum := 0.0
	for i := range words {
		w := &words[i]
		sum -= unmatchedCost(w.unmatched, w.missed)
		n := int32(0)
		for k := w.first; k < w.last; k++ {
			p := pairs[k]
			equal := d[p.D]&fold.Mask == s[p.S]&fold.Mask
			if equal {
				n++
			}
			dEnds := int(p.D)+1 >= m.DHi || d[p.D+1]&fold.WordStart != 0
			sEnds := p.S+1 >= w.end
			if !dEnds && !sEnds && k+1 != w.last {
				continue
			}
			mark := m.closeBits(int(p.D)+1, int(p.S)+1) + m.ellipsisBits(int(p.D)+1)
			if !equal && mark == 0 && !(dEnds && sEnds) {
				continue
			}
			v := sum + mark
			switch {
			case dEnds && sEnds:
				v += w.gain(n)
			case dEnds:
				v += w.part(n) + m.cut(w, n, p.S+1-w.begin, mark > 0)
			default:
				v += w.gain(n) + cutDerived
			}
			if v > best {
				best, bestAt = v, int(k)+1
			}
		}
		sum += w.gain(w.matched)
	}
	return bestAt
}

// bestBegin is the number of leading pairs to drop so that the alignment begins best.
func (m *Matcher) bestBegin(words []word, pairs []edit.Pair) int {
	d, s := m.Derived.Sym, m.win.Sym
	best, bestAt := -1e9, 0
	sum := 0.0
	for i := len(words) - 1; i >= 0; i-- {
		w := &words[i]
		n, strays := int32(0), int32(0)
		for k := w.last - 1; k >= w.first; k-- {
			p := pairs[k]
			if k+1 < w.last {
				strays += m.unmatched(p.D+1, pairs[k+1].D)
			}
			equal := d[p.D]&fold.Mask == s[p.S]&fold.Mask
			if equal {
				n++
			}
			dStarts := int(p.D) <= m.DLo || d[p.D]&fold.WordStart != 0
			sStarts := p.S == w.begin
			if !dStarts && !sStarts && k != w.first {
				continue
			}
			mark := m.openBits(int(p.D), int(p.S)) + m.ellipsisBits(int(p.D))
			if !equal && mark == 0 && !(dStarts && sStarts) {
				continue
			}
			v := sum + mark - unmatchedCost(strays, 0)
			switch {
			case dStarts && sStarts:
				v += w.gain(n)
			case dStarts:
				v += w.part(n) + m.cut(w, n, w.end-p.S, mark > 0)
			default:
				v += w.gain(n) + cutDerived
			}
			if v > best {
				best, bestAt = v, int(k)
			}
		}
		sum += w.gain(w.matched) - unmatchedCost(w.unmatched, w.missed)
	}
	return bestAt
}

// wholeWords is the window's symbols from the first to the last of pairs[from:to],
// moved to the beginning or end of a word if they are inside one of which the
// derived side has no such part: the end moved to a mark over letters that differ.
func (m *Matcher) wholeWords(words []word, from, to int) (s0, s1 int) {
	first, last := m.pairs[from], m.pairs[to-1]
	s0, s1 = int(first.S), int(last.S)+1
	for i := range words {
		w := &words[i]
		if s0 > int(w.begin) && s0 < int(w.end) && !m.piece(max(from, int(w.first)), min(to, int(w.last))) {
			if s0 = int(w.begin); 2*(w.end-first.S) < w.end-w.begin && last.S >= w.end {
				s0 = int(w.end)
			}
		}
		if s1 > int(w.begin) && s1 < int(w.end) && !m.piece(max(from, int(w.first)), min(to, int(w.last))) {
			if s1 = int(w.end); 2*(last.S+1-w.begin) < w.end-w.begin && first.S < w.begin {
				s1 = int(w.begin)
			}
		}
	}
	return s0, s1
}

// piece reports whether pairs[from:to] are the same letters on both sides, but for one.
func (m *Matcher) piece(from, to int) bool {
	if from >= to {
		return false
	}
	equal := 0
	for _, p := range m.pairs[from:to] {
		if m.Derived.Sym[p.D]&fold.Mask == m.win.Sym[p.S]&fold.Mask {
			equal++
		}
	}
	a, b := m.pairs[from], m.pairs[to-1]
	piece := int(max(b.D-a.D, b.S-a.S)) + 1
	return equal+1 >= piece && 5*equal >= 3*piece
}

// cut is the evidence (negative) of an end inside source word w, of which the derived word has n
// letters of a part of so many. A part that is itself a word may be that word.
func (m *Matcher) cut(w *word, n, part int32, marked bool) float64 {
	switch {
	case n+1 < part || 5*n < 3*part:
		return cutDerived
	case w.other:
		return cutOther
	case n >= 2 || marked:
		return cutSource
	}
	return cutLittle
}

// closeBits is the evidence of a closing mark at symbol d of the derived side; less
// where the source has one too, because then it belongs to the words.
func (m *Matcher) closeBits(d, s int) float64 {
	b := m.Marks.At(m.Marks.Close, d)
	if b > 0 && m.sourceMark(s-1, 1) {
		return b * sharedMark
	}
	return b
}

// openBits is closeBits for an opening mark, and for a colon before it.
func (m *Matcher) openBits(d, s int) float64 {
	b := m.Marks.At(m.Marks.Open, d)
	if b > 0 && m.sourceMark(s, -1) {
		b *= sharedMark
	}
	if len(m.Marks.Colons) > 0 {
		b += m.Marks.At(m.Marks.Colons, d)
	}
	return b
}

// ellipsisBits favours an end at an ellipsis at symbol d: the words that follow it in
// the source seldom follow it in the derived side.
func (m *Matcher) ellipsisBits(d int) float64 {
	if len(m.Marks.Ellipses) > 0 && m.ellipsisBetween(d, d) {
		return ellipsisMark
	}
	return 0
}

// sourceMark reports whether the source has a quotation mark right after (step 1)
// or before (step -1) the character of window symbol s.
func (m *Matcher) sourceMark(s, step int) bool {
	if step > 0 {
		for i := m.win.End(m.SourceText, s+1); i < m.SHi; {
			r, size := decode(m.SourceText, i)
			if k, _, _ := marks.Kind(r); k >= 0 {
				return true
			}
			if !sentencePoint(r) {
				return false
			}
			i += size
		}
		return false
	}
	for i := int(m.win.Pos[s]); i > m.SLo; {
		r, size := decodeLast(m.SourceText, i)
		if k, _, _ := marks.Kind(r); k >= 0 {
			return true
		}
		if r != '_' && r != '-' {
			return false
		}
		i -= size
	}
	return false
}
