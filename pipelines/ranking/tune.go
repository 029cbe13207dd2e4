package ranking

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/rank"
	"github.com/commonplace/commonplace/table"
)

// Tuned is the outcome of a search for the weights of a fusion.
type Tuned struct {
	Split    string
	Contexts int       // that have a right passage; those whose right one was not retrieved count as 0
	Weights  []float64 // the best, in the order of the config's models, then the retriever's where it has one
	Score    float64   // mean average precision with them
	Before   float64   // and with the config's
	Alone    []float64 // and with each of them alone
	InSample string    // what the contexts were to the models; empty: new to them
}

// judgedContext is what the models said of a context's passages.
type judgedContext struct {
	parts     [][]float64 // parts[model][passage]
	retrieved []float64
	relevant  []bool
}

// Tune looks for the weights of a config's models, and of its retriever where it has one,
// that serve its contexts of one split best, by mean average precision. They are two or
// three: over {0, 0.5, ... 10} each for a product of two (context-based quotation
// recommendation, section 5.3), in steps of 1 for one of three, but not all 0; for a mixture
// in steps of 0.05 that add up to 1. It reads what the stage recommend wrote and
// runs no model, but looks at the models to see that they wrote it.
func Tune(ctx context.Context, c *config.Config, split string) (Tuned, error) {
	weights := c.Recommend.Weights()
	if len(weights) < 2 || len(weights) > 3 {
		return Tuned{}, fmt.Errorf("%w: %s: recommend.models has %d models, weights are tuned for 2 or 3, of which recommend.weight above 0 is one", config.ErrInvalid, c.File(), len(c.Recommend.Models))
	}
	if c.Recommend.Keep > 0 {
		return Tuned{}, c.Refuse("recommend.keep", c.Recommend.Keep, "0 to tune: what the config's weights leave out, others may put first; set it, run `commonplace build`, and tune then")
	}
	commit, err := tunable(ctx, c)
	if err != nil {
		return Tuned{}, err
	}
	samples := sampling{judged: map[string]int{}}
	contexts, err := judgedContexts(ctx, c.Out, commit, split, samples.judged)
	if err != nil {
		return Tuned{}, err
	}
	if c.Recommend.Weight > 0 {
		for _, j := range contexts {
			j.parts = append(j.parts, rank.LogSoftmax(j.retrieved))
		}
	}
	if len(contexts) == 0 {
		return Tuned{}, fmt.Errorf("%w: %s: no context of the split %s has a recommendation", ErrNothing, c.Out, split)
	}
	t := Tuned{Split: split, Contexts: len(contexts), Score: -1, InSample: samples.mark()}
	fuse := fusers[c.Recommend.Fuse]
	score := func(weights ...float64) float64 {
		sum := 0.0
		for _, j := range contexts {
			if slices.Contains(j.relevant, true) {
				sum += eval.AveragePrecision(fuse(j.parts, weights), j.relevant)
			}
		}
		return sum / float64(len(contexts))
	}
	for _, w := range weightsOf(c.Recommend.Fuse, len(weights)) {
		if c.Recommend.Rerank > 0 && w[0] == 0 {
			continue // the config would refuse it
		}
		if s := score(w...); s > t.Score {
			t.Weights, t.Score = w, s
		}
	}
	t.Before = score(weights...)
	for i := range weights {
		alone := make([]float64, len(weights))
		alone[i] = 1
		t.Alone = append(t.Alone, score(alone...))
	}
	return t, nil
}

// weightsOf is the grid for n weights, in the order in which the first of equals wins.
func weightsOf(fuse string, n int) [][]float64 {
	steps, scale := 20, 2.0 // a product of two: {0, 0.5, ... 10}
	switch {
	case fuse == "mixture":
		scale = 20
	case n > 2:
		steps, scale = 10, 1
	}
	var grid [][]float64
	var extend func(begun []float64, sum int)
	extend = func(begun []float64, sum int) {
		switch {
		case len(begun) < n:
			for i := range steps + 1 {
				extend(append(slices.Clone(begun), float64(i)/scale), sum+i)
			}
		case fuse == "mixture" && sum == steps, fuse != "mixture" && sum > 0: // without any there is no ranking
			grid = append(grid, begun)
		}
	}
	extend(nil, 0)
	return grid
}

// tunable is the committed table, where the stage recommend would write the same
// now but for the weights and the way they are used.
func tunable(ctx context.Context, c *config.Config) (table.Commit, error) {
	commit, err := committed(ctx, c.Out, table.Recommendations.Name)
	if err != nil {
		return commit, err
	}
	var was config.Recommend
	if err := json.Unmarshal(commit.Config, &was); err != nil {
		return commit, fmt.Errorf("%s: table %s: its record's config: %w", c.Out, table.Recommendations.Name, err)
	}
	now := *c
	now.Recommend.Fuse, now.Recommend.Weight, now.Recommend.Models = was.Fuse, was.Weight, slices.Clone(c.Recommend.Models)
	how := ""
	switch {
	case was.Keep != c.Recommend.Keep:
		how = fmt.Sprintf("with recommend.keep %d", was.Keep)
	case was.Top != c.Recommend.Top:
		how = fmt.Sprintf("with recommend.top %d", was.Top)
	case was.Rerank != c.Recommend.Rerank:
		how = fmt.Sprintf("with recommend.rerank %d", was.Rerank)
	case len(was.Models) != len(c.Recommend.Models):
		how = fmt.Sprintf("with %d recommend.models", len(was.Models))
	default:
		for i, m := range was.Models {
			now.Recommend.Models[i].Weight = m.Weight
		}
		fresh, err := engine.NewPlanner(&now).Fresh(ctx, "recommend")
		if err != nil {
			return commit, err
		}
		if !fresh {
			how = "by another retrieval or other models, of other contexts or passages, on another device or by another version of the program"
		}
	}
	if how != "" {
		return commit, fmt.Errorf("%w: %s: table %s was made %s: run `commonplace build` with this config, and tune then", config.ErrInvalid, c.Out, table.Recommendations.Name, how)
	}
	return commit, nil
}

// judgedContexts reads the recommendations of one split, context by context, and counts
// what the contexts were to the models.
func judgedContexts(ctx context.Context, out string, commit table.Commit, split string, samples map[string]int) ([]*judgedContext, error) {
	var contexts []*judgedContext
	last := ""
	for _, path := range commit.ShardPaths(out) {
		for r, err := range table.Recommendations.Rows(ctx, path, "context_id", "parts", "retrieved", "label", "split", "in_sample") {
			if err != nil {
				return nil, err
			}
			if r.Split != split {
				continue
			}
			if r.ContextID != last {
				contexts, last = append(contexts, &judgedContext{}), r.ContextID
				samples[cmp.Or(r.InSample, unknownSample)]++
			}
			contexts[len(contexts)-1].add(r)
		}
	}
	return contexts, nil
}

func (j *judgedContext) add(r commonplace.Recommendation) {
	if j.parts == nil {
		j.parts = make([][]float64, len(r.Parts))
	}
	for k := range j.parts { // the first row has all; behind recommend.rerank there is one
		logp := math.Inf(-1)
		if k < len(r.Parts) {
			logp = r.Parts[k]
		}
		j.parts[k] = append(j.parts[k], logp)
	}
	j.retrieved = append(j.retrieved, r.Retrieved)
	j.relevant = append(j.relevant, r.Label == "yes")
}
