package align

import (
	"cmp"
	"math"
	"slices"

	"github.com/commonplace/commonplace/align/marks"
)

// A find is made of pieces that follow each other on both sides: over an
// ellipsis mark, an insertion, a few changed words, or from one block to the
// next. Joining costs the bits that it takes to say where the next piece
// begins: log2 of the number of places within the gap on either side.
const (
	gapSymbols  = 90   // derived symbols between two pieces
	gapBytes    = 160  // source bytes between two pieces
	skipBytes   = 2400 // source bytes that an ellipsis leaves out
	backSymbols = 4    // by which pieces may overlap
	leftOut     = 1.0  // bits for going on at all, where an ellipsis says that something is left out
	apart       = 8.0  // and where nothing says so: a missed word, and one more
)

// chain is pieces in order; parts are the stretches between ellipses.
type chain struct {
	pieces []piece
	cost   float64
	costs  []float64 // of going on after each piece
	skips  []bool    // skips[i]: an ellipsis stands between pieces i and i+1
}

func (c *chain) first() *piece { return &c.pieces[0] }
func (c *chain) last() *piece  { return &c.pieces[len(c.pieces)-1] }

// marked says whether quotation marks stand at both ends of the chain.
func (c *chain) marked() bool { return c.first().opened && c.last().closed }

// bits is the chain's evidence, marks at its outer ends included.
func (c *chain) bits() float64 {
	b := c.first().open + c.last().close - c.cost
	if c.marked() {
		b += marks.BothBits
	}
	for i := range c.pieces {
		b += c.pieces[i].bits
	}
	return b
}

// hop is the cost of going from piece a to piece b, and whether it goes over an
// ellipsis; ok is false where it cannot be.
func (m *matcher) hop(a, b *piece) (cost float64, skip, ok bool) {
	gd, gs := b.d0-a.d1, b.s0-a.s1
	if gd < -backSymbols || gs < -2*backSymbols || b.d1 <= a.d1 || b.s1 <= a.s1 {
		return 0, false, false
	}
	skip = m.skipBetween(a.d1, b.d0)
	if skip && gd <= 3 && gs <= skipBytes {
		return leftOut + math.Log2(1+float64(max(gs, 0))/4), true, true
	}
	if gd <= gapSymbols && gs <= gapBytes {
		return apart + math.Log2((1+float64(max(gd, -gd)))*(1+float64(max(gs, -gs))/4)), skip, true
	}
	return 0, false, false
}

// skipBetween says whether an ellipsis stands between symbols a and b, ends included.
func (m *matcher) skipBetween(a, b int) bool {
	i, _ := slices.BinarySearch(m.marks.Ellipses, int32(min(a, b)))
	return i < len(m.marks.Ellipses) && int(m.marks.Ellipses[i]) <= max(a, b)
}

// chains joins the pieces of one derived side. Pieces that lie within others are
// dropped; ties go to the leftmost, then shortest, then to what says most.
func (m *matcher) chains(pieces []piece) []chain {
	slices.SortFunc(pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.doc, b.doc), cmp.Compare(a.d0, b.d0), cmp.Compare(a.s0, b.s0), cmp.Compare(b.d1, a.d1), cmp.Compare(a.s1, b.s1),
			cmp.Compare(b.bits, a.bits)) // one stretch may be aligned from two seeds, in windows that differ
	})
	pieces = slices.CompactFunc(pieces, func(a, b piece) bool {
		return a.doc == b.doc && b.d0 >= a.d0 && b.d1 <= a.d1 && b.s0 >= a.s0 && b.s1 <= a.s1
	})
	used := make([]bool, len(pieces))
	var out []chain
	for i := range pieces {
		if used[i] {
			continue
		}
		c := chain{pieces: []piece{pieces[i]}}
		used[i] = true
		for {
			a := c.last()
			best, bestGain, bestSkip, bestCost := -1, 0.0, false, 0.0
			for j := i + 1; j < len(pieces) && pieces[j].doc == a.doc && pieces[j].d0 <= a.d1+gapSymbols; j++ {
				if used[j] {
					continue
				}
				cost, skip, ok := m.hop(a, &pieces[j])
				// Inner marks say nothing once two pieces are one.
				gain := min(pieces[j].bits, a.bits) - cost
				if ok && gain > 0 && gain > bestGain {
					best, bestGain, bestSkip, bestCost = j, gain, skip, cost
				}
			}
			if best < 0 {
				break
			}
			used[best] = true
			c.pieces = append(c.pieces, pieces[best])
			c.skips = append(c.skips, bestSkip)
			c.cost += bestCost
			c.costs = append(c.costs, bestCost)
		}
		out = append(out, c)
	}
	return out
}

// matched is the number of source words that stand unchanged.
func (c *chain) matched() int {
	n := 0
	for i := range c.pieces {
		n += c.pieces[i].matched
	}
	return n
}

// words is the chain's evidence without that of marks.
func (c *chain) words() float64 {
	b := -c.cost
	for i := range c.pieces {
		b += c.pieces[i].bits
	}
	return b
}

// cover is the number of derived symbols in the chain's pieces.
func (c *chain) cover() int {
	n := 0
	for i := range c.pieces {
		n += c.pieces[i].d1 - c.pieces[i].d0
	}
	return n
}

// touched is the number of source words in the chain's pieces.
func (c *chain) touched() int {
	n := 0
	for i := range c.pieces {
		n += c.pieces[i].touched
	}
	return n
}
