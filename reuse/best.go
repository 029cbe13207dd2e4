package reuse

import (
	"cmp"
	"slices"

	"github.com/commonplace/commonplace"
)

// Best keeps of the alignments of one target those of its best sources, as passim does
// without --all-pairs. An alignment goes if better ones have half of its words, so a word
// has two sources where less overlaps. The rest stay in their order.
func Best(all []commonplace.Alignment) []commonplace.Alignment {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, k int) int {
		a, b := all[i], all[k]
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.ID, b.ID))
	})
	taken := make([]bool, len(all))
	var spans []commonplace.Span // of the target, in order, that have a source; none overlap
	for _, i := range order {
		s := commonplace.Span{Begin: int(all[i].DerivedBegin), End: int(all[i].DerivedEnd)}
		first, _ := slices.BinarySearchFunc(spans, s.Begin, func(x commonplace.Span, begin int) int { return cmp.Compare(x.End, begin+1) })
		covered, last := 0, first
		for ; last < len(spans) && spans[last].Begin < s.End; last++ {
			covered += min(spans[last].End, s.End) - max(spans[last].Begin, s.Begin)
		}
		if 2*covered >= s.End-s.Begin {
			continue
		}
		taken[i] = true
		if last > first {
			s.Begin, s.End = min(s.Begin, spans[first].Begin), max(s.End, spans[last-1].End)
		}
		spans = slices.Replace(spans, first, last, s)
	}
	var best []commonplace.Alignment
	for i, a := range all {
		if taken[i] {
			best = append(best, a)
		}
	}
	return best
}
