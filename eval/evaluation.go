package eval

import (
	"cmp"
	"errors"
	"fmt"
	"math"
)

// ErrNaN says that a score is not a number; the model that gave it is wrong.
var ErrNaN = errors.New("score is not a number")

// System is one way to rank: a model or a baseline.
type System struct {
	Name string `json:"name"`
	Note string `json:"note,omitempty"` // what it is, in a few words
}

// Document is one document's passages in order: how often each is quoted, and what
// each system says of it, in the order of the systems.
type Document struct {
	ID     string
	Counts []float64
	Scores [][]float64
}

// Options say how sure the figures are made. Zero values are the defaults.
type Options struct {
	Confidence float64 `json:"confidence"` // of the intervals; 0.95
	Resamples  int     `json:"resamples"`  // of bootstrap and permutation test; 2,000
	Seed       uint64  `json:"seed"`
}

// metrics of a ranking against quote counts, in the order of the table. The
// first seven are the columns of "Content-based models of quotation".
var metrics = []struct {
	name  string
	value func(scores, counts []float64, quoted []bool) float64
}{
	{"qNDCG@1", quotabilityAt(1)},
	{"qNDCG@3", quotabilityAt(3)},
	{"qNDCG@5", quotabilityAt(5)},
	{"qNDCG@10", quotabilityAt(10)},
	{"qNDCG@25", quotabilityAt(25)},
	{"qNDCG@50", quotabilityAt(50)},
	{"rho", func(s, c []float64, _ []bool) float64 { return Spearman(s, c) }},
	{"NDCG@5", func(s, c []float64, _ []bool) float64 { return NDCG(s, c, 5) }},
	{"mAP", func(s, _ []float64, q []bool) float64 { return AveragePrecision(s, q) }},
	{"P@10", func(s, _ []float64, q []bool) float64 { return PrecisionAt(s, q, 10) }},
	{"AUC", func(s, _ []float64, q []bool) float64 { return AUC(s, q) }},
	{"P@20", func(s, _ []float64, q []bool) float64 { return PrecisionAt(s, q, 20) }},
	{"top tenth", func(s, _ []float64, q []bool) float64 { return RecallAt(s, q, max(1, len(s)/10)) }},
}

func quotabilityAt(k int) func(s, c []float64, q []bool) float64 {
	return func(s, c []float64, _ []bool) float64 { return QuotabilityNDCG(s, c, k) }
}

// Evaluation gathers documents. It keeps a few numbers of each and no passage.
type Evaluation struct {
	systems []System
	options Options
	result  Result
	values  [][][]float64 // by system, metric, document
}

// New begins an evaluation. The first system is the one that others are compared with.
func New(systems []System, o Options) *Evaluation {
	o.Confidence = cmp.Or(o.Confidence, 0.95)
	o.Resamples = cmp.Or(o.Resamples, 2000)
	e := &Evaluation{systems: systems, options: o, values: make([][][]float64, len(systems))}
	for i := range e.values {
		e.values[i] = make([][]float64, len(metrics))
	}
	return e
}

// Add takes one document. One without a quoted passage says nothing about a
// ranking; it is counted and left out.
func (e *Evaluation) Add(d Document) error {
	if len(d.Scores) != len(e.systems) {
		return fmt.Errorf("document %s: scores of %d systems, want %d", d.ID, len(d.Scores), len(e.systems))
	}
	for i, scores := range d.Scores {
		if len(scores) != len(d.Counts) {
			return fmt.Errorf("document %s: %s has %d scores for %d passages", d.ID, e.systems[i].Name, len(scores), len(d.Counts))
		}
		for j, s := range scores {
			if math.IsNaN(s) {
				return fmt.Errorf("document %s, passage %d: %s: %w", d.ID, j, e.systems[i].Name, ErrNaN)
			}
		}
	}
	quoted := make([]bool, len(d.Counts))
	n := int64(0)
	for i, c := range d.Counts {
		if quoted[i] = c > 0; quoted[i] {
			n++
		}
	}
	e.result.Passages += int64(len(d.Counts))
	e.result.Quoted += n
	if n == 0 {
		e.result.Unquoted++
		return nil
	}
	e.result.Documents++
	for i, scores := range d.Scores {
		for m, metric := range metrics {
			e.values[i][m] = append(e.values[i][m], metric.value(scores, d.Counts, quoted))
		}
	}
	return nil
}

// Result is an evaluation's figures, all shares of one: a table prints hundredths.
type Result struct {
	Documents  int         `json:"documents"` // with a quoted passage: the figures are means over them
	Unquoted   int         `json:"unquoted"`  // documents without one, left out
	InSample   int         `json:"in_sample"` // that taught a model, left out
	Passages   int64       `json:"passages"`
	Quoted     int64       `json:"quoted"` // passages
	Options    Options     `json:"options"`
	Rows       []Row       `json:"rows"`
	References []Reference `json:"references"`
	Remarks    []string    `json:"remarks,omitempty"` // about the counts
}

// Row is the figures of one system.
type Row struct {
	System
	InSample string   `json:"in_sample,omitempty"` // why the figures of a model say less: its documents taught it, or may have
	Figures  []Figure `json:"figures"`
}

// Figure is the mean of one metric over documents.
type Figure struct {
	Metric    string   `json:"metric"`
	Documents int      `json:"documents"` // for which it is defined
	Mean      *float64 `json:"mean"`      // null when defined for none, as the rest
	Low       *float64 `json:"low"`       // of the bootstrap interval over documents
	High      *float64 `json:"high"`
	// P is of the paired permutation test against the first system, absent there.
	P *float64 `json:"p,omitempty"`
}

// Result sums up.
func (e *Evaluation) Result() Result {
	r := e.result
	r.Options = e.options
	r.References = References
	for i, s := range e.systems {
		row := Row{System: s}
		for m, metric := range metrics {
			var own, first []float64
			for d, v := range e.values[i][m] {
				if !math.IsNaN(v) {
					own = append(own, v)
					first = append(first, e.values[0][m][d])
				}
			}
			f := Figure{Metric: metric.name, Documents: len(own)}
			if len(own) > 0 {
				mean := Mean(own)
				low, high := Bootstrap(own, r.Options.Confidence, r.Options.Resamples, r.Options.Seed)
				f.Mean, f.Low, f.High = &mean, &low, &high
				if i > 0 {
					p := Permutation(own, first, r.Options.Resamples, r.Options.Seed)
					f.P = &p
				}
			}
			row.Figures = append(row.Figures, f)
		}
		r.Rows = append(r.Rows, row)
	}
	return r
}

// Metrics names the metrics in the order of the figures.
func Metrics() []string {
	names := make([]string, len(metrics))
	for i, m := range metrics {
		names[i] = m.name
	}
	return names
}

// Mean is the mean of the values that are numbers, NaN when there is none.
func Mean(values []float64) float64 {
	sum, n := 0.0, 0
	for _, v := range values {
		if !math.IsNaN(v) {
			sum += v
			n++
		}
	}
	return sum / float64(n)
}
