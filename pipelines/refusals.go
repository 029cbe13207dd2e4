package pipelines

import (
	"fmt"
	"maps"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

// refusals counts what is refused of one file that holds many documents. The
// first of each reason get a row each, and one more row stands for the others: a
// packed list of a kilobyte can have a million broken lines.
type refusals struct {
	most int64
	seen map[string]int64 // by reason
}

func newRefusals(l bounded.Limits) *refusals {
	return &refusals{most: l.WithDefaults().Rejects, seen: map[string]int64{}}
}

// told counts one more, and says whether it gets a row of its own.
func (r *refusals) told(reason string) bool {
	r.seen[reason]++
	return r.seen[reason] <= r.most
}

// untold gives the rows that stand for the others, each with their number.
func (r *refusals) untold(do func(reject commonplace.Reject, count int64)) {
	for _, reason := range slices.Sorted(maps.Keys(r.seen)) {
		if n := r.seen[reason] - r.most; n > 0 {
			do(commonplace.Reject{Reason: reason, Detail: fmt.Sprintf("%d more are refused for this reason and have no row (limits.rejects is %d; a config can raise it)", n, r.most)}, n)
		}
	}
}

// items are the rows as what was refused in listing.
func (r *refusals) items(rel string, take func(item)) {
	r.untold(func(reject commonplace.Reject, count int64) {
		it := refusedItem(reject, rel)
		it.Untold = count - 1
		take(it)
	})
}

// heldItem is about what a document that is listed costs beside its names.
const heldItem = 512
