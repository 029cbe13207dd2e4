package align

import (
	"math"
	"slices"

	"github.com/commonplace/commonplace/align/edit"
	"github.com/commonplace/commonplace/align/fold"
)

// An ellipsis that leaves out a few words is aligned straight through, the words
// missed. Where the derived side has the mark at the gap, the piece is cut there:
// nothing was missed, it was left out.
const cutReach = 8 // pairs within which a gap is drawn to the mark

// cut is an ellipsis within a piece: it stands between derived symbols d0, exclusive
// end, and d1, and the source's bytes s0..s1 are left out.
type cut struct{ d0, d1, s0, s1 int }

// slideToSkips moves the gaps of the source in m.pairs to the ellipses near by,
// where the letters in between are the same on both sides of the gap.
func (m *matcher) slideToSkips() {
	d, s := m.d.Sym, m.win.Sym
	for _, k := range m.skipsWithin(m.pairs) {
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

// skipsWithin are the ellipses between the first and the last of pairs.
func (m *matcher) skipsWithin(pairs []edit.Pair) []int32 {
	if len(m.marks.Ellipses) == 0 || len(pairs) < 2 {
		return nil
	}
	from, _ := slices.BinarySearch(m.marks.Ellipses, pairs[0].D+1)
	to, _ := slices.BinarySearch(m.marks.Ellipses, pairs[len(pairs)-1].D+1)
	return m.marks.Ellipses[from:max(from, to)]
}

// cutAtSkips are the ellipses of pairs[from:to], and what the words say when
// nothing is missed there; none where that is not more.
func (m *matcher) cutAtSkips(words []word, from, to int, whole float64) (cuts []cut, bits float64) {
	begin := from
	for _, k := range m.skipsWithin(m.pairs[from:to]) {
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
		bits += b - leftOut - math.Log2(1+float64(gap)/4)
		cuts = append(cuts, cut{int(left.D) + 1, int(right.D), m.win.End(m.sText, int(left.S)+1), int(m.win.Pos[right.S])})
		begin = x
	}
	if len(cuts) == 0 {
		return nil, whole
	}
	b, _, _ := m.weigh(words, m.pairs, begin, to)
	if bits += b; bits <= whole {
		return nil, whole
	}
	return cuts, bits
}

// split is the stretches of a piece, apart at its cuts.
func (m *matcher) split(p *piece, s stretch) []stretch {
	var out []stretch
	for _, c := range p.cuts {
		if c.s0 <= s.s0 || int(m.d.Pos[c.d0-1]) < s.d0 {
			continue // within the part before
		}
		out = append(out, stretch{s.d0, m.d.End(m.dText, c.d0), s.s0, c.s0})
		s.d0, s.s0 = int(m.d.Pos[c.d1]), c.s1
	}
	return append(out, s)
}
