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
	if len(finds) == 0 {
		return rows
	}
	slices.SortFunc(finds, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.DerivedBegin, b.DerivedBegin), cmp.Compare(a.SourceBegin, b.SourceBegin))
	})
	ends := make([]int64, len(rows)) // the last end of a row and those before
	for i := range rows {
		ends[i] = max(rows[i].DerivedEnd, ends[max(0, i-1)])
	}
	instead := make([]*commonplace.Alignment, len(rows)) // the find in the place of a row
	for i := range finds {
		find := &finds[i].Alignment
		from, _ := slices.BinarySearchFunc(rows, find.DerivedBegin, func(r commonplace.Alignment, at int64) int { return cmp.Compare(r.DerivedBegin, at) })
		to := from
		for to < len(rows) && rows[to].DerivedBegin < find.DerivedEnd && instead[to] == nil && partOf(&rows[to], find) {
			to++
		}
		others := from > 0 && ends[from-1] > find.DerivedBegin || to < len(rows) && rows[to].DerivedBegin < find.DerivedEnd
		if to < from+2 || others {
			continue
		}
		for k := from; k < to; k++ {
			instead[k] = find
		}
	}
	out := rows[:0]
	for i, find := range instead {
		switch {
		case find == nil:
			out = append(out, rows[i])
		case i == 0 || find != instead[i-1]:
			out = append(out, *find)
		}
	}
	return out
}

// partOf reports whether a row, which has no other place, is within a find. Parts of the find have
// most of it: it is not in a gap between them. Words that parts share cost a find evidence; with no more than
// a part of it has, it is not reported.
func partOf(r, find *commonplace.Alignment) bool {
	if r.SourceID != find.SourceID || r.Group != "" || r.Score >= find.Score || r.DerivedBegin < find.DerivedBegin || r.DerivedEnd > find.DerivedEnd {
		return false
	}
	shared := int64(0)
	for _, p := range find.Parts {
		if overlap(p.SourceBegin, p.SourceEnd, r.SourceBegin, r.SourceEnd) > 0 {
			shared += overlap(p.DerivedBegin, p.DerivedEnd, r.DerivedBegin, r.DerivedEnd)
		}
	}
	return 2*shared > r.DerivedEnd-r.DerivedBegin
}
