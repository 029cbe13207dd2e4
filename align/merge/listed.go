package merge

import (
	"slices"

	"github.com/commonplace/commonplace"
)

// BestOverlapping keeps, of finds of one quote that are one place of it, the best;
// they come out best first.
func BestOverlapping(rows []commonplace.Alignment) []commonplace.Alignment {
	slices.SortFunc(rows, BestFirst)
	var out []commonplace.Alignment
	for _, a := range rows {
		if !slices.ContainsFunc(out, func(b commonplace.Alignment) bool { return onePlace(&a, &b) }) {
			out = append(out, a)
		}
	}
	return out
}

// onePlace reports whether two finds of a quote are of one place: their source spans overlap, by half of the
// shorter or because each has words of the quote that the other has not. The same words side by side are
// two places, even if the source goes on after the first with the letter with which it began.
func onePlace(a, b *commonplace.Alignment) bool {
	if a.SourceBegin >= b.SourceEnd || b.SourceBegin >= a.SourceEnd {
		return false
	}
	derived := overlap(a.DerivedBegin, a.DerivedEnd, b.DerivedBegin, b.DerivedEnd)
	return samePlace(a, b) || 2*derived < min(a.DerivedEnd-a.DerivedBegin, b.DerivedEnd-b.DerivedBegin)
}
