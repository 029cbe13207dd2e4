package match

import (
	"math"
	"slices"

	"github.com/commonplace/commonplace/align/edit"
	"github.com/commonplace/commonplace/align/fold"
)

// An ellipsis that omits a few words is aligned straight through, and the words count as
// missed. Where the derived side has an ellipsis at the gap, the piece is split there:
// the words were omitted, not missed.

// cutReach is the number of pairs by which a gap may move to the ellipsis.
const cutReach = 8

// ellipsis is one within a piece: it is between derived symbols d0, exclusive
// end, and d1, and omits the bytes s0..s1 of the source.
type ellipsis struct{ d0, d1, s0, s1 int }

// slideToEllipses moves the gaps of the source in m.pairs to the ellipses near by,
// where the letters in between are the same on both sides of the gap.
func (m *Matcher) slideToEllipses() {
	d, s := m.Derived.Sym, m.win.Sym
	for _, k := range m.ellipsesWithin(m.pairs) {
		x, _ := slices.BinarySearchFunc(m.pairs, k, func(p edit.Pair, k int32) int { return int(p.D - k) })
		gap, widest := -1, int32(0)
		for g := max(1, x-cutReach); g < min(len(m.pairs), x+cutReach); g++ {
			if w := m.pairs[g].S - m.pairs[g-1].S - 1; w > widest {
				gap, widest = g, w
			}
		}
		if gap < 0 {
			continue
		}
		same := func(i int, at int32) bool { return d[m.pairs[i].D]&fold.Mask == s[at]&fold.Mask }
		for ; gap > x && same(gap-1, m.pairs[gap].S-1); gap-- {
			m.pairs[gap-1].S = m.pairs[gap].S - 1
		}
		for ; gap < x && same(gap, m.pairs[gap-1].S+1); gap++ {
			m.pairs[gap].S = m.pairs[gap-1].S + 1
		}
	}
}

// ellipsesWithin are the ellipses between the first and the last of pairs.
func (m *Matcher) ellipsesWithin(pairs []edit.Pair) []int32 {
	if len(m.Marks.Ellipses) == 0 || len(pairs) < 2 {
		return nil
	}
	from, _ := slices.BinarySearch(m.Marks.Ellipses, pairs[0].D+1)
	to, _ := slices.BinarySearch(m.Marks.Ellipses, pairs[len(pairs)-1].D+1)
	return m.Marks.Ellipses[from:max(from, to)]
}

// splitAtEllipses are the ellipses of pairs[from:to], and the evidence when
// no word is missed there; none where that is not more.
func (m *Matcher) splitAtEllipses(words []word, from, to int, whole float64) (gaps []ellipsis, bits float64) {
	begin := from
	for _, k := range m.ellipsesWithin(m.pairs[from:to]) {
		x, _ := slices.BinarySearchFunc(m.pairs, k, func(p edit.Pair, k int32) int { return int(p.D - k) })
		if x <= begin || x >= to {
			continue
		}
		left, right := m.pairs[x-1], m.pairs[x]
		gap := right.S - left.S - 1
		if gap < 2 || gap < right.D-left.D-1 {
			continue
		}
		b, _, _ := m.weigh(words, m.pairs, begin, x)
		bits += b - omitted - math.Log2(1+float64(gap)/4)
		gaps = append(gaps, ellipsis{int(left.D) + 1, int(right.D), m.win.End(m.SourceText, int(left.S)+1), int(m.win.Pos[right.S])})
		begin = x
	}
	if len(gaps) == 0 {
		return nil, whole
	}
	b, _, _ := m.weigh(words, m.pairs, begin, to)
	if bits += b; bits <= whole {
		return nil, whole
	}
	return gaps, bits
}

// split is the segments of a piece between its gaps.
func (m *Matcher) split(p *Piece, s Segment) []Segment {
	var out []Segment
	for _, c := range p.gaps {
		if c.s0 <= s.S0 || int(m.Derived.Pos[c.d0-1]) < s.D0 {
			continue // within the part before
		}
		out = append(out, Segment{s.D0, m.Derived.End(m.DerivedText, c.d0), s.S0, c.s0})
		s.D0, s.S0 = int(m.Derived.Pos[c.d1]), c.s1
	}
	return append(out, s)
}
