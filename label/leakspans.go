package label

import (
	"cmp"
	"fmt"
	"slices"
)

// SpanCheck watches that no character of a source is in two splits. It keeps
// one entry for each span.
type SpanCheck struct {
	spans   map[string][]splitSpan // by document
	regions int
}

type splitSpan struct {
	begin, end int64
	split      string
}

// NewSpanCheck watches spans, in any order.
func NewSpanCheck() *SpanCheck { return &SpanCheck{spans: map[string][]splitSpan{}} }

// Add shows the check a span of a document.
func (c *SpanCheck) Add(docID string, begin, end int64, split string) {
	c.spans[docID] = append(c.spans[docID], splitSpan{begin, end, split})
}

// Regions is how many regions without a gap the spans were; call Err first.
func (c *SpanCheck) Regions() int { return c.regions }

// Err names two spans that overlap in two splits, or is nothing.
func (c *SpanCheck) Err() error {
	var leaks []string
	c.regions = 0
	for doc, spans := range c.spans {
		slices.SortFunc(spans, func(a, b splitSpan) int {
			return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end), cmp.Compare(a.split, b.split))
		})
		var reach splitSpan // the span so far that ends last
		for i, s := range spans {
			switch {
			case i == 0 || s.begin >= reach.end:
				c.regions++
			case s.split != reach.split:
				leaks = append(leaks, fmt.Sprintf("%s[%d:%d] in %s and [%d:%d] in %s", doc, reach.begin, reach.end, reach.split, s.begin, s.end, s.split))
			}
			if i == 0 || s.end > reach.end {
				reach = s
			}
		}
	}
	if len(leaks) == 0 {
		return nil
	}
	slices.Sort(leaks)
	return fmt.Errorf("%d pairs of spans share words of a source and are in two splits, first %s; nothing was committed: group what belongs together before it is split", len(leaks), leaks[0])
}

// DayCheck watches that the days of train come before those of validation and
// these before those of test, and that no day is in two splits.
type DayCheck struct{ splits map[string]string } // by day

// NewDayCheck watches days of the form YYYY-MM-DD.
func NewDayCheck() *DayCheck { return &DayCheck{map[string]string{}} }

// Add shows the check one row. A day that is in two splits keeps both, joined.
func (c *DayCheck) Add(day, split string) {
	if was := c.splits[day]; was != "" && was != split {
		split = was + " and " + split
	}
	c.splits[day] = split
}

// Days is how many days were seen.
func (c *DayCheck) Days() int { return len(c.splits) }

// Err names the first day that stands where it must not, or is nothing.
func (c *DayCheck) Err() error {
	order := []string{Train, Validation, Test}
	var days []string
	for day := range c.splits {
		days = append(days, day)
	}
	slices.Sort(days)
	at, last := 0, ""
	for _, day := range days {
		k := slices.Index(order, c.splits[day])
		if k < 0 {
			return fmt.Errorf("%s is in %s: a day must be in one split", day, c.splits[day])
		}
		if k < at {
			return fmt.Errorf("%s is in %s after %s in %s: the splits' days must follow one another", day, order[k], last, order[at])
		}
		at, last = k, day
	}
	return nil
}
