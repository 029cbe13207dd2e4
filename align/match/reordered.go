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

// beside is the pieces of the chains in the order of the derived text. Of two that share words, it has the one with more evidence.
func beside(found []*Chain) []run {
	var order []run
	for _, c := range found {
		for _, p := range c.runs() {
			order = append(order, run{p, c})
		}
	}
	slices.SortStableFunc(order, func(a, b run) int {
		return cmp.Or(cmp.Compare(a.Doc, b.Doc), cmp.Compare(a.D0, b.D0), cmp.Compare(a.S0, b.S0))
	})
	kept, dropped := order[:0], map[*Chain]bool{}
	for _, r := range order {
		for !dropped[r.of] && len(kept) > 0 {
			last := &kept[len(kept)-1]
			if last.Doc != r.Doc || last.of == r.of || last.D1-r.D0 <= reorderedOn {
				break
			}
			if last.of.Bits() >= r.of.Bits() {
				dropped[r.of] = true
			} else {
				dropped[last.of] = true
				kept = kept[:len(kept)-1]
			}
		}
		if !dropped[r.of] {
			kept = append(kept, r)
		}
	}
	return slices.DeleteFunc(kept, func(r run) bool { return dropped[r.of] })
}

// near reports whether two parts are side by side.
func near(gap, most int) bool { return gap >= -reorderedOn && gap <= most }

// reordered is one find of pieces that follow each other in the derived text; nil if they do not follow each other in the source,
// have the same order there, or are not all of their chains.
func reordered(runs []run) *Apart {
	bySource := slices.Clone(runs)
	slices.SortStableFunc(bySource, func(a, b run) int { return cmp.Compare(a.S0, b.S0) })
	if slices.EqualFunc(runs, bySource, func(a, b run) bool { return a.of == b.of && a.D0 == b.D0 }) {
		return nil
	}
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
