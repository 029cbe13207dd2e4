package merge

import (
	"cmp"
	"slices"

	"github.com/commonplace/commonplace"
)

// reorder puts finds of sentences in another order in the place of their parts. The parts are
// judged first, each beside its neighbours. Where only parts are left of a find, and
// at least two, they are one. Rows are in the order of the derived text, and stay so.
func reorder(rows []commonplace.Alignment, finds []Candidate) []commonplace.Alignment {
	slices.SortFunc(finds, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.DerivedBegin, b.DerivedBegin), cmp.Compare(a.SourceBegin, b.SourceBegin))
	})
	for i := range finds {
		find := &finds[i].Alignment
		from := slices.IndexFunc(rows, func(r commonplace.Alignment) bool { return r.DerivedEnd > find.DerivedBegin })
		if from < 0 {
			continue
		}
		to := from
		for to < len(rows) && rows[to].DerivedBegin < find.DerivedEnd && partOf(&rows[to], find) {
			to++
		}
		if to < from+2 || to < len(rows) && rows[to].DerivedBegin < find.DerivedEnd {
			continue
		}
		rows = slices.Replace(rows, from, to, *find)
	}
	return rows
}

// partOf reports whether a row is within a find on both sides, and at no other place.
func partOf(r, find *commonplace.Alignment) bool {
	return r.SourceID == find.SourceID && r.Group == "" &&
		r.DerivedBegin >= find.DerivedBegin && r.DerivedEnd <= find.DerivedEnd && r.SourceBegin >= find.SourceBegin && r.SourceEnd <= find.SourceEnd
}
