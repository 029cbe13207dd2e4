package label

import (
	"cmp"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label/internal/disjoint"
)

// Clusters names, by alignment id, the cluster of each alignment: alignments
// that stand at roughly the same place of a source are one cluster, as Quotus
// joins the edits of one quote (context-based quotation recommendation,
// "Dataset"). Two are at the same place when they share at least half of the
// shorter one. A cluster is named doc_id:begin-end after the region that it
// covers.
func Clusters(alignments []commonplace.Alignment) map[string]string {
	rows := slices.Clone(alignments)
	slices.SortFunc(rows, func(a, b commonplace.Alignment) int {
		return cmp.Or(cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.SourceBegin, b.SourceBegin), cmp.Compare(a.SourceEnd, b.SourceEnd), cmp.Compare(a.ID, b.ID))
	})
	trees := disjoint.New(len(rows))
	var open []int // rows that reach beyond where the sweep is
	for i, a := range rows {
		open = slices.DeleteFunc(open, func(k int) bool {
			return rows[k].SourceID != a.SourceID || rows[k].SourceEnd <= a.SourceBegin
		})
		for _, k := range open {
			b := rows[k]
			shared := min(a.SourceEnd, b.SourceEnd) - a.SourceBegin
			if 2*shared >= min(a.SourceEnd-a.SourceBegin, b.SourceEnd-b.SourceBegin) {
				trees.Join(i, k)
			}
		}
		open = append(open, i)
	}
	end := make([]int64, len(rows)) // by root; the root is the first row and begins first
	for i, a := range rows {
		r := trees.Root(i)
		end[r] = max(end[r], a.SourceEnd)
	}
	names := make(map[string]string, len(rows))
	for i, a := range rows {
		r := trees.Root(i)
		names[a.ID] = spanID(a.SourceID, rows[r].SourceBegin, end[r])
	}
	return names
}
