package align

import (
	"cmp"
	"slices"

	"github.com/commonplace/commonplace"
)

const (
	sameWords = 0.8  // share of the longer span that two finds of one quotation have in common
	nearlyAs  = 0.92 // share of the best score that another place needs to be reported beside it
)

// Merge makes the candidates of one derived document, from all parts, final:
// one alignment per quotation, and the same passage in several places (editions)
// grouped; of boilerplate, which the counts say stands in too many places for a
// collection of its size, the best place alone.
// No letter of the derived text is in two quotations: where finds share less than half of the
// weaker one, the overlap is cut where it costs least on both sides, and a find is dropped only if
// what is left of it says too little; where they share more, that with more evidence stays. Ties go
// to the greater similarity, then to the source, place and length that come first.
// The result is sorted by (derived_begin, derived_end, source_id, source_begin).
func Merge(candidates []Candidate, o Options) []commonplace.Alignment {
	o = o.orDefaults()
	order := slices.Clone(candidates)
	slices.SortFunc(order, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.SourceID, b.SourceID),
			cmp.Compare(a.SourceBegin, b.SourceBegin), cmp.Compare(a.SourceEnd, b.SourceEnd), cmp.Compare(a.DerivedBegin, b.DerivedBegin), cmp.Compare(a.DerivedEnd, b.DerivedEnd))
	})
	groups := groupFinds(order, o, func(a *commonplace.Alignment) float64 { return a.Score }).all
	out := make([]commonplace.Alignment, 0, len(groups))
	for _, g := range groups {
		rows := make([]commonplace.Alignment, 0, len(g.finds))
		for _, f := range g.finds {
			if !f.gone {
				rows = append(rows, f.Alignment)
			}
		}
		out = append(out, placesOf(rows, o)...)
	}
	sortPlaces(out)
	return out
}

// sortPlaces puts final rows of one derived document in their order.
func sortPlaces(rows []commonplace.Alignment) {
	slices.SortFunc(rows, func(a, b commonplace.Alignment) int {
		return cmp.Or(cmp.Compare(a.DerivedBegin, b.DerivedBegin), cmp.Compare(a.DerivedEnd, b.DerivedEnd), cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.SourceBegin, b.SourceBegin))
	})
}

// placesOf is the rows of a group that are reported, best first, with the group and the places filled in.
func placesOf(rows []commonplace.Alignment, o Options) []commonplace.Alignment {
	found, shared := int64(len(rows)), int64(0)
	for _, a := range rows {
		shared = max(shared, a.Places)
	}
	if shared > 1 { // boilerplate, by the counts
		rows, found = rows[:1], max(found, shared)
	}
	name := ""
	if found > 1 {
		name = rows[0].ID
	}
	if o.Places > 0 {
		rows = rows[:min(len(rows), o.Places)]
	}
	for i := range rows {
		rows[i].Group, rows[i].Places = name, found
	}
	return rows
}
