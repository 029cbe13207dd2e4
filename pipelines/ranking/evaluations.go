package ranking

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Evaluate says how good rankings and recommendations are: one table for the whole run.
type Evaluate struct{}

func (Evaluate) Identity() engine.Identity {
	return engine.Identity{
		Name: "evaluate", Table: "evaluations", Revision: 8,
		Keys:     map[string]string{"bm25": "recommend.bm25", "context": "recommend.context", "segment": "recommend.segment"},
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
	Segment  string         `json:"segment,omitzero"` // recommend.segment
	Datasets []string       `json:"datasets"`
	Rankings bool           `json:"rankings"`
	Reworded bool           `json:"reworded,omitzero"` // there are paraphrases to judge
	System   string         `json:"system"`            // the name of what recommend does; empty: there is none
	When     string         `json:"when,omitzero"`     // of the model that says when to quote
}

func (Evaluate) Settings(c *config.Config) any {
	s := evaluateSettings{Evaluate: c.Evaluate, BM25: c.Recommend.BM25, Context: c.Recommend.Context, Segment: c.Recommend.Segment, Rankings: judgesRankings(c)}
	s.Reworded = c.Paraphrased()
	for _, r := range retrievalsOf(c) {
		s.Datasets = append(s.Datasets, r.dataset)
	}
	if (Recommend{}).Enabled(c) {
		s.System = systemName(c.Recommend)
	}
	if (WhenToQuote{}).Enabled(c) {
		s.When = eval.Recommended + "when, " + modelNames([]string{c.Recommend.When})[0]
	}
	return s
}

// systemName is what recommend does, in a few words.
func systemName(r config.Recommend) string {
	steps := []string{cmp.Or(r.Retrieve, config.RetrieveAll)}
	var folders []string
	if r.RetrievesByModel() {
		folders = []string{r.Retrieve}
	}
	for _, m := range r.Models {
		folders = append(folders, m.Model)
	}
	names := modelNames(folders)
	if r.RetrievesByModel() {
		steps[0], names = names[0], names[1:]
	}
	if len(names) > 0 {
		steps = append(steps, strings.Join(names, " + "))
	}
	if r.Context.None {
		steps = append(steps, eval.WithoutContext)
	}
	return eval.Recommended + strings.Join(steps, ", ")
}

func (Evaluate) Plan(_ context.Context, p *engine.Planner) (engine.Deps, error) {
	var tables []string
	for _, r := range retrievalsOf(p.Config) {
		tables = append(append(tables, r.shardTables(p.Config.Recommend.Context)...), r.whole...)
	}
	if (Recommend{}).Enabled(p.Config) {
		tables = append(tables, "recommendations")
	}
	if p.Config.Paraphrased() {
		tables = append(tables, "paraphrases")
	}
	if (WhenToQuote{}).Enabled(p.Config) {
		tables = append(tables, "quote_predictions")
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
			var when map[string]*decisions
			if of.dataset == config.DataReplies && s.When != "" {
				if when, err = s.whenToQuote(ctx, t.Paths("quote_predictions")); err != nil {
					return err
				}
			}
			var reworded map[string][]commonplace.Evaluation
			if of.dataset == config.DataTriples && s.Reworded {
				if reworded, err = s.paraphrases(ctx, t.Paths("paraphrases")); err != nil {
					return err
				}
			}
			for _, split := range s.Splits {
				if f := tallies[split]; f != nil {
					o.In, o.Taken = o.In+int64(f.contexts), o.Taken+int64(f.contexts)
					rows = append(rows, f.rows(s)...)
				}
				rows = append(rows, reworded[split]...)
				if d := when[split]; d != nil {
					more, err := d.rows(s)
					if err != nil {
						return err
					}
					rows = append(rows, more...)
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

// retrieval goes through the contexts of a dataset. A shard's pools come in the order of
// its recommendations, so both are read side by side. A context without any is a reject of
// recommend, and judges nobody; there are no more of these than recommend rejected.
func (s evaluateSettings) retrieval(ctx context.Context, t engine.Task, of retrieval) (map[string]*tally, error) {
	tallies := map[string]*tally{}
	for _, split := range s.Splits {
		tallies[split] = &tally{dataset: of.dataset, split: split, values: map[[2]string][]float64{}, samples: sampling{all: true, judged: map[string]int{}}}
	}
	var recommended []string
	rejected, without := int64(0), int64(0)
	if s.System != "" {
		recommended = t.Paths("recommendations")
		commit, err := table.ReadCommit(ctx, storage.Default, t.Out, "recommendations")
		if err != nil {
			return nil, err
		}
		rejected = commit.Rejected
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
		in := poolInput{func(name string) string { return t.Paths(name)[k] }, t.Paths, s.Context, s.Segment}
		next, end := func(string) ([]commonplace.Recommendation, error) { return nil, nil }, func() error { return nil }
		if s.System != "" {
			next, end = eachContext(ctx, recommended[k], of.dataset)
		}
		err := of.pools(ctx, in, func(p pool) error {
			for _, a := range p.contexts {
				var rows []commonplace.Recommendation
				if s.System != "" {
					var err error
					if rows, err = next(a.id); err != nil {
						return err
					}
					if len(rows) == 0 {
						if without++; without > rejected {
							return fmt.Errorf("context %s has no recommendation, and recommend rejected %d; run again with --force", a.id, rejected)
						}
						continue
					}
				}
				if f := tallies[a.split]; f != nil {
					f.context(s, p, a, rows)
				}
			}
			return nil
		})
		if left := end(); err == nil {
			err = left
		}
		if err != nil {
			return nil, err
		}
	}
	return tallies, nil
}

// eachContext gives the rows of one context after the other; a context that recommend
// rejected has none. At the end there are no others.
func eachContext(ctx context.Context, path, dataset string) (next func(id string) ([]commonplace.Recommendation, error), end func() error) {
	pull, stop := iter.Pull2(table.Recommendations.Rows(ctx, path, "dataset", "context_id", "index", "place", "better", "tied", "ranked", "candidates", "right", "label", "passage_id", "span_text", "span_begin", "span_end", "spans_more", "in_sample"))
	row, err, more := pull()
	for more && err == nil && row.Dataset != dataset {
		row, err, more = pull()
	}
	next = func(id string) ([]commonplace.Recommendation, error) {
		var rows []commonplace.Recommendation
		for more && err == nil && row.Dataset == dataset && row.ContextID == id {
			rows = append(rows, row)
			row, err, more = pull()
		}
		return rows, err
	}
	end = func() error {
		stop()
		if more && err == nil && row.Dataset == dataset {
			return fmt.Errorf("context %s has recommendations where another context is next; run again with --force", row.ContextID)
		}
		return err
	}
	return next, end
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
