// Package rank turns scores into ranks. A passage's rank is one more than the
// number of passages that score strictly higher, so that equal scores share
// the better rank and no order of the input can show ("1, 2, 2, 4").
//
// Within a document the scores are all there ([WithinDocument]). Over a whole
// library they need not be: a [Counter] is given the scores that want a rank,
// then sees every score of the library once, in any order, and keeps nothing
// of them but counts:
//
//	c, err := rank.NewCounter(mine)        // scores of this shard
//	for every score of every shard { err = c.Add(score) }
//	place := c.Place(score)                // for each of mine
//
// so memory follows the shard, not the library. A score that is not a number
// has no place in any order and is refused ([ErrNaN]).
package rank

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrNaN says that a score is not a number; the model that gave it is wrong.
var ErrNaN = errors.New("score is not a number")

// WithinDocument are the ranks of scores, in their order, from 1.
func WithinDocument(scores []float64) ([]int64, error) {
	c, err := NewCounter(scores)
	if err != nil {
		return nil, err
	}
	for _, s := range scores {
		if err := c.Add(s); err != nil {
			return nil, err
		}
	}
	ranks := make([]int64, len(scores))
	for i, s := range scores {
		ranks[i] = c.Place(s).Rank
	}
	return ranks, nil
}

// Place is where a score stands among all that were added.
type Place struct {
	Rank       int64   // 1 + the number of scores strictly greater
	Percentile float64 // share of all scores strictly lower, 0 to 1
}

// Counter places some scores among many. It is not safe for use by several
// goroutines at once.
type Counter struct {
	own   []float64 // sorted, distinct
	equal []int64   // added scores equal to own[i]
	below []int64   // added scores between own[i-1] and own[i]; below[len(own)] above all
	total int64
	lower []int64 // added scores below own[i]; nil until asked for
}

// NewCounter makes a counter that can place these scores, in any order and with
// repetitions. The scores are not themselves added.
func NewCounter(scores []float64) (*Counter, error) {
	for i, s := range scores {
		if math.IsNaN(s) {
			return nil, fmt.Errorf("score %d of %d: %w", i+1, len(scores), ErrNaN)
		}
	}
	own := slices.Clone(scores)
	slices.Sort(own)
	own = slices.Compact(own)
	return &Counter{own: own, equal: make([]int64, len(own)), below: make([]int64, len(own)+1)}, nil
}

// Add counts one score of the library.
func (c *Counter) Add(score float64) error {
	if math.IsNaN(score) {
		return fmt.Errorf("score %d added: %w", c.total+1, ErrNaN)
	}
	i, found := slices.BinarySearch(c.own, score)
	if found {
		c.equal[i]++
	} else {
		c.below[i]++
	}
	c.total++
	c.lower = nil
	return nil
}

// Place is the place of one of the counter's own scores among all that were
// added so far. It panics for a score that [NewCounter] was not given.
func (c *Counter) Place(score float64) Place {
	i, found := slices.BinarySearch(c.own, score)
	if !found {
		panic(fmt.Sprintf("rank: %v is not one of the counter's scores", score))
	}
	if c.lower == nil {
		c.lower = make([]int64, len(c.own))
		sum := int64(0)
		for i := range c.own {
			sum += c.below[i]
			c.lower[i] = sum
			sum += c.equal[i]
		}
	}
	greater := c.total - c.lower[i] - c.equal[i]
	if c.total == 0 {
		return Place{Rank: 1}
	}
	return Place{Rank: greater + 1, Percentile: float64(c.lower[i]) / float64(c.total)}
}
