package match

import (
	"cmp"
	"math"
	"slices"

	"github.com/commonplace/commonplace/align/marks"
)

// A match consists of pieces that follow each other on both sides: over an
// ellipsis mark, an insertion, a few changed words, or from one block to the
// next. Joining costs the information where the next piece begins: log2 of the number
// of positions in the gap on both sides.
const (
	gapSymbols    = 90    // derived symbols between two pieces
	gapBytes      = 160   // source bytes between two pieces
	ellipsisBytes = 2400  // source bytes beyond an ellipsis that are searched for a part
	ellipsisMost  = 12000 // source bytes that an ellipsis omits at most: paragraphs, or a page or two
	backSymbols   = 4     // by which pieces may overlap
	omitted       = 1.0   // bits for continuing after an ellipsis
	apart         = 8.0   // and without one: a missed word, and one more
)

// Chain is a match: pieces in order.
type Chain struct {
	Pieces   []Piece
	cost     float64
	costs    []float64 // of continuing after each piece
	ellipses []bool    // ellipses[i]: there is an ellipsis between pieces i and i+1
}

// First is the first piece.
func (c *Chain) First() *Piece { return &c.Pieces[0] }
func (c *Chain) last() *Piece  { return &c.Pieces[len(c.Pieces)-1] }

// marked reports whether quotation marks are at both ends of the chain.
func (c *Chain) marked() bool { return c.First().opened && c.last().closed }

// Bits is the evidence of the chain, with that of marks at its ends.
func (c *Chain) Bits() float64 {
	b := c.First().open + c.last().close - c.cost
	if c.marked() {
		b += marks.BothBits
	}
	for i := range c.Pieces {
		b += c.Pieces[i].Bits
	}
	return b
}

// gapCost is the cost of going from piece a to piece b, and whether it goes over an
// ellipsis; ok is false where it cannot be.
func (m *Matcher) gapCost(a, b *Piece) (cost float64, omits, ok bool) {
	gd, gs := b.D0-a.D1, b.S0-a.S1
	if gd < -backSymbols || gs < -2*backSymbols || b.D1 <= a.D1 || b.S1 <= a.S1 {
		return 0, false, false
	}
	omits = m.ellipsisBetween(a.D1, b.D0)
	if omits && gd <= 3 && gs <= ellipsisMost {
		return omitted + math.Log2(1+float64(max(gs, 0))/4), true, true
	}
	if gd <= gapSymbols && gs <= gapBytes {
		return apart + math.Log2((1+float64(max(gd, -gd)))*(1+float64(max(gs, -gs))/4)), omits, true
	}
	return 0, false, false
}

// ellipsisBetween reports whether there is an ellipsis between symbols a and b, ends included.
func (m *Matcher) ellipsisBetween(a, b int) bool {
	i, _ := slices.BinarySearch(m.Marks.Ellipses, int32(min(a, b)))
	return i < len(m.Marks.Ellipses) && int(m.Marks.Ellipses[i]) <= max(a, b)
}

// Chains joins the pieces of one derived side. Pieces within others are
// dropped; ties go to the leftmost, then shortest, then to the most evidence.
func (m *Matcher) Chains(pieces []Piece) []Chain {
	slices.SortFunc(pieces, func(a, b Piece) int {
		return cmp.Or(cmp.Compare(a.Doc, b.Doc), cmp.Compare(a.D0, b.D0), cmp.Compare(a.S0, b.S0), cmp.Compare(b.D1, a.D1), cmp.Compare(a.S1, b.S1),
			cmp.Compare(b.Bits, a.Bits)) // one segment may be aligned from two seeds, in windows that differ
	})
	pieces = slices.CompactFunc(pieces, func(a, b Piece) bool {
		return a.Doc == b.Doc && b.D0 >= a.D0 && b.D1 <= a.D1 && b.S0 >= a.S0 && b.S1 <= a.S1
	})
	used := make([]bool, len(pieces))
	var out []Chain
	for i := range pieces {
		if used[i] {
			continue
		}
		c := Chain{Pieces: []Piece{pieces[i]}}
		used[i] = true
		for {
			a := c.last()
			best, bestGain, bestOmits, bestCost := -1, 0.0, false, 0.0
			for j := i + 1; j < len(pieces) && pieces[j].Doc == a.Doc && pieces[j].D0 <= a.D1+gapSymbols; j++ {
				if used[j] {
					continue
				}
				cost, omits, ok := m.gapCost(a, &pieces[j])
				// Marks between the pieces are no evidence once they are joined.
				gain := min(pieces[j].Bits, a.Bits) - cost
				if ok && gain > 0 && gain > bestGain {
					best, bestGain, bestOmits, bestCost = j, gain, omits, cost
				}
			}
			if best < 0 {
				break
			}
			used[best] = true
			c.Pieces = append(c.Pieces, pieces[best])
			c.ellipses = append(c.ellipses, bestOmits)
			c.cost += bestCost
			c.costs = append(c.costs, bestCost)
		}
		out = append(out, c)
	}
	return out
}

// Matched is the number of unchanged source words.
func (c *Chain) Matched() int {
	n := 0
	for i := range c.Pieces {
		n += c.Pieces[i].matched
	}
	return n
}

// Words is the evidence of the chain without that of marks.
func (c *Chain) Words() float64 {
	b := -c.cost
	for i := range c.Pieces {
		b += c.Pieces[i].Bits
	}
	return b
}

// Cover is the number of derived symbols in the chain's pieces.
func (c *Chain) Cover() int {
	n := 0
	for i := range c.Pieces {
		n += c.Pieces[i].D1 - c.Pieces[i].D0
	}
	return n
}

// Touched is the number of source words in the chain's pieces.
func (c *Chain) Touched() int {
	n := 0
	for i := range c.Pieces {
		n += c.Pieces[i].touched
	}
	return n
}
