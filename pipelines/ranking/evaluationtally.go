package ranking

import (
	"math"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/pipelines/config"
)

// tally gathers the figures of a dataset's contexts of one split.
type tally struct {
	dataset, split string
	systems        []string
	values         map[[2]string][]float64 // by system and metric, a value for each context that is judged
	samples        sampling
	contexts       int
	unknownProxy   bool // of a window the rows do not say whether the right run is before the others
}

// context adds what all systems say of one context.
func (f *tally) context(s evaluateSettings, p pool, a asked, rows []commonplace.Recommendation) {
	f.contexts++
	sample := outOfSample
	if len(rows) > 0 {
		sample = rows[0].InSample
	}
	if sample == inSample && !f.samples.all {
		f.samples.leftOut++
		return
	}
	f.samples.judged[sample]++
	right := map[string]bool{}
	for _, id := range a.right {
		right[id] = true
	}
	if len(rows) > 0 {
		f.add(s.System, standingOf(rows))
		f.spans(s.System, p, a, rows)
		f.chunks(s.System, p, a, rows)
		f.proxy(s, p, a, rows)
	}
	for _, b := range s.Baselines {
		if b == config.BaselineMajority && f.dataset != config.DataReplies || b == config.BaselineFirst && f.dataset == config.DataReplies {
			continue
		}
		scores := baseline(b, s.BM25, p, a)
		f.add(b, eval.StandingOf(scores, func(i int) bool { return right[p.candidates[i].id] }))
		f.chunksOf(b, scores, p, a)
		f.proxyOf(b, s, scores, p, a)
	}
}

func (f *tally) add(system string, s eval.Standing) {
	for _, m := range standingMetrics[f.dataset] {
		f.value(system, m.name, m.of(s))
	}
}

func (f *tally) value(system, metric string, x float64) {
	if !slices.Contains(f.systems, system) {
		f.systems = append(f.systems, system)
	}
	key := [2]string{system, metric}
	f.values[key] = append(f.values[key], x)
}

// rows are the figures of a split.
func (f *tally) rows(s evaluateSettings) []commonplace.Evaluation {
	metrics := slices.Concat([]string{proxyAccuracy, chunkJaccard}, spanMetrics)
	for i, m := range standingMetrics[f.dataset] {
		metrics = slices.Insert(metrics, i, m.name)
	}
	var rows []commonplace.Evaluation
	for i, system := range f.systems {
		for _, metric := range metrics {
			values, there := f.values[[2]string{system, metric}]
			if !there || metric == proxyAccuracy && system == s.System && f.unknownProxy {
				continue
			}
			row := commonplace.Evaluation{Dataset: f.dataset, Split: f.split, System: system, Metric: metric, N: int64(len(values)), LeftOut: int64(f.samples.leftOut)}
			mean := eval.Mean(values)
			low, high := eval.Bootstrap(values, s.Confidence, s.Resamples, s.Seed)
			row.Value, row.Low, row.High = &mean, &low, &high
			if system == s.System {
				row.InSample = f.samples.mark()
			}
			if first := f.values[[2]string{f.systems[0], metric}]; i > 0 && len(first) == len(values) {
				if p, test := significance(f.dataset, metric, values, first, s); !math.IsNaN(p) {
					row.P, row.Test = &p, test
				}
			}
			row.Paper, row.PaperValue = eval.PaperFigure(f.dataset, system, metric)
			rows = append(rows, row)
		}
	}
	return rows
}

// significance is the test of each dataset's paper.
func significance(dataset, metric string, values, first []float64, s evaluateSettings) (p float64, test string) {
	switch {
	case dataset == config.DataReplies && len(values) > 1:
		return eval.PairedT(values, first), testPairedT
	case dataset == config.DataTriples && slices.Contains(spanMetrics, metric):
		_, p := eval.MannWhitney(values, first)
		return p, testMannWhitney
	}
	return eval.Permutation(values, first, s.Resamples, s.Seed), testPermutation
}

// The tests of evaluations.test.
const (
	testPermutation = "permutation"
	testPairedT     = "paired t"
	testMannWhitney = "Mann-Whitney"
)
