package match

import (
	"cmp"
	"math"
	"slices"
)

const (
	reorderedMost = 24 // pieces in another order at most
	reorderedOn   = 40 // symbols, or bytes, by which they may overlap: the alignment of a sentence runs on into the next
)

// run is a piece of a chain.
type run struct {
	Piece
	of *Chain
}

// Reordered are matches of a document that are parts of one find: their pieces follow each other in the derived text,
// and in the source in another order. Somebody put the sentences of a passage in another order. Gaps are those that pieces
// of one match may have ([gapSymbols], [gapBytes]), and cost as much.
func Reordered(found []*Chain) (finds []*Apart) {
	order := beside(found)
	for len(order) > 1 {
		n := 1
		for n < min(len(order), reorderedMost) && order[n].Doc == order[0].Doc && near(order[n].D0-order[n-1].D1, gapSymbols) {
			n++
		}
		for ; n > 1; n-- {
			if find := reordered(order[:n]); find != nil {
				finds = append(finds, find)
				break
			}
		}
		order = order[n:]
	}
	return finds
}

// beside is the pieces of the chains with the most evidence that have no words of each other's, in the order of the derived text.
func beside(found []*Chain) (order []run) {
	best := slices.Clone(found)
	slices.SortStableFunc(best, func(a, b *Chain) int {
		return cmp.Or(cmp.Compare(a.First().Doc, b.First().Doc), cmp.Compare(b.Bits(), a.Bits()), cmp.Compare(a.First().D0, b.First().D0), cmp.Compare(a.First().S0, b.First().S0))
	})
	at := func(d int) func(r run, c *Chain) int {
		return func(r run, c *Chain) int {
			return cmp.Or(cmp.Compare(r.Doc, c.First().Doc), cmp.Compare(r.D0, d))
		}
	}
	for _, c := range best {
		runs := c.runs()
		free := true
		for i := range runs {
			k, _ := slices.BinarySearchFunc(order, c, at(runs[i].D0))
			for _, r := range order[max(0, k-1):min(len(order), k+1)] {
				free = free && (r.Doc != runs[i].Doc || min(r.D1, runs[i].D1)-max(r.D0, runs[i].D0) <= reorderedOn)
			}
		}
		if !free {
			continue
		}
		for _, p := range runs {
			k, _ := slices.BinarySearchFunc(order, c, at(p.D0))
			order = slices.Insert(order, k, run{p, c})
		}
	}
	return order
}

// near reports whether two parts are side by side.
func near(gap, most int) bool { return gap >= -reorderedOn && gap <= most }

// reordered is one find of pieces that follow each other in the derived text; nil if they do not follow each other in the source,
// have the same order there, or are not all of their chains.
func reordered(runs []run) *Apart {
	bySource := slices.Clone(runs)
	slices.SortStableFunc(bySource, func(a, b run) int { return cmp.Compare(a.S0, b.S0) })
	a, pieces := &Apart{}, 0
	for i, r := range runs {
		if !slices.Contains(a.chains, r.of) {
			a.chains = append(a.chains, r.of)
			pieces += len(r.of.runs())
		}
		if i == 0 {
			continue
		}
		gap := bySource[i].S0 - bySource[i-1].S1
		if !near(gap, gapBytes) {
			return nil
		}
		a.cost += apart + math.Log2(1+float64(max(0, gap))/4) + letterBits*float64(max(0, runs[i-1].D1-runs[i].D0))
	}
	if len(a.chains) < 2 || pieces > len(runs) {
		return nil
	}
	for _, c := range a.chains {
		a.cost -= apart * float64(len(c.runs())-1) // its own gaps are paid
	}
	return a
}
