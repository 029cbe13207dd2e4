package ranking

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/infer/tokenizer"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/verify"
)

// tiny loads one of the tiny models of random weights.
func tiny(t *testing.T, head string) *infer.Model {
	t.Helper()
	m, err := infer.LoadModel(filepath.Join("../../infer/testdata/models", head), infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// The example config on the demonstration: every place, part and score as models
// and arithmetic give them one at a time.
func TestRecommendations(t *testing.T) {
	pipelinetest.Demo(t) // skips without ONNX Runtime
	c, err := config.Load(t.Context(), "../../configs/recommend.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c.Out, c.Shards, c.Recommend.Top = filepath.Join(t.TempDir(), "tables"), 2, 5
	c.Evaluate = config.Evaluate{} // so that recommend alone makes a whole run
	reports := pipelinetest.Build(t, c)
	examples, passages := pipelinetest.Rows(t, c, table.Examples), pipelinetest.Rows(t, c, table.Passages)
	rows := pipelinetest.Rows(t, c, table.Recommendations)
	if r := reports["recommend"]; r.In != int64(len(examples)) || len(examples) < 5 || len(rows) < 4*len(examples) {
		t.Fatalf("%d contexts of %d, %d rows", r.In, len(examples), len(rows))
	}
	embed, paragraph, span := tiny(t, "embed"), tiny(t, "rank"), tiny(t, "span")
	yes, truncated := 0, int64(0)
	for _, e := range examples {
		of := slices.DeleteFunc(slices.Clone(passages), func(p commonplace.Passage) bool { return p.DocID != e.DocID })
		found := slices.DeleteFunc(slices.Clone(rows), func(r commonplace.Recommendation) bool { return r.ContextID != e.ID })
		if len(found) != min(5, len(of)) {
			t.Fatalf("context %s has %d rows, its document %d passages", e.ID, len(found), len(of))
		}
		// What was retrieved are the nearest passages, and nothing better was left out.
		texts := []string{e.Context}
		for _, p := range of {
			texts = append(texts, p.Text)
		}
		vectors, cut, err := embed.Embed(t.Context(), texts)
		if err != nil {
			t.Fatal(err)
		}
		near := map[string]float64{}
		for _, n := range infer.Nearest(vectors[0], vectors[1:], 5) {
			near[of[n.Index].ID] = n.Score
		}
		var logits, spans []float64
		for _, r := range found {
			if score, ok := near[r.PassageID]; !ok || score != r.Retrieved {
				t.Errorf("%s: passage %s was retrieved with %v, want %v", e.ID, r.PassageID, r.Retrieved, score)
			}
			pair := []infer.Pair{{Context: e.Context, Passage: of[r.Index].Text}}
			logit, err := paragraph.ScorePairs(t.Context(), pair)
			if err != nil {
				t.Fatal(err)
			}
			best, err := span.Spans(t.Context(), pair, 1)
			if err != nil {
				t.Fatal(err)
			}
			found1 := best[0].Spans[0]
			logits, spans = append(logits, logit[0].Score), append(spans, found1.Score)
			if int64(found1.Begin) != r.SpanBegin || int64(found1.End) != r.SpanEnd {
				t.Errorf("%s: span [%d, %d), want %v", r.PassageID, r.SpanBegin, r.SpanEnd, found1.Span)
			}
			if want := logit[0].Truncated || best[0].Truncated || cut[0] || cut[1+r.Index]; r.Truncated != want {
				t.Errorf("%s: truncated %v, want %v", r.PassageID, r.Truncated, want)
			} else if want {
				truncated++
			}
			if (r.Label == "yes") != slices.Contains(e.PassageIDs, r.PassageID) || r.Split != e.Split {
				t.Errorf("label %s, split %s", r.Label, r.Split)
			}
			if r.Label == "yes" {
				yes++
			}
		}
		for i, r := range found {
			p, q := softmaxAt(logits, i), softmaxAt(spans, i)
			if want := math.Log(math.Pow(p, 9.5) * math.Pow(q, 3)); math.Abs(r.Score-want) > 1e-6*math.Abs(want) {
				t.Errorf("%s: score %v, want %v", r.PassageID, r.Score, want)
			}
			if r.Place != int64(i+1) || i > 0 && r.Score > found[i-1].Score {
				t.Errorf("%s: place %d with score %v", r.PassageID, r.Place, r.Score)
			}
		}
	}
	if yes == 0 {
		t.Error("no row holds a quote")
	}
	if counted := reports["recommend"].Counts["truncated"]; truncated == 0 || counted != truncated {
		t.Errorf("%d of %d rows are truncated, the record counts %d", truncated, len(rows), counted)
	}
	if _, err := verify.Tables(t.Context(), storage.Default, c.Out, func(p verify.Problem) { t.Error(p) }); err != nil {
		t.Error(err)
	}
	holdTuned(t, c, rows)
}

// holdTuned searches the weights for the training split in the plainest way.
func holdTuned(t *testing.T, c *config.Config, rows []commonplace.Recommendation) {
	t.Helper()
	got, err := Tune(t.Context(), c, "train")
	if err != nil {
		t.Fatal(err)
	}
	contexts := map[string][]commonplace.Recommendation{}
	for _, r := range rows {
		if r.Split == "train" {
			contexts[r.ContextID] = append(contexts[r.ContextID], r)
		}
	}
	meanPrecision := func(a, b float64) float64 {
		sum := 0.0
		for _, of := range contexts {
			slices.SortStableFunc(of, func(x, y commonplace.Recommendation) int {
				return cmp.Compare(a*y.Parts[0]+b*y.Parts[1], a*x.Parts[0]+b*x.Parts[1])
			})
			precision, hits := 0.0, 0.0
			for i, r := range of {
				if r.Label == "yes" {
					hits++
					precision += hits / float64(i+1)
				}
			}
			if hits > 0 {
				sum += precision / hits
			}
		}
		return sum / float64(len(contexts))
	}
	best := 0.0
	for a := 0.5; a <= 10; a += 0.5 {
		for b := 0.0; b <= 10; b += 0.5 {
			best = max(best, meanPrecision(a, b))
		}
	}
	best = max(best, meanPrecision(0, 1))
	if got.Contexts != len(contexts) || math.Abs(got.Score-best) > 1e-12 || math.Abs(got.Before-meanPrecision(9.5, 3)) > 1e-12 || math.Abs(meanPrecision(got.Weights[0], got.Weights[1])-best) > 1e-12 {
		t.Errorf("%+v; the plain search finds %v, and %v for the config", got, best, meanPrecision(9.5, 3))
	}
	if got.InSample != "not known to be held out" {
		t.Errorf("in sample: %q, of models that do not say what taught them", got.InSample)
	}
	if _, err := Tune(t.Context(), c, "nowhere"); !errors.Is(err, ErrNothing) {
		t.Errorf("error %v", err)
	}
	holdStale(t, c, got)
	c.Recommend.Keep = 3
	if _, err := Tune(t.Context(), c, "train"); !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), "recommend.keep is 3, must be 0 to tune") {
		t.Errorf("error %v", err)
	}
	c.Recommend.Keep = 0
	c.Recommend.Models = c.Recommend.Models[:1]
	if _, err := Tune(t.Context(), c, "train"); !errors.Is(err, config.ErrInvalid) {
		t.Errorf("error %v", err)
	}
}

// holdStale changes the config after the table was made: weights may be others,
// nothing else.
func holdStale(t *testing.T, c *config.Config, before Tuned) {
	t.Helper()
	changed := func(change func(r *config.Recommend)) (Tuned, error) {
		other := *c
		other.Recommend.Models = slices.Clone(c.Recommend.Models)
		change(&other.Recommend)
		return Tune(t.Context(), &other, "train")
	}
	got, err := changed(func(r *config.Recommend) {
		r.Models[0].Weight, r.Models[1].Weight = before.Weights[0], before.Weights[1]
	})
	if err != nil || got.Score != before.Score || got.Before != before.Score {
		t.Errorf("with the weights that were found: %+v, %v; before %+v", got, err, before)
	}
	got, err = changed(func(r *config.Recommend) { r.Fuse = "mixture" })
	if err != nil || math.Abs(got.Weights[0]+got.Weights[1]-1) > 1e-12 {
		t.Errorf("a mixture: %+v, %v", got, err)
	}
	const others = "was made by another retrieval or other models"
	for _, test := range []struct {
		want   string
		change func(r *config.Recommend)
	}{
		{others, func(r *config.Recommend) { r.Models[0], r.Models[1] = r.Models[1], r.Models[0] }},
		{others, func(r *config.Recommend) { r.Models[1].Model = "../../infer/testdata/models/yes-no" }},
		{others, func(r *config.Recommend) { r.Retrieve = config.RetrieveBM25 }},
		{"was made with recommend.top 5", func(r *config.Recommend) { r.Top = 6 }},
		{"model folder nowhere does not exist", func(r *config.Recommend) { r.Models[0].Model = "nowhere" }},
	} {
		if _, err := changed(test.change); !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
	kept := *c
	kept.Recommend.Keep = 3
	if err := engine.Build(t.Context(), engine.Request{Config: &kept, Stages: []string{"recommend"}, Force: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := Tune(t.Context(), c, "train"); !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), "table recommendations was made with recommend.keep 3: run `commonplace build` with this config") {
		t.Errorf("error %v", err)
	}
}

// softmaxAt is the plainest way: for logits of ordinary size.
func softmaxAt(scores []float64, i int) float64 {
	sum := 0.0
	for _, s := range scores {
		sum += math.Exp(s - scores[i])
	}
	return 1 / sum
}

// Other ways of a config: BM25 alone, and two models mixed over all passages.
func TestRecommendationsByOtherMeans(t *testing.T) {
	pipelinetest.Demo(t)
	c, err := config.Load(t.Context(), "../../configs/recommend.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c.Out, c.Shards, c.Evaluate = filepath.Join(t.TempDir(), "tables"), 2, config.Evaluate{} // so that recommend alone makes a whole run
	c.Recommend.Retrieve, c.Recommend.Top, c.Recommend.Models = config.RetrieveBM25, 3, nil
	pipelinetest.Build(t, c)
	passages := map[string][]commonplace.Passage{}
	for _, p := range pipelinetest.Rows(t, c, table.Passages) {
		passages[p.DocID] = append(passages[p.DocID], p)
	}
	contexts := map[string]string{}
	for _, e := range pipelinetest.Rows(t, c, table.Examples) {
		contexts[e.ID] = e.Context
	}
	for _, r := range pipelinetest.Rows(t, c, table.Recommendations) {
		var words [][]string
		for _, p := range passages[r.DocID] {
			words = append(words, wordsOf(p.Text))
		}
		scores := label.NewBM25(words).Scores(wordsOf(contexts[r.ContextID]))
		better := 0
		for i, s := range scores {
			if s > scores[r.Index] || s == scores[r.Index] && i < int(r.Index) {
				better++
			}
		}
		if r.Score != scores[r.Index] || r.Place != int64(better+1) || r.Place > 3 || len(r.Parts) != 0 {
			t.Errorf("%s: place %d with %v; BM25 says %d with %v", r.PassageID, r.Place, r.Score, better+1, scores[r.Index])
		}
	}

	c.Recommend = config.Recommend{Top: 20, Fuse: "mixture", Keep: 2, Models: []config.RankModel{
		{Model: "../../infer/testdata/models/yes-no", Weight: 0.6}, {Model: "../../infer/testdata/models/seq2seq", Weight: 0.4},
	}}
	if err := engine.Build(context.Background(), engine.Request{Config: c, Stages: []string{"recommend"}, Force: true}); err != nil {
		t.Fatal(err)
	}
	rows := pipelinetest.Rows(t, c, table.Recommendations)
	kept := 0
	for _, r := range rows {
		if r.Place <= 2 {
			kept++
		} else if r.Label != "yes" {
			t.Errorf("place %d is kept, and is not right", r.Place)
		}
	}
	if kept != 2*len(contexts) || len(rows) == kept {
		t.Errorf("%d rows of %d contexts, %d of them the first two", len(rows), len(contexts), kept)
	}
	for _, r := range rows {
		if want := 0.6*math.Exp(r.Parts[0]) + 0.4*math.Exp(r.Parts[1]); math.Abs(r.Score-want) > 1e-12 || r.Retrieved != 0 || r.SpanEnd != 0 {
			t.Errorf("%+v, want the score %v", r, want)
		}
	}
}

// With recommend.weight the retriever's scores are fused like a model's, and tune finds its
// weight as the plain search does.
func TestRetrieversWeight(t *testing.T) {
	pipelinetest.Demo(t)
	c, err := config.Load(t.Context(), "../../configs/recommend.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c.Out, c.Shards, c.Evaluate = filepath.Join(t.TempDir(), "tables"), 2, config.Evaluate{}
	c.Recommend.Retrieve, c.Recommend.Top, c.Recommend.Weight, c.Recommend.Models = config.RetrieveBM25, 0, 2.5, c.Recommend.Models[:1]
	pipelinetest.Build(t, c)
	contexts := map[string][]commonplace.Recommendation{}
	for _, r := range pipelinetest.Rows(t, c, table.Recommendations) {
		contexts[r.ContextID] = append(contexts[r.ContextID], r)
	}
	trained := 0
	fused := func(of []commonplace.Recommendation, model, retriever float64) (scores []float64) {
		var retrieved []float64
		for _, r := range of {
			retrieved = append(retrieved, r.Retrieved)
		}
		for i, r := range of {
			scores = append(scores, model*r.Parts[0]+retriever*math.Log(softmaxAt(retrieved, i)))
		}
		return scores
	}
	for _, of := range contexts {
		for i, want := range fused(of, 9.5, 2.5) {
			if math.Abs(of[i].Score-want) > 1e-9 {
				t.Errorf("%s: score %v, want %v", of[i].PassageID, of[i].Score, want)
			}
		}
		if of[0].Split == "train" {
			trained++
		}
	}
	meanPrecision := func(model, retriever float64) float64 {
		sum := 0.0
		for _, of := range contexts {
			if of[0].Split != "train" {
				continue
			}
			var relevant []bool
			for _, r := range of {
				relevant = append(relevant, r.Label == "yes")
			}
			sum += eval.AveragePrecision(fused(of, model, retriever), relevant)
		}
		return sum / float64(trained)
	}
	best := 0.0
	for i := range 21 {
		for j := range 21 {
			if i+j > 0 {
				best = max(best, meanPrecision(float64(i)/2, float64(j)/2))
			}
		}
	}
	c.Recommend.Weight = 1 // as for a model's, another weight makes no other table
	got, err := Tune(t.Context(), c, "train")
	if err != nil || math.Abs(got.Score-best) > 1e-9 || math.Abs(got.Before-meanPrecision(9.5, 1)) > 1e-9 || len(got.Alone) != 2 || math.Abs(got.Alone[1]-meanPrecision(0, 1)) > 1e-9 {
		t.Errorf("%+v, %v; the plain search finds %v", got, err, best)
	}
}

// poisoned copies a tiny model and makes one token's vector NaN: the raw data of
// the tensor of words is behind its name in the graph.
func poisoned(t *testing.T, head string, token int64) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("../../infer/testdata/models", head))); err != nil {
		t.Fatal(err)
	}
	graph, err := os.ReadFile(filepath.Join(dir, infer.GraphFile))
	if err != nil {
		t.Fatal(err)
	}
	name := []byte("embeddings.word_embeddings.weight\x4a") // the field raw_data
	at := bytes.LastIndex(graph, name) + len(name)
	size, n := binary.Uvarint(graph[at:])
	if at < len(name) || size%(16*4) != 0 || int64(size) < (token+1)*16*4 {
		t.Fatalf("%d bytes of words at %d", size, at)
	}
	old := sha256.Sum256(graph)
	copy(graph[at+n+int(token)*16*4:], []byte{0, 0, 0xc0, 0x7f})
	manifest, err := os.ReadFile(filepath.Join(dir, infer.ManifestFile))
	if err != nil {
		t.Fatal(err)
	}
	manifest = bytes.Replace(manifest, fmt.Appendf(nil, "%x", old), fmt.Appendf(nil, "%x", sha256.Sum256(graph)), 1)
	for file, data := range map[string][]byte{infer.GraphFile: graph, infer.ManifestFile: manifest} {
		if err := os.WriteFile(filepath.Join(dir, file), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// One word that only one passage, or only one context, holds spoils a model: the
// error names that passage and that context.
func TestRecommendationsThatAreNoNumbersAreNamed(t *testing.T) {
	pipelinetest.Demo(t) // skips without ONNX Runtime
	tok, err := tokenizer.Open("../../infer/testdata/models/rank/tokenizer.json")
	if err != nil {
		t.Fatal(err)
	}
	spoilt := tok.Bare("Zürich").IDs[0]
	passages := []offered{{id: "d:000000", text: "the lamp"}, {id: "d:000001", text: "the letter"}, {id: "d:000002", text: "the ship"}}
	contexts := []asked{{id: "c1", context: "of lamps"}, {id: "c2", context: "of ships"}}
	all := [][]candidate{{{at: 0}, {at: 1}, {at: 2}}, {{at: 2}, {at: 1}}}
	for _, test := range []struct{ head, passage, context, want string }{
		{"rank", "Zürich", "", "context c2, candidate d:000002: model rank gives the score NaN"},
		{"rank", "", "Zürich", "context c2, candidate d:000002: model rank gives the score NaN"},
		{"span", "Zürich", "", "context c2, candidate d:000002: model span gives a logit that is not finite"},
		{"embed", "Zürich", "", "candidate d:000002: model embed gives a vector that is not finite"},
		{"embed", "", "Zürich", "context c2: model embed gives a vector that is not finite"},
	} {
		m, err := infer.LoadModel(poisoned(t, test.head, spoilt), infer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		passages, contexts := slices.Clone(passages), slices.Clone(contexts)
		passages[2].text += " " + test.passage
		contexts[1].context += " " + test.context
		found := slices.Clone(all)
		if test.passage != "" {
			found[0] = found[0][:2] // the spoilt passage is the second context's candidate
		}
		r := &recommender{Recommend: config.Default().Recommend}
		if test.head == "embed" {
			r.retriever, r.embed = config.RetrieveModel, m
			p := pool{candidates: passages, search: &search{}}
			if err = p.prepare(t.Context(), r); err == nil {
				_, _, err = p.search.find(contexts)
			}
		} else {
			r.rankers = []*infer.Model{m}
			err = r.rank(t.Context(), config.DataTriples, pool{candidates: passages, search: &search{}}, contexts, found)
		}
		if err == nil || err.Error() != test.want {
			t.Errorf("error %v, want %s", err, test.want)
		}
		m.Close()
	}
}

// The grids of tune: the paper's for two weights of a product, coarser for three. Weights
// that are all 0 are refused in a config, so none are proposed.
func TestProposedWeights(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fuse    string
		n, want int
		last    []float64
	}{
		{"product", 2, 21*21 - 1, []float64{10, 10}}, {"product", 3, 11*11*11 - 1, []float64{10, 10, 10}},
		{"mixture", 2, 21, []float64{1, 0}}, {"mixture", 3, 231, []float64{1, 0, 0}},
	} {
		grid := weightsOf(test.fuse, test.n)
		if len(grid) != test.want || !slices.Equal(grid[len(grid)-1], test.last) {
			t.Errorf("%s of %d: %d weights, the last %v", test.fuse, test.n, len(grid), grid[len(grid)-1])
		}
		for _, w := range grid {
			if slices.Max(w) == 0 {
				t.Errorf("%s of %d: all weights are 0", test.fuse, test.n)
			}
		}
	}
}
