package engine

import (
	"fmt"
	"maps"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
)

// RejectLimit counts what is refused of one file that holds many documents. The
// first of each reason get a row each, and one more row stands for the others: a
// packed list of a kilobyte can have a million broken lines.
type RejectLimit struct {
	most int64
	seen map[string]int64 // by reason
}

// NewRejectLimit allows as many rows of a reason as the limits say.
func NewRejectLimit(l bounded.Limits) *RejectLimit {
	return &RejectLimit{most: l.WithDefaults().Rejects, seen: map[string]int64{}}
}

// Add counts one more, and says whether it gets a row of its own.
func (r *RejectLimit) Add(reason string) bool {
	r.seen[reason]++
	return r.seen[reason] <= r.most
}

// Rest gives the rows that stand for the others, each with their number.
func (r *RejectLimit) Rest(do func(reject commonplace.Reject, count int64)) {
	for _, reason := range slices.Sorted(maps.Keys(r.seen)) {
		if n := r.seen[reason] - r.most; n > 0 {
			do(commonplace.Reject{Reason: reason, Detail: fmt.Sprintf("%d more are refused for this reason and have no row (limits.rejects is %d; a config can raise it)", n, r.most)}, n)
		}
	}
}

// Reset forgets what was counted.
func (r *RejectLimit) Reset() { clear(r.seen) }
