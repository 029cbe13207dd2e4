package merge

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/commonplace/commonplace"
)

// BestFirst orders rows by quote, then evidence, similarity and place.
func BestFirst(a, b commonplace.Alignment) int {
	return cmp.Or(cmp.Compare(a.QuoteID, b.QuoteID), cmp.Compare(b.Score, a.Score), cmp.Compare(b.Similarity, a.Similarity),
		cmp.Compare(a.SourceBegin, b.SourceBegin), cmp.Compare(a.SourceEnd, b.SourceEnd))
}

func ID(a *commonplace.Alignment) string {
	if a.QuoteID != "" {
		return fmt.Sprintf("%s:%d-%d:%s", a.SourceID, a.SourceBegin, a.SourceEnd, a.QuoteID)
	}
	return fmt.Sprintf("%s:%d-%d:%s:%d-%d", a.SourceID, a.SourceBegin, a.SourceEnd, a.DerivedID, a.DerivedBegin, a.DerivedEnd)
}

func SortBySource(rows []commonplace.Alignment) {
	slices.SortFunc(rows, func(a, b commonplace.Alignment) int { return BySource(&a, &b) })
}

func BySource(a, b *commonplace.Alignment) int {
	return cmp.Or(cmp.Compare(a.DerivedID, b.DerivedID), cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.SourceBegin, b.SourceBegin),
		cmp.Compare(a.SourceEnd, b.SourceEnd), cmp.Compare(a.QuoteID, b.QuoteID), cmp.Compare(a.DerivedBegin, b.DerivedBegin), cmp.Compare(a.DerivedEnd, b.DerivedEnd))
}
