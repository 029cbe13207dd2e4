package eval

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
)

// Attributes compares the most with the least quoted passages, feature by feature
// ("Content-based models of quotation", section 5).
type Attributes struct {
	names     []string
	high, low []Moments
	counts    []bool // has a value other than 0 and 1
	atLeast   int64  // count of the most quoted
	atMost    int64  // count of the least quoted

	passages map[int64]int64 // by their count
	every    [2]int64        // of the most and the least quoted, every such passage is taken
	seen     [2]int64        // of each group so far
}

// The tests of a feature.
const (
	ByWelch  = "welch"
	ByFisher = "fisher" // exact: every passage has the feature or has it not
	NoTest   = "none"   // no passage differs, or Welch's would have too few
)

// fifth is the share of the passages in each of the two groups.
const fifth = 0.2

// NewAttributes begins a comparison of the named features. passages gives the
// number of passages by their quote count.
//
// Passages of equal count cannot be distinguished, so a group takes all of them or
// none. The least quoted have at most the count of the passage a fifth from the
// bottom; the most quoted have at least that of the passage a fifth from the top,
// and more than the least quoted.
func NewAttributes(names []string, passages map[int64]int64) (*Attributes, error) {
	counts := slices.Sorted(maps.Keys(passages))
	total := int64(0)
	for _, n := range passages {
		total += n
	}
	a := &Attributes{names: names, passages: passages, every: [2]int64{1, 1}, high: make([]Moments, len(names)), low: make([]Moments, len(names)), counts: make([]bool, len(names))}
	wanted := int64(math.Ceil(fifth * float64(total)))
	sum, at := int64(0), 0
	for i, c := range counts {
		if sum += passages[c]; sum >= wanted {
			a.atMost, at = c, i
			break
		}
	}
	if at+1 >= len(counts) {
		return nil, fmt.Errorf("%d passages, too many of one quote count to tell the most from the least quoted", total)
	}
	sum = 0
	for _, c := range slices.Backward(counts[at+1:]) {
		a.atLeast = c
		if sum += passages[c]; sum >= wanted {
			break
		}
	}
	return a, nil
}

// Sample has about n passages of each group taken, at equal distances; 0 is all.
func (a *Attributes) Sample(n int) {
	if n == 0 {
		return
	}
	var sizes [2]int64
	for count, passages := range a.passages {
		if g, ok := a.group(count); ok {
			sizes[g] += passages
		}
	}
	for g, size := range sizes {
		a.every[g] = max(1, size/int64(n))
	}
}

// group is 0 for the most and 1 for the least quoted.
func (a *Attributes) group(count int64) (g int, ok bool) {
	switch {
	case count <= a.atMost:
		return 1, true
	case count < a.atLeast:
		return 0, false
	}
	return 0, true
}

// Takes says, of each passage in turn, whether it is to be added.
func (a *Attributes) Takes(count int64) bool {
	g, ok := a.group(count)
	if !ok {
		return false
	}
	a.seen[g]++
	return (a.seen[g]-1)%a.every[g] == 0
}

// Add takes one passage: its quote count and features in the order of the names.
func (a *Attributes) Add(count int64, features []float32) {
	g, ok := a.group(count)
	if !ok {
		return
	}
	group := a.high
	if g == 1 {
		group = a.low
	}
	for i, x := range features {
		group[i].Add(float64(x))
		a.counts[i] = a.counts[i] || x != 0 && x != 1
	}
}

// Attribute is one feature of the two groups.
type Attribute struct {
	Name   string  `json:"name"`
	Most   float64 `json:"most"`  // mean over the most quoted
	Least  float64 `json:"least"` // mean over the least quoted
	Test   string  `json:"test"`  // [ByWelch], [ByFisher] or [NoTest]
	T      float64 `json:"-"`     // Welch's; infinite when neither group varies; 0 for other tests
	P      float64 `json:"p"`     // two-sided, corrected by Bonferroni for the tests that were made; 1 for none
	Arrows string  `json:"arrows"`
}

// AttributeResult is the comparison of all features.
type AttributeResult struct {
	Most       int         `json:"most"`     // passages
	AtLeast    int64       `json:"at_least"` // their count
	Least      int         `json:"least"`
	AtMost     int64       `json:"at_most"`
	Tests      int         `json:"tests"`             // that were made
	Sampled    bool        `json:"sampled,omitempty"` // of each group only some
	Attributes []Attribute `json:"attributes"`
}

// Result sums up, features in their order.
func (a *Attributes) Result() (AttributeResult, error) {
	r := AttributeResult{AtLeast: a.atLeast, AtMost: a.atMost, Sampled: a.every != [2]int64{1, 1}}
	for i, name := range a.names {
		r.Most, r.Least = a.high[i].N, a.low[i].N
		if r.Most < 2 || r.Least < 2 {
			return r, fmt.Errorf("%d most and %d least quoted passages are too few to compare", r.Most, r.Least)
		}
		row := Attribute{Name: name, Most: a.high[i].Mean, Least: a.low[i].Mean}
		row.Test, row.T, row.P = a.test(i)
		if row.Test != NoTest {
			r.Tests++
		}
		r.Attributes = append(r.Attributes, row)
	}
	for i := range r.Attributes {
		row := &r.Attributes[i]
		if row.Test != NoTest {
			row.P = Bonferroni(row.P, r.Tests)
		}
		row.Arrows = Arrows(row.Most-row.Least, row.P)
	}
	return r, nil
}

// enough is how many passages each group needs before Welch's test says anything:
// its t needs means that are about normal, and rates of a handful of passages are
// not. Eight passages that all lack a feature have no variance and a p of 1e-162.
const enough = 30

// TooFew says why the comparison is not to be shown.
func (r AttributeResult) TooFew() error {
	if r.Most < enough || r.Least < enough {
		return TooFewError{r.Most, r.Least}
	}
	return nil
}

// TooFewError is how many passages there are of each group.
type TooFewError struct{ Most, Least int }

func (e TooFewError) Error() string {
	return fmt.Sprintf("%d most and %d least quoted passages are too few to compare features: %d of each are needed", e.Most, e.Least, enough)
}

// test is which test tells the groups apart by a feature, Welch's t, and p before it is
// corrected.
func (a *Attributes) test(i int) (name string, t, p float64) {
	high, low := a.high[i], a.low[i]
	switch {
	case high.Mean == low.Mean && high.Variance() == 0 && low.Variance() == 0:
		return NoTest, 0, 1
	case !a.counts[i]:
		yes := func(m Moments) int { return int(math.Round(m.Mean * float64(m.N))) }
		return ByFisher, 0, Fisher(yes(high), high.N, yes(low), low.N)
	case high.N < enough || low.N < enough:
		return NoTest, 0, 1
	}
	t, _, p = Welch(high, low)
	return ByWelch, t, p
}

// Arrows are one, two, three or four at p < .05, .01, .001, .0001, up when the most quoted
// have more; – otherwise. p is already corrected.
func Arrows(more, p float64) string {
	n := 0
	for _, below := range []float64{0.05, 0.01, 0.001, 0.0001} {
		if p < below {
			n++
		}
	}
	switch {
	case n == 0:
		return "–"
	case more < 0:
		return strings.Repeat("↓", n)
	}
	return strings.Repeat("↑", n)
}

// Text is the table for a terminal.
func (r AttributeResult) Text(columns int) string {
	columns = cmp.Or(columns, Columns)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", folded(r.Summary(), columns))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "feature\t\tmost quoted\tleast quoted\tp\ttest")
	for _, a := range r.Attributes {
		fmt.Fprintf(w, "%s\t%s\t%.4g\t%.4g\t%s\t%s\n", a.Name, a.Arrows, a.Most, a.Least, a.figure(), a.Test)
	}
	w.Flush()
	fmt.Fprintf(&b, "\n%s", folded(r.note(), columns))
	return b.String()
}

// Markdown is the table for a document.
func (r AttributeResult) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n| feature | | most quoted | least quoted | p | test |\n|---|---|---:|---:|---:|---|\n", r.Summary())
	for _, a := range r.Attributes {
		fmt.Fprintf(&b, "| %s | %s | %.4g | %.4g | %s | %s |\n", a.Name, a.Arrows, a.Most, a.Least, a.figure(), a.Test)
	}
	fmt.Fprintf(&b, "\n%s\n", r.note())
	return b.String()
}

// Summary says what the groups are.
func (r AttributeResult) Summary() string {
	least := "never quoted"
	if r.AtMost > 0 {
		least = fmt.Sprintf("quoted at most %d times", r.AtMost)
	}
	most := "quoted"
	if r.AtLeast > 1 {
		most = fmt.Sprintf("quoted at least %d times", r.AtLeast)
	}
	return fmt.Sprintf("%d passages %s against %d %s", r.Most, most, r.Least, least)
}

// figure is p, or – where no test was made.
func (a Attribute) figure() string {
	if a.Test == NoTest {
		return "–"
	}
	return fmt.Sprintf("%.2g", a.P)
}

// note says which tests were made.
func (r AttributeResult) note() string {
	note := fmt.Sprintf("%d tests, Bonferroni-corrected: Welch's t, or Fisher's exact one where a passage has a feature or has it not. "+
		"One to four arrows at p < .05 .01 .001 .0001, up where the most quoted have more.", r.Tests)
	if min(r.Most, r.Least) < enough {
		note += fmt.Sprintf(" Welch's test is left out: it needs %d passages in each group.", enough)
	}
	return note
}
