package label

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/label/internal/compare"
)

// LeakCheck watches that nothing that must stay in one split is in two: no
// quote (RA-MTR), no document (passage counts), no primary source (RELiC), no
// transcript (Quotus). It keeps a hash of 16 bytes and two more for each key that it
// was shown, in a map, which takes more, and of the keys themselves only those
// that leak.
type LeakCheck struct {
	what   string // "quote", "document", for the message
	splits []string
	split  map[[16]byte]uint16 // by a hash of the key, which of splits was seen first
	leaks  map[string][]string
}

// NewLeakCheck watches keys that are called what.
func NewLeakCheck(what string) *LeakCheck {
	return &LeakCheck{what: what, split: map[[16]byte]uint16{}, leaks: map[string][]string{}}
}

// What is what the keys are called.
func (c *LeakCheck) What() string { return c.what }

// Add shows the check one row.
func (c *LeakCheck) Add(key, split string) {
	k := slices.Index(c.splits, split)
	if k < 0 {
		k, c.splits = len(c.splits), append(c.splits, split) // three splits, or some folds
	}
	sum := compare.Hash(key)
	first, seen := c.split[sum]
	switch {
	case !seen:
		c.split[sum] = uint16(k)
	case int(first) != k && !slices.Contains(c.leaks[key], split):
		c.leaks[key] = append(c.leaks[key], split)
	}
}

// Keys is how many different keys were seen.
func (c *LeakCheck) Keys() int { return len(c.split) }

// Err names what is in more than one split, the first five in alphabetical
// order, or is nothing.
func (c *LeakCheck) Err() error {
	if len(c.leaks) == 0 {
		return nil
	}
	var shown []string
	for key := range c.leaks {
		shown = append(shown, key)
	}
	slices.Sort(shown)
	more := ""
	if len(shown) > 5 {
		more = fmt.Sprintf(" and %d more", len(shown)-5)
		shown = shown[:5]
	}
	for i, key := range shown {
		splits := append([]string{c.splits[c.split[compare.Hash(key)]]}, c.leaks[key]...)
		slices.SortFunc(splits, func(a, b string) int { return cmp.Compare(a, b) })
		shown[i] = fmt.Sprintf("%q in %s", key, strings.Join(splits, " and "))
	}
	return fmt.Errorf("%d of %d %ss are in more than one split: %s%s; nothing was committed: group what belongs together before it is split",
		len(c.leaks), len(c.split), c.what, strings.Join(shown, ", "), more)
}
