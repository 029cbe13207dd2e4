package rank

import (
	"errors"
	"fmt"
)

// exactFloats is the number below which float64 holds every whole number.
const exactFloats = 1 << 53

// ErrTooMany says that a library has more passages than can be put in order.
var ErrTooMany = errors.New("too many passages to rank")

// Balance is the key of a passage in the order in which documents take turns: the
// best passage of every document, then every second, and so on; in a turn the
// passages are in the order of the whole library. within and overall are its ranks
// in its document and over all of total passages. As a score, a greater key comes first:
//
//	places, err := balanced.Places(keys)
//
// A book has a number of quotable passages that hardly grows with its length
// (docs/rankings.md), which is why each has as many turns.
func Balance(within, overall, total int64) (float64, error) {
	if total >= exactFloats/(within+1) {
		return 0, fmt.Errorf("%w: passage %d of its document among %d", ErrTooMany, within, total)
	}
	return -float64(within*(total+1) + overall), nil
}
