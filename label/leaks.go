package label

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// LeakCheck watches that nothing that must stay in one split is in two: no
// quote (RA-MTR), no document (passage counts), no primary source (RELiC), no
// transcript (Quotus). It keeps one entry for each key that it was shown.
type LeakCheck struct {
	what  string            // "quote", "document", for the message
	split map[string]string // by key, the first seen
	leaks map[string][]string
}

// NewLeakCheck watches keys that are called what.
func NewLeakCheck(what string) *LeakCheck {
	return &LeakCheck{what: what, split: map[string]string{}, leaks: map[string][]string{}}
}

// What is what the keys are called.
func (c *LeakCheck) What() string { return c.what }

// Add shows the check one row.
func (c *LeakCheck) Add(key, split string) {
	first, seen := c.split[key]
	switch {
	case !seen:
		c.split[key] = split
	case first != split && !slices.Contains(c.leaks[key], split):
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
		splits := append([]string{c.split[key]}, c.leaks[key]...)
		slices.SortFunc(splits, func(a, b string) int { return cmp.Compare(a, b) })
		shown[i] = fmt.Sprintf("%q in %s", key, strings.Join(splits, " and "))
	}
	return fmt.Errorf("%d of %d %ss are in more than one split: %s%s; nothing was committed: group what belongs together before it is split",
		len(c.leaks), len(c.split), c.what, strings.Join(shown, ", "), more)
}
