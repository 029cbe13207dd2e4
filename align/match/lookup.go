package match

import (
	"math"
	"slices"

	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/marks"
)

// Parts beside an ellipsis, or between a match and the quotation mark that should
// have ended it, may be too short to have a seed. The chain limits where they can be.
// So a few words are enough evidence.
const (
	lookSymbols = 420 // derived symbols beyond a match that are searched for a mark
	lookWords   = 24  // derived words tried as a beginning
	lookLetters = 3   // letters that must be equal for a try
	lookMargin  = 3.0 // bits that a part needs beyond the cost of its position
	lookBits    = 6.0 // bits that a beginning needs to be aligned
	lookNoMark  = 160 // derived symbols beyond a match that are searched for a part where there is no mark
)

// Complete looks for the parts of c beyond its ends. It leaves a chain unchanged that
// would fall below MinSimilarity with them.
func (m *Matcher) Complete(c *Chain, sum []float32) {
	was := *c
	for _, step := range [2]int{1, -1} {
		for range 4 {
			if !m.look(c, step, sum) {
				break
			}
		}
	}
	if len(c.Pieces) > len(was.Pieces) {
		if parts, _, _ := m.segments(c); m.identity(parts) < m.MinSimilarity {
			*c = was
		}
	}
}

// look adds a part to the end of c (step 1) or to its beginning (step -1), if there is one.
func (m *Matcher) look(c *Chain, step int, sum []float32) bool {
	a, region := c.last(), m.regionAfter
	if step < 0 {
		a, region = c.First(), m.regionBefore
	}
	b, omits, ok := region(a)
	if !ok {
		return false
	}
	cost, over := 0.0, false
	p, ok := m.Lookup(b, step, sum)
	if ok {
		cost, over, ok = m.reach(a, &p, step)
	}
	if !ok || p.Bits+p.mark(step)-cost < lookMargin {
		if !omits {
			return false
		}
		if p, ok = m.adjacent(a, step); !ok {
			return false
		}
		if cost, over, ok = m.reach(a, &p, step); !ok {
			return false
		}
		cost = min(cost, p.Bits+p.mark(step))
	}
	p.Doc = a.Doc
	c.add(p, step, cost, over)
	return true
}

// regionAfter is the region in which the part after a must be, and whether an ellipsis is before it.
// There is none where a quotation mark ends a, or another quotation is before the next one.
func (m *Matcher) regionAfter(a *Piece) (b Bounds, omits, ok bool) {
	omits = m.ellipsisBetween(a.D1, a.D1+2)
	to := marks.After(m.Marks.Close, a.D1, lookSymbols)
	if a.closed || to == a.D1 || !omits && to < 0 {
		return b, omits, false
	}
	if open := marks.After(m.Marks.Open, a.D1+1, lookSymbols); to >= 0 && open >= 0 && open < to && !omits {
		return b, omits, false // the mark ends another quotation
	}
	if to < 0 {
		to = a.D1 + lookNoMark
	}
	to = min(to, m.DHi)
	return Bounds{a.D1, to, a.S1, a.S1 + lookBytes(to-a.D1, omits)}, omits, true
}

// regionBefore is regionAfter on the other side.
func (m *Matcher) regionBefore(a *Piece) (b Bounds, omits, ok bool) {
	omits = m.ellipsisBetween(a.D0-2, a.D0)
	from := marks.Before(m.Marks.Open, a.D0, lookSymbols)
	if a.opened || from == a.D0 || !omits && from < 0 {
		return b, omits, false
	}
	if end := marks.Before(m.Marks.Close, a.D0-1, lookSymbols); from >= 0 && end > from && !omits {
		return b, omits, false
	}
	if from < 0 {
		from = a.D0 - lookNoMark
	}
	from = max(from, m.DLo)
	return Bounds{from, a.D0, a.S0 - lookBytes(a.D0-from, omits), a.S0}, omits, true
}

// lookBytes is the number of source bytes to search for so many derived symbols.
func lookBytes(symbols int, omits bool) int {
	if omits {
		return ellipsisBytes
	}
	return gapBytes + symbols
}

// mark is the bits of the mark at the end of p, or at its beginning.
func (p *Piece) mark(step int) float64 {
	if step > 0 {
		return p.close
	}
	return p.open
}

// add puts a piece behind the last one of c, or before the first. Copies of c stay as they are.
func (c *Chain) add(p Piece, step int, cost float64, omits bool) {
	at := 0
	if step > 0 {
		at = len(c.Pieces)
	}
	c.Pieces = slices.Insert(slices.Clip(c.Pieces), at, p)
	at = min(at, len(c.ellipses))
	c.ellipses = slices.Insert(slices.Clip(c.ellipses), at, omits)
	c.costs = slices.Insert(slices.Clip(c.costs), at, cost)
	c.cost += cost
}

// reach is gapCost for parts that Complete finds beside a: the gap on the derived side may
// be as long as the words between marks.
func (m *Matcher) reach(a, p *Piece, step int) (cost float64, omits, ok bool) {
	b := p
	if step < 0 {
		a, b = p, a
	}
	if cost, omits, ok = m.gapCost(a, b); ok {
		return cost, omits, true
	}
	gd, gs := b.D0-a.D1, b.S0-a.S1
	if gd < 0 || gs < 0 {
		return 0, false, false
	}
	return apart + math.Log2((1+float64(gd))*(1+float64(gs)/4)), m.ellipsisBetween(a.D1, b.D0), true
}

// Lookup finds the best piece within b, which follows (step 1) or precedes (step -1) the match.
func (m *Matcher) Lookup(b Bounds, step int, sum []float32) (Piece, bool) {
	edge := b
	b.SLo, b.SHi = m.window(b.SLo, b.SHi)
	b.DLo, b.DHi = max(b.DLo, m.DLo), min(b.DHi, m.DHi)
	if b.DHi-b.DLo < lookLetters || b.SHi-b.SLo < lookLetters {
		return Piece{}, false
	}
	m.win.Fold(m.SourceText, b.SLo, b.SHi)
	d, s := m.Derived.Sym[:b.DHi], m.win.Sym
	bestD, bestS, best := -1, -1, 0.0
	i := b.DLo
	if step < 0 {
		i = b.DHi - lookLetters
	}
	for tried := 0; i >= b.DLo && i+lookLetters <= b.DHi && tried < lookWords; i += step {
		if d[i]&fold.WordStart == 0 && (step < 0 || i != b.DLo) {
			continue
		}
		tried++
		for j := 0; j+lookLetters <= len(s); j++ {
			if s[j]&fold.WordStart == 0 || s[j]&fold.Mask != d[i]&fold.Mask || s[j+1]&fold.Mask != d[i+1]&fold.Mask || s[j+2]&fold.Mask != d[i+2]&fold.Mask {
				continue
			}
			score, n := alike(d[i:], s[j:])
			bits := float64(sum[i+n]-sum[i]) - 0.5*float64(n-score)
			gap := j // symbols of the source that the part leaves out
			if step < 0 {
				gap = len(s) - j - n
			}
			if i == edge.DLo || step < 0 && i+n == edge.DHi {
				bits += 4
			}
			bits -= 0.5 * math.Log2(1+float64(gap)/4)
			if bits > best {
				bestD, bestS, best = i, j, bits
			}
		}
	}
	if best < lookBits {
		return Piece{}, false
	}
	return m.alignWithin(b, bestD, int(m.win.Pos[bestS]))
}

// alike is the best score of equal beginnings of d and s, symbol by symbol, and its length.
func alike(d, s []byte) (top, length int) {
	score := 0
	for k := 0; k < min(len(d), len(s)) && score > top-6; k++ {
		if d[k]&fold.Mask != s[k]&fold.Mask {
			score -= 2
		} else if score++; score > top {
			top, length = score, k+1
		}
	}
	return top, length
}
