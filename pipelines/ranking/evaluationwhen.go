package ranking

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/table"
)

// whenMetrics are those of "When and what to quote", table 3: of the decisions to quote,
// the positive class.
var whenMetrics = []struct {
	name string
	of   func(eval.Binary) float64
}{
	{"when F1", func(b eval.Binary) float64 { return b.F1 }},
	{"when recall", func(b eval.Binary) float64 { return b.Recall }},
	{whenAccuracy, func(b eval.Binary) float64 { return b.Accuracy }},
}

const whenAccuracy = "when accuracy"

// decisions gathers the decisions of one split.
type decisions struct {
	split     string
	predicted []bool
	truth     []bool
	samples   sampling
}

// whenToQuote reads the predictions of each split that is judged.
func (s evaluateSettings) whenToQuote(ctx context.Context, paths []string) (map[string]*decisions, error) {
	splits := map[string]*decisions{}
	for _, split := range s.Splits {
		splits[split] = &decisions{split: split, samples: sampling{all: true, judged: map[string]int{}}}
	}
	var rows []commonplace.QuotePrediction
	for _, path := range paths {
		for r, err := range table.QuotePredictions.Rows(ctx, path, "probability", "label", "in_sample", "split") {
			if err != nil {
				return nil, err
			}
			if d := splits[r.Split]; d != nil {
				d.samples.all = d.samples.all && r.InSample == inSample
				rows = append(rows, r)
			}
		}
	}
	for _, r := range rows {
		splits[r.Split].add(r)
	}
	return splits, nil
}

func (d *decisions) add(r commonplace.QuotePrediction) {
	if r.InSample == inSample && !d.samples.all {
		d.samples.leftOut++
		return
	}
	d.samples.judged[r.InSample]++
	d.predicted = append(d.predicted, r.Probability > 0.5)
	d.truth = append(d.truth, r.Label == label.Quo)
}

// rows are the figures of a split: the model's, and of the paper's two baselines that read
// nothing: always to quote, and a coin. None where all replies are of one kind.
func (d *decisions) rows(s evaluateSettings) ([]commonplace.Evaluation, error) {
	n := len(d.truth)
	always, coin := make([]bool, n), make([]bool, n)
	toss := rand.New(rand.NewPCG(s.Seed, uint64(n)))
	quoted := 0
	for i, is := range d.truth {
		always[i], coin[i] = true, toss.Uint64()>>63 == 1
		if is {
			quoted++
		}
	}
	if quoted == 0 || quoted == n {
		return nil, nil
	}
	var rows []commonplace.Evaluation
	for i, system := range []struct {
		name string
		says []bool
	}{{s.When, d.predicted}, {eval.AlwaysQuote, always}, {config.BaselineRandom, coin}} {
		figures, err := eval.Decisions(system.says, d.truth)
		if err != nil {
			return nil, err
		}
		low, high := eval.DecisionIntervals(system.says, d.truth, s.Confidence, s.Resamples, s.Seed)
		for _, m := range whenMetrics {
			value, from, to := m.of(figures), m.of(low), m.of(high)
			row := commonplace.Evaluation{Dataset: config.DataReplies, Split: d.split, System: system.name, Metric: m.name, Value: &value, Low: &from, High: &to, N: int64(n), LeftOut: int64(d.samples.leftOut)}
			if i == 0 {
				row.InSample = d.samples.mark()
			} else if m.name == whenAccuracy {
				if p := eval.PairedT(hits(system.says, d.truth), hits(d.predicted, d.truth)); !math.IsNaN(p) {
					row.P, row.Test = &p, testPairedT
				}
			}
			row.Paper, row.PaperValue = eval.PaperFigure(config.DataReplies, system.name, m.name)
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// hits are 1 where a decision is right.
func hits(predicted, truth []bool) []float64 {
	values := make([]float64, len(truth))
	for i := range truth {
		if predicted[i] == truth[i] {
			values[i] = 1
		}
	}
	return values
}
