package pipelines

import (
	"fmt"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/table"
)

// Tuned is the outcome of a search for the weights of a fusion.
type Tuned struct {
	Split    string
	Contexts int       // that have a right passage; those whose right one was not retrieved count as 0
	Weights  []float64 // the best, in the order of the config's models
	Score    float64   // mean average precision with them
	Before   float64   // and with the config's
	Alone    []float64 // and with each model alone
}

// judgedContext is what the models said of a context's passages.
type judgedContext struct {
	parts    [][]float64 // parts[model][passage]
	relevant []bool
}

// Tune looks for the weights of a config's two models that serve its contexts of
// one split best, by mean average precision: over {0, 0.5, ... 10} each for a
// product (context-based quotation recommendation, section 5.3), over l and 1-l
// in steps of 0.05 for a mixture. It reads what the stage recommend wrote and
// runs no model.
func Tune(c *Config, split string) (Tuned, error) {
	if len(c.Recommend.Models) != 2 {
		return Tuned{}, fmt.Errorf("%w: %s: recommend.models has %d models, weights are tuned for 2", ErrConfig, c.path, len(c.Recommend.Models))
	}
	if c.Recommend.Keep > 0 {
		return Tuned{}, c.refuse("recommend.keep", c.Recommend.Keep, "0 to tune: what the config's weights leave out, others may put first; set it, run `commonplace recommend`, and tune then")
	}
	contexts, err := judgedContexts(c.Out, split)
	if err != nil {
		return Tuned{}, err
	}
	if len(contexts) == 0 {
		return Tuned{}, fmt.Errorf("%w: %s: no context of the split %s has a recommendation", ErrNothing, c.Out, split)
	}
	t := Tuned{Split: split, Contexts: len(contexts), Score: -1}
	fuse := fusions[c.Recommend.Fuse]
	score := func(weights ...float64) float64 {
		sum := 0.0
		for _, j := range contexts {
			if slices.Contains(j.relevant, true) {
				sum += eval.AveragePrecision(fuse(j.parts, weights), j.relevant)
			}
		}
		return sum / float64(len(contexts))
	}
	for _, w := range weightsOf(c.Recommend.Fuse) {
		if s := score(w[0], w[1]); s > t.Score {
			t.Weights, t.Score = []float64{w[0], w[1]}, s
		}
	}
	t.Before = score(c.Recommend.weights()...)
	t.Alone = []float64{score(1, 0), score(0, 1)}
	return t, nil
}

// weightsOf is the grid, in the order in which the first of equals wins.
func weightsOf(fuse string) [][2]float64 {
	var grid [][2]float64
	if fuse == "mixture" {
		for i := range 21 {
			grid = append(grid, [2]float64{float64(i) / 20, float64(20-i) / 20})
		}
		return grid
	}
	for i := range 21 {
		for j := range 21 {
			grid = append(grid, [2]float64{float64(i) / 2, float64(j) / 2})
		}
	}
	return grid
}

// judgedContexts reads the recommendations of one split, context by context.
func judgedContexts(out, split string) ([]judgedContext, error) {
	commit, err := committed(out, table.Recommendations.Name)
	if err != nil {
		return nil, err
	}
	var contexts []judgedContext
	last := ""
	for _, path := range commit.ShardPaths(out) {
		for r, err := range table.Recommendations.Rows(path, "context_id", "parts", "label", "split") {
			if err != nil {
				return nil, err
			}
			if r.Split != split {
				continue
			}
			if r.ContextID != last {
				contexts, last = append(contexts, judgedContext{}), r.ContextID
			}
			if err := contexts[len(contexts)-1].add(r); err != nil {
				return nil, fmt.Errorf("%s: context %s: %w", path, r.ContextID, err)
			}
		}
	}
	return contexts, nil
}

func (j *judgedContext) add(r commonplace.Recommendation) error {
	if j.parts == nil {
		j.parts = make([][]float64, len(r.Parts))
	}
	if len(r.Parts) != 2 || len(j.parts) != 2 {
		return fmt.Errorf("%w: %d models spoke, weights are tuned for 2; run `commonplace recommend` with this config", ErrConfig, len(r.Parts))
	}
	for k, logp := range r.Parts {
		j.parts[k] = append(j.parts[k], logp)
	}
	j.relevant = append(j.relevant, r.Label == "yes")
	return nil
}
