// Package rank turns scores into ranks. A passage's rank is one more than the
// number of passages that score strictly higher, so that equal scores share
// the better rank and no order of the input can show ("1, 2, 2, 4").
//
// Within a document the scores are all there ([WithinDocument]). Over a whole
// library they need not be in memory: they are put in order in a file once, and
// every shard then finds the places of its own scores there:
//
//	err := rank.WriteOrder(file, scores)         // of every shard
//	order, err := rank.OpenOrder(file, size)
//	places, err := order.Places(mine)            // of one shard
//
// A score that is not a number has no place in any order and is refused
// ([ErrNaN]).
package rank

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrNaN says that a score is not a number; the model that gave it is wrong.
var ErrNaN = errors.New("score is not a number")

// Place is where a score stands among all.
type Place struct {
	Rank       int64   // 1 + the number of scores strictly greater
	Percentile float64 // share of all scores strictly lower, 0 to 1
}

// WithinDocument are the ranks of scores, in their order, from 1.
func WithinDocument(scores []float64) ([]int64, error) {
	for i, s := range scores {
		if math.IsNaN(s) {
			return nil, fmt.Errorf("score %d of %d: %w", i+1, len(scores), ErrNaN)
		}
	}
	sorted := slices.Clone(scores)
	slices.Sort(sorted)
	ranks := make([]int64, len(scores))
	for i, s := range scores {
		atMost, _ := slices.BinarySearchFunc(sorted, s, func(e, s float64) int {
			if e > s {
				return 1
			}
			return -1
		})
		ranks[i] = int64(len(sorted)-atMost) + 1
	}
	return ranks, nil
}
