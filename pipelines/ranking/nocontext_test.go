package ranking

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/rank"
	"github.com/commonplace/commonplace/table"
)

// With recommend.context.none models read each candidate beside an empty context, while what is
// retrieved, and the rows that models learn from, still depend on the context.
func TestModelsWithoutAContext(t *testing.T) {
	pipelinetest.Demo(t)
	build := func(none bool) *config.Config {
		c := pipelinetest.Dataset(t, "demo", func(c *config.Config) {
			c.Recommend.Retrieve, c.Recommend.Top, c.Recommend.Keep, c.Recommend.Context.None = config.RetrieveBM25, 3, 0, none
			c.Recommend.Models = []config.RankModel{{Model: "../../infer/testdata/models/span", Weight: 1}, {Model: "../../infer/testdata/models/rank", Weight: 1}}
			c.Evaluate = config.Evaluate{Splits: []string{"train"}, Confidence: .95, Resamples: 50, Seed: 1}
		})
		pipelinetest.Build(t, c)
		return c
	}
	c, with := build(true), build(false)
	retrieved := func(c *config.Config) map[[2]string]commonplace.Recommendation {
		of := map[[2]string]commonplace.Recommendation{}
		for _, r := range pipelinetest.Rows(t, c, table.Recommendations) {
			of[[2]string{r.ContextID, r.PassageID}] = r
		}
		return of
	}
	without, read := retrieved(c), retrieved(with)
	texts := map[string]string{}
	for _, p := range pipelinetest.Rows(t, c, table.Passages) {
		texts[p.ID] = p.Text
	}
	logits := map[string][]float64{} // by context, of its passages in the order of BM25
	span, ranker := tiny(t, "span"), tiny(t, "rank")
	rows := pipelinetest.Rows(t, c, table.Recommendations)
	others := 0
	for _, r := range rows {
		if before, there := read[[2]string{r.ContextID, r.PassageID}]; !there || before.Retrieved != r.Retrieved {
			t.Fatalf("%s, %s: retrieved with %v, and with the context for models with %v", r.ContextID, r.PassageID, r.Retrieved, before.Retrieved)
		} else if before.SpanText != r.SpanText {
			others++
		}
		pair := []infer.Pair{{Passage: texts[r.PassageID]}}
		found, err := span.Spans(t.Context(), pair, 1)
		if err != nil {
			t.Fatal(err)
		}
		if best := found[0].Spans[0]; int64(best.Begin) != r.SpanBegin || int64(best.End) != r.SpanEnd {
			t.Errorf("%s: the span is [%d, %d), and without a context %v", r.PassageID, r.SpanBegin, r.SpanEnd, best.Span)
		}
		of, err := ranker.ScorePairs(t.Context(), pair)
		if err != nil {
			t.Fatal(err)
		}
		logits[r.ContextID] = append(logits[r.ContextID], of[0].Score)
	}
	if others == 0 || len(without) != len(read) {
		t.Errorf("of %d rows none has another span than with the context (%d rows): the test says nothing", len(rows), len(read))
	}
	for id, scores := range logits {
		of := slices.DeleteFunc(slices.Clone(rows), func(r commonplace.Recommendation) bool { return r.ContextID != id })
		for i, want := range rank.LogSoftmax(scores) {
			if math.Abs(of[i].Parts[1]-want) > 1e-6 {
				t.Errorf("%s, %s: the ranker says %v, and without a context %v", id, of[i].PassageID, of[i].Parts[1], want)
			}
		}
	}
	figures, _, err := Evaluations(t.Context(), c.Out)
	i := slices.IndexFunc(figures, func(f commonplace.Evaluation) bool {
		return f.Metric == "F1 positive" && strings.HasPrefix(f.System, eval.Recommended)
	})
	if err != nil || i < 0 || !strings.HasSuffix(figures[i].System, "span + rank, without a context") || figures[i].PaperValue == nil || *figures[i].PaperValue != .382 {
		t.Errorf("%v, %+v", err, figures)
	}
	err = Questions(t.Context(), c.Out, Asking{Context: c.Recommend.Context}, func(q Question) error {
		if q.Context == "" {
			t.Errorf("%s is asked without its context", q.ID)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
