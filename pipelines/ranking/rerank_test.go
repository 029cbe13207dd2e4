package ranking

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/verify"
)

// With recommend.rerank the second model has a softmax over the first few of the first model,
// as equation 8 of When and what to quote has it, and the others keep the first model's order.
func TestRerank(t *testing.T) {
	pipelinetest.Demo(t)
	c, err := config.Load(t.Context(), "../../configs/recommend.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c.Out, c.Shards, c.Evaluate = filepath.Join(t.TempDir(), "tables"), 2, config.Evaluate{}
	c.Recommend = config.Recommend{Fuse: "mixture", Rerank: 3, Context: config.DefaultContext(), BM25: config.DefaultBM25(), Models: []config.RankModel{
		{Model: "../../infer/testdata/models/rank", Weight: .6}, {Model: "../../infer/testdata/models/seq2seq", Weight: .4},
	}}
	pipelinetest.Build(t, c)
	contexts, texts, passages := map[string]string{}, map[string]string{}, map[string]int{}
	for _, p := range pipelinetest.Rows(t, c, table.Passages) {
		texts[p.ID] = p.Text
		passages[p.DocID]++
	}
	for _, e := range pipelinetest.Rows(t, c, table.Examples) {
		contexts[e.ID] = e.Context
	}
	byContext := map[string][]commonplace.Recommendation{}
	for _, r := range pipelinetest.Rows(t, c, table.Recommendations) {
		byContext[r.ContextID] = append(byContext[r.ContextID], r)
	}
	first, second := tiny(t, "rank"), tiny(t, "seq2seq")
	moved, behind := 0, 0
	var kept [][]commonplace.Recommendation // of the training split
	for id, rows := range byContext {
		if len(rows) != passages[rows[0].DocID] {
			t.Fatalf("%s: %d rows of %d passages", id, len(rows), passages[rows[0].DocID])
		}
		var pairs []infer.Pair
		for _, r := range rows {
			pairs = append(pairs, infer.Pair{Context: contexts[id], Passage: texts[r.PassageID]})
		}
		logits, err := first.ScorePairs(t.Context(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		said, err := second.ScorePairs(t.Context(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		recommended, generated := 0.0, 0.0
		for i, logit := range logits {
			recommended += math.Exp(logit.Score)
			if i < 3 {
				generated += math.Exp(said[i].Score)
			}
		}
		for i, r := range rows {
			p := math.Exp(logits[i].Score) / recommended
			want, parts := .6*p, 1
			if i < 3 {
				want, parts = want+.4*math.Exp(said[i].Score)/generated, 2
			}
			if math.Abs(r.Score-want) > 1e-6 || len(r.Parts) != parts || r.Place != int64(i+1) {
				t.Errorf("%s, place %d: %+v, want the score %v of %d models", id, i+1, r, want, parts)
			}
			if i >= 3 {
				behind++
				if i > 3 && logits[i].Score > logits[i-1].Score+1e-6 || slices.ContainsFunc(logits[:3], func(l infer.PairScore) bool { return logits[i].Score > l.Score+1e-6 }) {
					t.Errorf("%s: place %d is not in the first model's order", id, i+1)
				}
			} else if i > 0 && logits[i].Score > logits[i-1].Score+1e-6 {
				moved++
			}
		}
		if rows[0].Split == "train" {
			kept = append(kept, rows)
		}
	}
	if moved == 0 || behind == 0 {
		t.Errorf("%d of the first are in another order, %d are behind: the test says nothing", moved, behind)
	}
	if _, err := verify.Tables(t.Context(), storage.Default, c.Out, func(p verify.Problem) { t.Error(p) }); err != nil {
		t.Error(err)
	}
	holdTunedRerank(t, c, kept)
}

// holdTunedRerank searches the weights of such a mixture in the plainest way.
func holdTunedRerank(t *testing.T, c *config.Config, contexts [][]commonplace.Recommendation) {
	t.Helper()
	best := 0.0
	for step := 1; step <= 20; step++ {
		w, sum := float64(step)/20, 0.0
		for _, rows := range contexts {
			var scores []float64
			var right []bool
			for _, r := range rows {
				score := w * math.Exp(r.Parts[0])
				if len(r.Parts) > 1 {
					score += (1 - w) * math.Exp(r.Parts[1])
				}
				scores, right = append(scores, score), append(right, r.Label == "yes")
			}
			sum += eval.AveragePrecision(scores, right)
		}
		best = max(best, sum/float64(len(contexts)))
	}
	got, err := Tune(t.Context(), c, "train")
	if err != nil || math.Abs(got.Score-best) > 1e-9 || got.Weights[0] == 0 {
		t.Errorf("%+v, %v; the plain search finds %v", got, err, best)
	}
}
