package ranking

import (
	"math"
	"slices"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/table"
)

// The accuracy of the proxy task is that of the plain way over all scores: the right run, and
// the best two of the others by BM25. Where recommend.keep leaves out what decides there is none.
func TestProxyTask(t *testing.T) {
	run := func(top, keep int) *config.Config {
		c := pipelinetest.Dataset(t, "relic-hathitrust", func(c *config.Config) {
			c.Recommend.Retrieve, c.Recommend.Top, c.Recommend.Keep = config.RetrieveTFIDF, top, keep
			c.Evaluate = config.Evaluate{Splits: []string{"train", "test"}, Baselines: []string{"bm25", "tfidf", "random"}, Confidence: .95, Resamples: 50, Seed: 1}
		})
		pipelinetest.Build(t, c)
		return c
	}
	figure := func(c *config.Config, system, split string) *commonplace.Evaluation {
		figures := pipelinetest.Rows(t, c, table.Evaluations)
		i := slices.IndexFunc(figures, func(f commonplace.Evaluation) bool {
			return f.System == system && f.Split == split && f.Metric == proxyAccuracy
		})
		if i < 0 {
			return nil
		}
		return &figures[i]
	}
	bm25 := pipelinetest.Dataset(t, "relic-hathitrust", func(c *config.Config) {
		c.Recommend.Keep = 0
		c.Evaluate = config.Evaluate{Splits: []string{"train", "test"}, Baselines: []string{"tfidf"}, Confidence: .95, Resamples: 50, Seed: 1}
	})
	pipelinetest.Build(t, bm25)
	for _, top := range []int{0, 2} { // all are retrieved, or two
		c := run(top, 0)
		scores := map[[2]string]float64{}
		for _, r := range pipelinetest.Rows(t, c, table.Recommendations) {
			scores[[2]string{r.ContextID, r.PassageID}] = r.Retrieved + 1 // behind them all stands 0
		}
		want, wrong := map[string][]float64{}, map[string]int{}
		var rows []commonplace.Recommendation
		for _, r := range pipelinetest.Rows(t, bm25, table.Recommendations) {
			if r.Label == "yes" {
				rows = append(rows, r)
			}
		}
		for _, right := range rows {
			three := []float64{scores[[2]string{right.ContextID, right.PassageID}]}
			for _, r := range pipelinetest.Rows(t, bm25, table.Recommendations) { // the best first
				if r.ContextID == right.ContextID && r.Label == "no" && len(three) < 3 {
					three = append(three, scores[[2]string{r.ContextID, r.PassageID}])
				}
			}
			best, right1 := slices.Max(three), three[0]
			value := 0.0
			if right1 == best {
				alike := 0
				for _, s := range three {
					if s == best {
						alike++
					}
				}
				value = 1 / float64(alike)
			}
			want[right.Split] = append(want[right.Split], value)
			if value < 1 {
				wrong[right.Split]++
			}
		}
		for split, values := range want {
			f := figure(c, "recommend: tfidf", split)
			if f == nil || f.N != int64(len(values)) || math.Abs(*f.Value-eval.Mean(values)) > 1e-12 {
				t.Errorf("top %d, %s: %+v, want %v of %d", top, split, f, eval.Mean(values), len(values))
			}
			if f := figure(c, "random", split); f == nil || math.Abs(*f.Value-1./3) > 1e-12 {
				t.Errorf("%s: chance is %+v", split, f)
			}
			if f := figure(c, "tfidf", split); top == 0 && (f == nil || math.Abs(*f.Value-eval.Mean(values)) > 1e-12) {
				t.Errorf("%s: the baseline has %+v, want %v", split, f, eval.Mean(values))
			}
			if figure(c, "bm25", split) != nil || figure(bm25, "recommend: bm25", split) != nil || figure(bm25, "tfidf", split) == nil {
				t.Errorf("%s: BM25 is judged by its own mistakes, or TF-IDF is not judged", split)
			}
		}
		if wrong["train"]+wrong["test"] == 0 {
			t.Errorf("top %d: all are right, so the test says nothing", top)
		}
	}
	kept := run(0, 1)
	for _, split := range []string{"train", "test"} {
		full, few := figure(run(0, 0), "recommend: tfidf", split), figure(kept, "recommend: tfidf", split)
		if full == nil {
			t.Fatalf("%s: no figure", split)
		}
		if few != nil && (*few.Value != *full.Value || few.N != full.N) {
			t.Errorf("%s: of one row a window the accuracy is %v of %d, and of all %v of %d", split, *few.Value, few.N, *full.Value, full.N)
		}
	}
	if figure(kept, "recommend: tfidf", "train") != nil && figure(kept, "recommend: tfidf", "test") != nil {
		t.Error("one row a window decides everywhere: the test says nothing of what is left out")
	}
}

// A work of two runs has one wrong one: the task of three candidates says nothing there.
func TestProxyTaskOfAShortWork(t *testing.T) {
	f := &tally{dataset: config.DataWindows, values: map[[2]string][]float64{}}
	p := pool{search: &search{}, candidates: []offered{{id: "w:0", text: "a b c"}, {id: "w:1", text: "d e f"}}}
	a := asked{context: "a b", right: []string{"w:0"}}
	s := evaluateSettings{System: "recommend: tfidf", BM25: config.DefaultBM25()}
	f.proxy(s, p, a, []commonplace.Recommendation{{PassageID: "w:0", Label: "yes", Place: 1, Ranked: 2, Candidates: 2}, {PassageID: "w:1", Label: "no", Place: 2, Better: 1, Ranked: 2, Candidates: 2}})
	f.proxyOf("tfidf", s, []float64{2, 1}, p, a)
	if len(f.values) > 0 || f.unknownProxy {
		t.Errorf("%v, %v", f.values, f.unknownProxy)
	}
}
