package eval

import (
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
	atLeast   int64 // count of the most quoted
	atMost    int64 // count of the least quoted

	passages map[int64]int64 // by their count
	every    [2]int64        // of the most and the least quoted, every such passage is taken
	seen     [2]int64        // of each group so far
}

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
	a := &Attributes{names: names, passages: passages, every: [2]int64{1, 1}, high: make([]Moments, len(names)), low: make([]Moments, len(names))}
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
	}
}

// Attribute is one feature of the two groups.
type Attribute struct {
	Name   string  `json:"name"`
	Most   float64 `json:"most"`  // mean over the most quoted
	Least  float64 `json:"least"` // mean over the least quoted
	T      float64 `json:"-"`     // Welch's; infinite when neither group varies
	P      float64 `json:"p"`     // two-sided, corrected by Bonferroni for all features
	Arrows string  `json:"arrows"`
}

// AttributeResult is the comparison of all features.
type AttributeResult struct {
	Most       int         `json:"most"`     // passages
	AtLeast    int64       `json:"at_least"` // their count
	Least      int         `json:"least"`
	AtMost     int64       `json:"at_most"`
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
		t, _, p := Welch(a.high[i], a.low[i])
		p = Bonferroni(p, len(a.names))
		r.Attributes = append(r.Attributes, Attribute{name, a.high[i].Mean, a.low[i].Mean, t, p, Arrows(t, p)})
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

// Arrows are one, two, three or four at p < .05, .01, .001, .0001, up when t is
// positive; – otherwise. p is already corrected.
func Arrows(t, p float64) string {
	n := 0
	for _, below := range []float64{0.05, 0.01, 0.001, 0.0001} {
		if p < below {
			n++
		}
	}
	switch {
	case n == 0:
		return "–"
	case t < 0:
		return strings.Repeat("↓", n)
	}
	return strings.Repeat("↑", n)
}

// Text is the table for a terminal.
func (r AttributeResult) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", r.Summary())
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "feature\t\tmost quoted\tleast quoted\tp")
	for _, a := range r.Attributes {
		fmt.Fprintf(w, "%s\t%s\t%.4g\t%.4g\t%.2g\n", a.Name, a.Arrows, a.Most, a.Least, a.P)
	}
	w.Flush()
	fmt.Fprintf(&b, "\n%s\n", attributeNote)
	return b.String()
}

// Markdown is the table for a document.
func (r AttributeResult) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n| feature | | most quoted | least quoted | p |\n|---|---|---:|---:|---:|\n", r.Summary())
	for _, a := range r.Attributes {
		fmt.Fprintf(&b, "| %s | %s | %.4g | %.4g | %.2g |\n", a.Name, a.Arrows, a.Most, a.Least, a.P)
	}
	fmt.Fprintf(&b, "\n%s\n", attributeNote)
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

const attributeNote = "Welch's t-test, Bonferroni-corrected: one to four arrows at p < .05 .01 .001 .0001, up where the most quoted have more."
