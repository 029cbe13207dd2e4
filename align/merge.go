package align

import (
	"cmp"
	"slices"

	"github.com/commonplace/commonplace"
)

const (
	sameWords   = 0.8        // share of the longer span that two finds of one quotation have in common
	nearlyAs    = 0.92       // share of the best score that another place needs to be reported beside it
	boilerplate = longPlaces // places beyond which a passage is boilerplate and reported once
)

// Merge makes the candidates of one derived document, from all parts, final:
// one alignment per quotation, and the same passage in several places (editions)
// grouped; of boilerplate, which stands in too many places, the best place alone. Where finds overlap, the one with more evidence stays; ties go to the
// greater similarity, then to the source, place and length that come first.
// The result is sorted by (derived_begin, derived_end, source_id, source_begin).
func Merge(candidates []commonplace.Alignment, o Options) []commonplace.Alignment {
	order := slices.Clone(candidates)
	slices.SortFunc(order, func(a, b commonplace.Alignment) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.SourceID, b.SourceID),
			cmp.Compare(a.SourceBegin, b.SourceBegin), cmp.Compare(a.SourceEnd, b.SourceEnd), cmp.Compare(a.DerivedBegin, b.DerivedBegin), cmp.Compare(a.DerivedEnd, b.DerivedEnd))
	})
	type group struct {
		best   commonplace.Alignment
		others []commonplace.Alignment
	}
	var groups []*group
next:
	for _, a := range order {
		for _, g := range groups {
			common := max(0, min(a.DerivedEnd, g.best.DerivedEnd)-max(a.DerivedBegin, g.best.DerivedBegin))
			if common == 0 {
				continue
			}
			la, lb := a.DerivedEnd-a.DerivedBegin, g.best.DerivedEnd-g.best.DerivedBegin
			if float64(common) >= sameWords*float64(max(la, lb)) && a.Score >= nearlyAs*g.best.Score {
				if !slices.ContainsFunc(append(g.others, g.best), func(b commonplace.Alignment) bool { return samePlace(&a, &b) }) {
					g.others = append(g.others, a)
				}
				continue next
			}
			if 4*common > la {
				continue next
			}
		}
		groups = append(groups, &group{best: a})
	}
	out := make([]commonplace.Alignment, 0, len(groups))
	for _, g := range groups {
		rows := append([]commonplace.Alignment{g.best}, g.others...)
		found := int64(len(rows))
		for _, a := range rows {
			found = max(found, a.Places)
		}
		if found > boilerplate {
			rows = rows[:1]
		} else {
			found = int64(len(rows))
		}
		group := ""
		if found > 1 {
			group = rows[0].ID
		}
		if o.Places > 0 {
			rows = rows[:min(len(rows), o.Places)]
		}
		for _, a := range rows {
			a.Group, a.Places = group, found
			out = append(out, a)
		}
	}
	slices.SortFunc(out, func(a, b commonplace.Alignment) int {
		return cmp.Or(cmp.Compare(a.DerivedBegin, b.DerivedBegin), cmp.Compare(a.DerivedEnd, b.DerivedEnd), cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.SourceBegin, b.SourceBegin))
	})
	return out
}

// samePlace says whether the source spans of two finds overlap.
func samePlace(a, b *commonplace.Alignment) bool {
	return a.SourceID == b.SourceID && min(a.SourceEnd, b.SourceEnd) > max(a.SourceBegin, b.SourceBegin)
}
