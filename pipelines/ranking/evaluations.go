package ranking

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Evaluate says how good rankings and recommendations are: one table for the whole run.
type Evaluate struct{}

func (Evaluate) Identity() engine.Identity {
	return engine.Identity{
		Name: "evaluate", Table: "evaluations", Revision: 1,
		Short:    "say how good rankings and recommendations are, beside baselines and the papers",
		Unit:     "contexts",
		OneShard: true,
	}
}

func (Evaluate) Enabled(c *config.Config) bool {
	return c.Evaluate.Asked() && (len(retrievalsOf(c)) > 0 || judgesRankings(c))
}

// judgesRankings says that a config has rankings, and counts to judge them by.
func judgesRankings(c *config.Config) bool {
	return Rank{}.Enabled(c) && config.Makes(config.DataCounts)(c)
}

type evaluateSettings struct {
	config.Evaluate
	BM25     config.BM25    `json:"bm25"`
	Context  config.Context `json:"context"`
	Datasets []string       `json:"datasets"`
	Rankings bool           `json:"rankings"`
	System   string         `json:"system"` // the name of what recommend does; empty: there is none
}

func (Evaluate) Settings(c *config.Config) any {
	s := evaluateSettings{Evaluate: c.Evaluate, BM25: c.Recommend.BM25, Context: c.Recommend.Context, Rankings: judgesRankings(c)}
	for _, r := range retrievalsOf(c) {
		s.Datasets = append(s.Datasets, r.dataset)
	}
	if (Recommend{}).Enabled(c) {
		s.System = systemName(c.Recommend)
	}
	return s
}

// systemName is what recommend does, in a few words.
func systemName(r config.Recommend) string {
	steps := []string{cmp.Or(r.Retrieve, config.RetrieveAll)}
	if r.RetrievesByModel() {
		steps[0] = path.Base(r.Retrieve)
	}
	var models []string
	for _, m := range r.Models {
		models = append(models, path.Base(m.Model))
	}
	if len(models) > 0 {
		steps = append(steps, strings.Join(models, " + "))
	}
	return eval.Recommended + strings.Join(steps, ", ")
}

func (Evaluate) Plan(_ context.Context, p *engine.Planner) (engine.Deps, error) {
	var tables []string
	for _, r := range retrievalsOf(p.Config) {
		tables = append(append(tables, r.shard...), r.whole...)
	}
	if (Recommend{}).Enabled(p.Config) {
		tables = append(tables, "recommendations")
	}
	if judgesRankings(p.Config) {
		tables = append(tables, "rankings", "quote_counts", "passages", "documents", "scores")
	}
	slices.Sort(tables)
	return engine.Deps{Inputs: engine.Whole(slices.Compact(tables)...)}, nil
}

func (Evaluate) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var s evaluateSettings
	if err := json.Unmarshal(t.Settings, &s); err != nil {
		return table.TaskRecord{}, err
	}
	return engine.WriteShard(ctx, t, table.Evaluations, func(o *engine.Output[commonplace.Evaluation]) error {
		var rows []commonplace.Evaluation
		if s.Rankings {
			more, n, err := s.rankings(ctx, t.Out)
			if err != nil {
				return err
			}
			rows, o.In, o.Taken = more, o.In+n, o.Taken+n
		}
		for _, of := range retrievals {
			if !slices.Contains(s.Datasets, of.dataset) {
				continue
			}
			tallies, err := s.retrieval(ctx, t, of)
			if err != nil {
				return err
			}
			for _, split := range s.Splits {
				if f := tallies[split]; f != nil {
					o.In, o.Taken = o.In+int64(f.contexts), o.Taken+int64(f.contexts)
					rows = append(rows, f.rows(s)...)
				}
			}
		}
		for i := range rows {
			rows[i].Number = int64(i)
			if err := o.Put(rows[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// rankings are the figures of the dataset counts, and of how many documents they are.
func (s evaluateSettings) rankings(ctx context.Context, dir string) ([]commonplace.Evaluation, int64, error) {
	v := Evaluation{Dir: dir, Confidence: s.Confidence, Resamples: s.Resamples, Seed: s.Seed}
	r, err := v.Rankings(ctx)
	if err != nil {
		return nil, 0, err
	}
	var rows []commonplace.Evaluation
	for _, of := range r.Rows {
		for _, f := range of.Figures {
			row := commonplace.Evaluation{
				Dataset: config.DataCounts, Split: "all", System: of.Name, Metric: f.Metric, Value: f.Mean, Low: f.Low, High: f.High, N: int64(f.Documents),
				P: f.P, InSample: of.InSample, LeftOut: int64(r.InSample),
			}
			if f.P != nil {
				row.Test = testPermutation
			}
			row.Paper, row.PaperValue = eval.PaperFigure(config.DataCounts, of.Name, f.Metric)
			rows = append(rows, row)
		}
	}
	return rows, int64(r.Documents + r.Unquoted + r.InSample), nil
}

// The tests of evaluations.test.
const (
	testPermutation = "permutation"
	testPairedT     = "paired t"
	testMannWhitney = "Mann-Whitney"
)

// tally gathers the figures of a dataset's contexts of one split.
type tally struct {
	dataset, split string
	systems        []string
	values         map[[2]string][]float64 // by system and metric, a value for each context that is judged
	samples        sampling
	contexts       int
}

// retrieval goes through the contexts of a dataset. A shard's pools come in the order of
// its recommendations, so both are read side by side.
func (s evaluateSettings) retrieval(ctx context.Context, t engine.Task, of retrieval) (map[string]*tally, error) {
	tallies := map[string]*tally{}
	for _, split := range s.Splits {
		tallies[split] = &tally{dataset: of.dataset, split: split, values: map[[2]string][]float64{}, samples: sampling{all: true, judged: map[string]int{}}}
	}
	var recommended []string
	if s.System != "" {
		recommended = t.Paths("recommendations")
	}
	for _, path := range recommended {
		for r, err := range table.Recommendations.Rows(ctx, path, "dataset", "split", "in_sample") {
			if err != nil {
				return nil, err
			}
			if f := tallies[r.Split]; f != nil && r.Dataset == of.dataset {
				f.samples.all = f.samples.all && r.InSample == inSample
			}
		}
	}
	for k := range t.Paths(of.shard[0]) {
		in := poolInput{func(name string) string { return t.Paths(name)[k] }, t.Paths, s.Context}
		next, stop := func() ([]commonplace.Recommendation, error) { return nil, nil }, func() {}
		if s.System != "" {
			next, stop = eachContext(ctx, recommended[k], of.dataset)
		}
		err := of.pools(ctx, in, func(p pool) error {
			for _, a := range p.contexts {
				var rows []commonplace.Recommendation
				if s.System != "" {
					var err error
					if rows, err = next(); err != nil {
						return err
					}
					if len(rows) == 0 || rows[0].ContextID != a.id {
						return fmt.Errorf("context %s has no recommendation; run again with --force", a.id)
					}
				}
				if f := tallies[a.split]; f != nil {
					f.context(s, p, a, rows)
				}
			}
			return nil
		})
		stop()
		if err != nil {
			return nil, err
		}
	}
	return tallies, nil
}

// eachContext gives the rows of one context after the other.
func eachContext(ctx context.Context, path, dataset string) (next func() ([]commonplace.Recommendation, error), stop func()) {
	pull, stop := iter.Pull2(table.Recommendations.Rows(ctx, path, "dataset", "context_id", "index", "place", "better", "tied", "ranked", "candidates", "right", "label", "passage_id", "span_text", "span_begin", "span_end", "spans_more", "in_sample"))
	row, err, more := pull()
	return func() ([]commonplace.Recommendation, error) {
		for more && err == nil && row.Dataset != dataset {
			row, err, more = pull()
		}
		var rows []commonplace.Recommendation
		for more && err == nil && row.Dataset == dataset && (len(rows) == 0 || rows[0].ContextID == row.ContextID) {
			rows = append(rows, row)
			row, err, more = pull()
		}
		return rows, err
	}, stop
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
	}
	for _, b := range s.Baselines {
		if b == config.BaselineMajority && f.dataset != config.DataReplies || b == config.BaselineFirst && f.dataset == config.DataReplies {
			continue
		}
		f.add(b, eval.StandingOf(baseline(b, s.BM25, p, a), func(i int) bool { return right[p.candidates[i].id] }))
	}
}

// baseline scores the candidates of a context. What reads the candidates is kept with them.
func baseline(by string, constants config.BM25, p pool, a asked) []float64 {
	switch by {
	case config.BaselineFirst:
		return eval.Position(len(p.candidates))
	case config.BaselineMajority:
		scores := make([]float64, len(p.candidates))
		for i, c := range p.candidates {
			scores[i] = float64(c.used)
		}
		return scores
	case config.BaselineRandom:
		return eval.Constant(len(p.candidates))
	}
	if p.search.byWords == nil {
		p.search.byWords = map[string]func([]string) []float64{}
	}
	if p.search.byWords[by] == nil {
		p.search.byWords[by] = scoresByWords(by, p.candidates, constants)
	}
	return p.search.byWords[by](a.words)
}

// standingOf is where the right answers of a context stand.
func standingOf(rows []commonplace.Recommendation) eval.Standing {
	var answers []eval.Answer
	for _, r := range rows {
		if r.Label == "yes" {
			answers = append(answers, eval.Answer{Better: int(r.Better), Tied: int(r.Tied)})
		}
	}
	first := rows[0]
	return eval.NewStanding(answers, int(first.Right), int(first.Ranked), int(first.Candidates))
}

// standingMetrics are those of each dataset's paper, by the names that it has for them.
var standingMetrics = map[string][]standingMetric{
	config.DataTriples: {accuracyAt(1), accuracyAt(3), accuracyAt(5), accuracyAt(20), precision("mAP")},
	config.DataQueries: {precision("mAP"), accuracyAt(1), accuracyAt(3), accuracyAt(5)},
	config.DataReplies: {precision("MAP"), hitsAt(1), hitsAt(3), {"NDCG@5", func(s eval.Standing) float64 { return s.NDCG(5) }}},
	config.DataWindows: {recallAt(1), recallAt(3), recallAt(5), recallAt(10), recallAt(50), recallAt(100), {"mean rank", eval.Standing.MeanRank}},
}

type standingMetric struct {
	name string
	of   func(eval.Standing) float64
}

func precision(name string) standingMetric {
	return standingMetric{name, eval.Standing.AveragePrecision}
}

func accuracyAt(k int) standingMetric {
	return standingMetric{fmt.Sprintf("Acc@%d", k), func(s eval.Standing) float64 { return s.AccuracyAt(k) }}
}

// hitsAt is what papers A and D call precision.
func hitsAt(k int) standingMetric {
	return standingMetric{fmt.Sprintf("P@%d", k), func(s eval.Standing) float64 { return s.AccuracyAt(k) }}
}

func recallAt(k int) standingMetric {
	return standingMetric{fmt.Sprintf("recall@%d", k), func(s eval.Standing) float64 { return s.RecallAt(k) }}
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

// spanMetrics are EM and F1 of spans (papers A and B): of the first candidate, the best of
// the first three, and of the right candidates, whose spans are joined.
var spanMetrics = []string{"EM", "F1", "EM top 3", "F1 top 3", "EM positive", "F1 positive", exactBIO}

// exactBIO is the share of right candidates whose words and marks all have the right tag (RA-MTR, section 5.3).
const exactBIO = "BIO exact"

// spans judges the spans that a span model proposed, where there is one.
func (f *tally) spans(system string, p pool, a asked, rows []commonplace.Recommendation) {
	if !slices.ContainsFunc(rows, func(r commonplace.Recommendation) bool { return r.SpanEnd > 0 }) {
		return
	}
	var first []string
	var right []commonplace.Recommendation
	for _, r := range rows {
		if r.Place <= 3 {
			first = append(first, r.SpanText)
		}
		if r.Label == "yes" {
			right = append(right, r)
		}
	}
	slices.SortFunc(right, func(a, b commonplace.Recommendation) int { return cmp.Compare(a.Index, b.Index) })
	var parts []string
	for _, r := range right {
		parts = append(parts, r.SpanText)
	}
	whole := strings.Join(parts, " ")
	for i, x := range []float64{
		eval.BestOf(eval.ExactMatch, first, a.answer, 1), eval.BestOf(eval.SpanF1, first, a.answer, 1),
		eval.BestOf(eval.ExactMatch, first, a.answer, 3), eval.BestOf(eval.SpanF1, first, a.answer, 3),
		eval.ExactMatch(whole, a.answer), eval.SpanF1(whole, a.answer),
	} {
		f.value(system, spanMetrics[i], x)
	}
	for _, r := range right {
		if r.PassageID == a.span.candidate && r.Index < int64(len(p.candidates)) {
			f.value(system, exactBIO, sameTags(p.candidates[r.Index].text, r, a.span.Span))
		}
	}
}

// sameTags is 1 where the proposed span gives every word and mark the tag that it has.
func sameTags(text string, r commonplace.Recommendation, truth commonplace.Span) float64 {
	_, want, _ := label.TagAll(text, []commonplace.Span{truth})
	_, got, _ := label.TagAll(text, []commonplace.Span{{Begin: int(r.SpanBegin), End: int(r.SpanEnd)}})
	if r.SpansMore == 0 && slices.Equal(got, want) {
		return 1
	}
	return 0
}

// rows are the figures of a split.
func (f *tally) rows(s evaluateSettings) []commonplace.Evaluation {
	metrics := slices.Clone(spanMetrics)
	for i, m := range standingMetrics[f.dataset] {
		metrics = slices.Insert(metrics, i, m.name)
	}
	var rows []commonplace.Evaluation
	for i, system := range f.systems {
		for _, metric := range metrics {
			values, there := f.values[[2]string{system, metric}]
			if !there {
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

// Evaluations are the figures that a run made, where it made them and they are of its
// present tables.
func Evaluations(ctx context.Context, dir string) (r eval.Figures, made bool, err error) {
	commits, err := table.Commits(ctx, storage.Default, dir)
	if err != nil {
		return nil, false, err
	}
	c, made := commits[table.Evaluations.Name]
	if !made || table.Outdated(commits, table.Evaluations.Name) != "" {
		return nil, false, nil
	}
	for _, path := range c.ShardPaths(dir) {
		for e, err := range table.Evaluations.Rows(ctx, path) {
			if err != nil {
				return nil, false, err
			}
			r = append(r, e)
		}
	}
	if len(r) == 0 {
		return nil, true, fmt.Errorf("%w: table evaluations of %s is empty: the splits that evaluate.splits names have no context", ErrNothing, table.Home(dir))
	}
	return r, true, nil
}
