package eval

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"

	"golang.org/x/sync/errgroup"
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
	value func(r *ordered) float64
}{
	{"qNDCG@1", quotabilityAt(1)},
	{"qNDCG@3", quotabilityAt(3)},
	{"qNDCG@5", quotabilityAt(5)},
	{"qNDCG@10", quotabilityAt(10)},
	{"qNDCG@25", quotabilityAt(25)},
	{"qNDCG@50", quotabilityAt(50)},
	{"rho", func(r *ordered) float64 { return spearman(r.scores, r.counts, r.ranks, r.countRanks) }},
	{"NDCG@5", func(r *ordered) float64 { return gain(r.gains, r.ideal, 5, commonDiscount) }},
	{"mAP", func(r *ordered) float64 { return averagePrecision(r.runs, r.relevant) }},
	{"P@10", precisionAt(10)},
	{"AUC", func(r *ordered) float64 { return auc(r.ranks, r.quoted) }},
	{"P@20", precisionAt(20)},
	{"top tenth", func(r *ordered) float64 { return hitsAt(r.runs, max(1, len(r.scores)/10)) / float64(r.relevant) }},
}

func quotabilityAt(k int) func(*ordered) float64 {
	return func(r *ordered) float64 { return gain(r.gains, r.ideal, k, quotabilityDiscount) }
}

func precisionAt(k int) func(*ordered) float64 {
	return func(r *ordered) float64 { return hitsAt(r.runs, k) / float64(k) }
}

// ordered is a document in the order of one system. What takes a sort is made once for
// all metrics.
type ordered struct {
	of
	scores, ranks, gains []float64 // gains: expected counts in the order of the scores
	runs                 []run
	relevant             int
}

// of is what the systems of a document share.
type of struct {
	counts, countRanks, ideal []float64 // ideal: counts, the highest first
	quoted                    []bool
}

func (o of) by(scores []float64) *ordered {
	r := &ordered{of: o, scores: scores}
	places, groups := order(scores)
	r.ranks, r.gains = averageRanks(places, groups), expectedAt(places, groups, o.counts)
	r.runs, r.relevant = runsOf(places, groups, o.quoted)
	return r
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
	m, err := e.Measure(d)
	if err == nil {
		e.AddMeasured(m)
	}
	return err
}

// Measured is what an evaluation keeps of a document.
type Measured struct {
	passages, quoted int64
	values           [][]float64 // by system and metric; none where nothing is quoted
}

// Measure judges a document. It changes nothing, so documents can be measured beside one
// another.
func (e *Evaluation) Measure(d Document) (Measured, error) {
	if len(d.Scores) != len(e.systems) {
		return Measured{}, fmt.Errorf("document %s: scores of %d systems, want %d", d.ID, len(d.Scores), len(e.systems))
	}
	for i, scores := range d.Scores {
		if len(scores) != len(d.Counts) {
			return Measured{}, fmt.Errorf("document %s: %s has %d scores for %d passages", d.ID, e.systems[i].Name, len(scores), len(d.Counts))
		}
		for j, s := range scores {
			if math.IsNaN(s) {
				return Measured{}, fmt.Errorf("document %s, passage %d: %s: %w", d.ID, j, e.systems[i].Name, ErrNaN)
			}
		}
	}
	m := Measured{passages: int64(len(d.Counts))}
	shared := of{counts: d.Counts, quoted: make([]bool, len(d.Counts))}
	for i, c := range d.Counts {
		if shared.quoted[i] = c > 0; shared.quoted[i] {
			m.quoted++
		}
	}
	if m.quoted == 0 {
		return m, nil
	}
	shared.countRanks, shared.ideal = AverageRanks(d.Counts), ideal(d.Counts)
	for _, scores := range d.Scores {
		r := shared.by(scores)
		values := make([]float64, len(metrics))
		for i, metric := range metrics {
			values[i] = metric.value(r)
		}
		m.values = append(m.values, values)
	}
	return m, nil
}

// AddMeasured takes what [Evaluation.Measure] gave, in the order of the documents.
func (e *Evaluation) AddMeasured(m Measured) {
	e.result.Passages += m.passages
	e.result.Quoted += m.quoted
	if m.quoted == 0 {
		e.result.Unquoted++
		return
	}
	e.result.Documents++
	for i, values := range m.values {
		for k, v := range values {
			e.values[i][k] = append(e.values[i][k], v)
		}
	}
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
	for _, s := range e.systems {
		r.Rows = append(r.Rows, Row{System: s, Figures: make([]Figure, len(metrics))})
	}
	var each errgroup.Group
	each.SetLimit(runtime.GOMAXPROCS(0)) // a metric holds its resampled means
	for m := range metrics {
		each.Go(func() error {
			for i, f := range e.figures(m) {
				r.Rows[i].Figures[m] = f
			}
			return nil
		})
	}
	_ = each.Wait() // no metric fails
	return r
}

// figures are those of one metric, of each system.
func (e *Evaluation) figures(m int) []Figure {
	figures := make([]Figure, len(e.systems))
	same := map[int][]int{} // systems by the number of documents for which the metric is defined
	own, first := make([][]float64, len(e.systems)), make([][]float64, len(e.systems))
	for i := range e.systems {
		for d, v := range e.values[i][m] {
			if !math.IsNaN(v) {
				own[i] = append(own[i], v)
				first[i] = append(first[i], e.values[0][m][d])
			}
		}
		figures[i] = Figure{Metric: metrics[m].name, Documents: len(own[i])}
		if n := len(own[i]); n > 0 {
			same[n] = append(same[n], i)
		}
	}
	o := e.options
	for _, systems := range same {
		var values [][]float64
		var pairs [][2][]float64
		for _, i := range systems {
			values, pairs = append(values, own[i]), append(pairs, [2][]float64{own[i], first[i]})
		}
		intervals, ps := bootstraps(values, o.Confidence, o.Resamples, o.Seed), permutations(pairs, o.Resamples, o.Seed)
		for k, i := range systems {
			mean := Mean(own[i])
			figures[i].Mean, figures[i].Low, figures[i].High = &mean, &intervals[k][0], &intervals[k][1]
			if i > 0 {
				figures[i].P = &ps[k]
			}
		}
	}
	return figures
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
