package merge

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/commonplace/commonplace"
)

// BestFirst orders rows by quote, then evidence, similarity and position.
func BestFirst(a, b commonplace.Alignment) int {
	return cmp.Or(cmp.Compare(a.QuoteID, b.QuoteID), cmp.Compare(b.Score, a.Score), cmp.Compare(b.Similarity, a.Similarity),
		cmp.Compare(a.SourceBegin, b.SourceBegin), cmp.Compare(a.SourceEnd, b.SourceEnd))
}

// ID is the id of an alignment: its spans and texts.
func ID(a *commonplace.Alignment) string {
	if a.QuoteID != "" {
		return fmt.Sprintf("%s:%d-%d:%s", a.SourceID, a.SourceBegin, a.SourceEnd, a.QuoteID)
	}
	return fmt.Sprintf("%s:%d-%d:%s:%d-%d", a.SourceID, a.SourceBegin, a.SourceEnd, a.DerivedID, a.DerivedBegin, a.DerivedEnd)
}

// SortBySource sorts rows by [BySource].
func SortBySource(rows []commonplace.Alignment) {
	slices.SortFunc(rows, func(a, b commonplace.Alignment) int { return BySource(&a, &b) })
}

// BySource orders rows by derived document, source, position in the source and quote.
func BySource(a, b *commonplace.Alignment) int {
	return cmp.Or(cmp.Compare(a.DerivedID, b.DerivedID), cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.SourceBegin, b.SourceBegin),
		cmp.Compare(a.SourceEnd, b.SourceEnd), cmp.Compare(a.QuoteID, b.QuoteID), cmp.Compare(a.DerivedBegin, b.DerivedBegin), cmp.Compare(a.DerivedEnd, b.DerivedEnd))
}

// BestOverlapping keeps the best of each occurrence of a quote, best first.
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

// onePlace reports whether two matches of a quote are one occurrence: their source spans overlap, by half of the
// shorter or because each has words of the quote that the other lacks. The same words side by side are
// two occurrences, even if the source continues after the first with the letter with which it began.
func onePlace(a, b *commonplace.Alignment) bool {
	if a.SourceBegin >= b.SourceEnd || b.SourceBegin >= a.SourceEnd {
		return false
	}
	derived := overlap(a.DerivedBegin, a.DerivedEnd, b.DerivedBegin, b.DerivedEnd)
	return samePlace(a, b) || 2*derived < min(a.DerivedEnd-a.DerivedBegin, b.DerivedEnd-b.DerivedBegin)
}
