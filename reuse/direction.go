package reuse

import (
	"slices"

	"github.com/commonplace/commonplace"
)

// Turned is an alignment from the older document to the newer: one whose source is newer
// has its sides changed. Where the dates do not say, it stays as it was found.
func Turned(a commonplace.Alignment) (commonplace.Alignment, bool) {
	if a.SourceIs != "newer" {
		return a, false
	}
	a.SourceID, a.DerivedID = a.DerivedID, a.SourceID
	a.SourceBegin, a.DerivedBegin = a.DerivedBegin, a.SourceBegin
	a.SourceEnd, a.DerivedEnd = a.DerivedEnd, a.SourceEnd
	a.SourceText, a.DerivedText = a.DerivedText, a.SourceText
	a.SourceMetadata, a.DerivedMetadata = a.DerivedMetadata, a.SourceMetadata
	a.Parts = slices.Clone(a.Parts)
	for i, p := range a.Parts {
		a.Parts[i] = commonplace.Part{DerivedBegin: p.SourceBegin, DerivedEnd: p.SourceEnd, SourceBegin: p.DerivedBegin, SourceEnd: p.DerivedEnd}
	}
	a.SourceIs = "older"
	return a, true
}

// Once are the alignments of one target without those turned ones that say again what
// another says: two documents that are each searched for the other's words are matched
// twice. The rest stay in their order.
func Once(all []commonplace.Alignment, turned func(id string) bool) []commonplace.Alignment {
	bySource := map[string][]commonplace.Alignment{}
	for _, a := range all {
		if !turned(a.ID) {
			bySource[a.SourceID] = append(bySource[a.SourceID], a)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(a commonplace.Alignment) bool {
		return turned(a.ID) && slices.ContainsFunc(bySource[a.SourceID], func(b commonplace.Alignment) bool {
			return HalfShared(a.SourceBegin, a.SourceEnd, b.SourceBegin, b.SourceEnd) && HalfShared(a.DerivedBegin, a.DerivedEnd, b.DerivedBegin, b.DerivedEnd)
		})
	})
}

// HalfShared says that two spans share at least half of the first: then a match in one direction
// says what that in the other says.
func HalfShared(begin, end, otherBegin, otherEnd int64) bool {
	return 2*(min(end, otherEnd)-max(begin, otherBegin)) >= end-begin
}
