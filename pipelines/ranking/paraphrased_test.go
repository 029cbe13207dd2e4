package ranking

import (
	"bytes"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/table"
)

// With recommend.context.paraphrased candidates are ranked for what the language model said in
// place of the context, and so are the rows that models learn from; a context for which it said
// nothing is in neither.
func TestParaphrasedContexts(t *testing.T) {
	const said = "In other words, the wheel."
	var questions atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if questions.Add(1) == 1 {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		answer := said
		if body, _ := io.ReadAll(r.Body); bytes.Contains(body, []byte(`"model":"judge"`)) {
			answer = `A wheel: yes\nIn other words: no`
		}
		w.Write([]byte(`{"choices": [{"message": {"content": "` + answer + `"}}]}`))
	}))
	defer s.Close()
	run := func(paraphrased bool) *config.Config {
		c := pipelinetest.Dataset(t, "gandhi", func(c *config.Config) {
			c.Label.Paraphrase.URL, c.Label.Paraphrase.Model, c.Label.Paraphrase.Judge, c.Label.Paraphrase.Cache = s.URL, "small", "judge", t.TempDir()
			c.MaxRejectFraction, c.Label.Negatives = 1, []string{"near:1", "bm25:1"}
			c.Recommend.Retrieve, c.Recommend.Top, c.Recommend.Context.Paraphrased = config.RetrieveBM25, 0, paraphrased
			c.Evaluate = config.Evaluate{Splits: []string{"train", "validation", "test"}, Baselines: []string{"bm25"}, Confidence: .95, Resamples: 50, Seed: 1}
		})
		pipelinetest.Build(t, c)
		return c
	}
	c := run(true)
	paraphrases, examples := pipelinetest.Rows(t, c, table.Paraphrases), pipelinetest.Rows(t, c, table.Examples)
	if len(paraphrases) == 0 || len(paraphrases) >= len(examples) {
		t.Fatalf("%d paraphrases of %d contexts", len(paraphrases), len(examples))
	}
	ranked := map[string]bool{}
	scores := map[string]float64{} // by passage: all contexts say the same
	for _, r := range pipelinetest.Rows(t, c, table.Recommendations) {
		ranked[r.ContextID] = true
		if score, there := scores[r.PassageID]; there && score != r.Score {
			t.Errorf("%s has the scores %v and %v for the same words", r.PassageID, score, r.Score)
		}
		scores[r.PassageID] = r.Score
	}
	var asked []string
	err := Questions(t.Context(), c.Out, Asking{Context: c.Recommend.Context}, func(q Question) error {
		asked = append(asked, q.ID)
		if q.Context != said {
			t.Errorf("%s: %q", q.ID, q.Context)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paraphrases {
		if !ranked[p.ContextID] || !slices.Contains(asked, p.ContextID) {
			t.Errorf("%s is not ranked or not asked", p.ContextID)
		}
	}
	if len(ranked) != len(paraphrases) || len(asked) != len(paraphrases) {
		t.Errorf("%d ranked and %d asked of %d paraphrases", len(ranked), len(asked), len(paraphrases))
	}
	overlaps := map[string][]float64{}
	for _, p := range paraphrases {
		overlaps[p.Split] = append(overlaps[p.Split], p.Overlap)
	}
	n := map[string]int64{}
	for _, e := range pipelinetest.Rows(t, c, table.Evaluations) {
		if e.System == paraphrasesSystem {
			n[e.Metric] += e.N
			want := map[string]float64{wordOverlap: eval.Mean(overlaps[e.Split]), faithfulness: .5}[e.Metric]
			if math.Abs(*e.Value-want) > 1e-9 || e.PaperValue == nil {
				t.Errorf("%+v, want %v", e, want)
			}
		}
		if e.Dataset == config.DataTriples && e.Metric == "mAP" {
			n[e.System] += e.N
		}
	}
	if all := int64(len(paraphrases)); n[wordOverlap] != all || n[faithfulness] != all {
		t.Errorf("%v of %d paraphrases are judged", n, all)
	}
	if n["bm25"] != int64(len(paraphrases)) || n["recommend: bm25"] != n["bm25"] {
		t.Errorf("%v of %d are judged", n, len(paraphrases))
	}
	chosen := map[string]bool{}
	for _, r := range pipelinetest.Rows(t, c, table.Choices) {
		chosen[r.ContextID] = true
		if r.Context != said || !ranked[r.ContextID] {
			t.Errorf("choices of %s: %q", r.ContextID, r.Context)
		}
	}
	if len(chosen) != len(paraphrases) {
		t.Errorf("%d of %d paraphrases have choices", len(chosen), len(paraphrases))
	}
	if contexts, err := ContextsTrainedOn(t.Context(), c, "train"); err != nil || slices.ContainsFunc(contexts, func(of infer.TrainedOn) bool { return !ranked[of.DocID] }) {
		t.Errorf("%v, %v", contexts, err)
	}
	verbatim := map[string]bool{}
	for _, r := range pipelinetest.Rows(t, run(false), table.Recommendations) {
		verbatim[r.ContextID] = true
	}
	if len(verbatim) != len(examples) {
		t.Errorf("%d of %d contexts are ranked as they are", len(verbatim), len(examples))
	}
}

// What taught a model in its own words is in sample in others.
func TestInSampleInOtherWords(t *testing.T) {
	r := recommender{taught: []*taught{{known: true, ids: map[string]bool{"q1@a:7": true}}}}
	a := asked{id: "q1@a:7", docID: "a", context: "in other words"}
	if got := r.inSample(config.DataTriples, a); got != inSample {
		t.Errorf("triples: %s", got)
	}
	if got := r.inSample(config.DataReplies, a); got != outOfSample { // another list may have a conversation of that name
		t.Errorf("replies: %s", got)
	}
}
