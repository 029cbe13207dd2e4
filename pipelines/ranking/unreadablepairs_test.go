package ranking

import (
	"cmp"
	"log/slog"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/table"
)

// unreadable is a word that pipelinetest.ModelThatReadsTooOften does not read.
var unreadable = strings.Repeat("a", 1000)

// inRowOrder are the rows of all shards, whatever their number.
func inRowOrder(rows []commonplace.Recommendation) []commonplace.Recommendation {
	slices.SortFunc(rows, func(a, b commonplace.Recommendation) int {
		return cmp.Or(cmp.Compare(a.DocID, b.DocID), cmp.Compare(a.ContextID, b.ContextID), cmp.Compare(a.Place, b.Place))
	})
	return rows
}

// recommendRejects are the ids of what recommend rejected, each for the one reason.
func recommendRejects(t *testing.T, c *config.Config) []string {
	t.Helper()
	ids := map[string]bool{}
	for _, r := range pipelinetest.Rejects(t, c, "recommendations") {
		if r.Reason != label.ReasonUnreadable || !strings.Contains(r.Detail, "more than 16 times") {
			t.Errorf("%+v", r)
		}
		ids[r.ID] = true
	}
	return slices.Sorted(maps.Keys(ids))
}

// A context that a retriever or a ranker does not read is a reject. So is a candidate, and the
// contexts keep their other candidates: whatever the shards, and in other books as without
// such texts. What was right stays right, so eval puts it behind all that was read.
func TestUnreadableContextsAndCandidates(t *testing.T) {
	pipelinetest.Demo(t) // skips without ONNX Runtime
	plain := func(head string) string { return pipelinetest.Path(t, "infer/testdata/models/"+head) }
	for name, recommend := range map[string]config.Recommend{
		"retriever": {Retrieve: pipelinetest.ModelThatReadsTooOften(t, "embed"), Models: []config.RankModel{{Model: plain("rank"), Weight: 1}}},
		"ranker":    {Models: []config.RankModel{{Model: plain("span"), Weight: 1}, {Model: pipelinetest.ModelThatReadsTooOften(t, "rank"), Weight: 1}}},
		"top":       {Retrieve: config.RetrieveBM25, Top: 3, Models: []config.RankModel{{Model: pipelinetest.ModelThatReadsTooOften(t, "rank"), Weight: 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			c := pipelinetest.Demo(t)
			recommend.Fuse, recommend.BM25 = "product", c.Recommend.BM25
			c.Label.Datasets, c.Segment.By, c.MaxRejectFraction, c.Recommend = []string{config.DataTriples}, "words:100", .5, recommend
			c.Evaluate = config.Evaluate{Splits: []string{"train", "test"}, Baselines: []string{"bm25"}, Confidence: .95, Resamples: 50}
			path := filepath.Join(pipelinetest.Copied(t, c), "weathers.txt")
			pipelinetest.Build(t, c)
			elsewhere := func(c *config.Config) []commonplace.Recommendation {
				return inRowOrder(slices.DeleteFunc(pipelinetest.Rows(t, c, table.Recommendations), func(r commonplace.Recommendation) bool { return r.DocID == "weathers" }))
			}
			without := elsewhere(c)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, before := range []string{"With someone standing up", "A grey horse", "There is no bad weather"} {
				text = []byte(strings.Replace(string(text), before, unreadable+"\n"+before, 1))
			}
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			reports := pipelinetest.Build(t, c)
			if !reflect.DeepEqual(elsewhere(c), without) || len(without) == 0 {
				t.Error("other books have other rows than without the unreadable texts")
			}
			rows, rejects := inRowOrder(pipelinetest.Rows(t, c, table.Recommendations)), recommendRejects(t, c)
			byContext := map[string][]commonplace.Recommendation{}
			for _, r := range rows {
				byContext[r.ContextID] = append(byContext[r.ContextID], r)
			}
			passages := map[string][]commonplace.Passage{}
			for _, p := range pipelinetest.Rows(t, c, table.Passages) {
				passages[p.DocID] = append(passages[p.DocID], p)
			}
			contexts, candidates, missed := 0, 0, 0
			precisions := map[string][]float64{}
			for _, e := range pipelinetest.Rows(t, c, table.Examples) {
				of := byContext[e.ID]
				if refused := strings.Contains(e.Context, unreadable); refused != slices.Contains(rejects, e.ID) || refused != (len(of) == 0) {
					t.Errorf("context %s is unreadable: %v, and has %d rows", e.ID, refused, len(of))
				}
				if len(of) == 0 {
					contexts++
					continue
				}
				scores, right := make([]float64, len(passages[e.DocID])), make([]bool, len(passages[e.DocID]))
				for i, p := range passages[e.DocID] {
					scores[i], right[i] = math.Inf(-1), slices.Contains(e.PassageIDs, p.ID)
					ranked := slices.IndexFunc(of, func(r commonplace.Recommendation) bool { return r.PassageID == p.ID })
					switch refused := strings.Contains(p.Text, unreadable); {
					case ranked >= 0 && !refused:
						scores[i] = of[ranked].Score
					case refused && right[i]:
						missed++
					}
					if recommend.Top == 0 && strings.Contains(p.Text, unreadable) == (ranked >= 0) || ranked >= 0 && slices.Contains(rejects, p.ID) {
						t.Errorf("context %s: passage %s is ranked: %v", e.ID, p.ID, ranked >= 0)
					}
				}
				if r := of[0]; r.Right != int64(len(e.PassageIDs)) || r.Candidates != int64(len(scores)) || r.Ranked != int64(len(of)) {
					t.Errorf("%+v", r)
				}
				precisions[e.Split] = append(precisions[e.Split], eval.AveragePrecision(scores, right))
			}
			for _, p := range passages["weathers"] {
				if slices.Contains(rejects, p.ID) {
					candidates++
				}
			}
			report := reports["recommend"]
			if contexts < 3 || missed == 0 && recommend.Top == 0 || candidates == 0 || contexts+candidates != len(rejects) || report.Rejected != int64(len(rejects)) || report.In != int64(len(byContext)+contexts+len(passages["weathers"])) { // the pool of weathers counts too
				t.Errorf("%d contexts and %d candidates are rejected, %d right ones missed: %v, %+v", contexts, candidates, missed, rejects, report)
			}
			figures, _, err := Evaluations(t.Context(), c.Out)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range figures {
				if of := precisions[f.Split]; f.Metric == "mAP" && (f.N != int64(len(of)) || strings.HasPrefix(f.System, eval.Recommended) && math.Abs(*f.Value-eval.Mean(of)) > 1e-9) {
					t.Errorf("%s, %s: mAP %v of %d, want %v of %d", f.System, f.Split, *f.Value, f.N, eval.Mean(of), len(of))
				}
			}
			other := pipelinetest.Into(c, filepath.Join(t.TempDir(), "other"))
			other.Shards = 1
			pipelinetest.Build(t, other)
			if !reflect.DeepEqual(inRowOrder(pipelinetest.Rows(t, other, table.Recommendations)), rows) || !reflect.DeepEqual(recommendRejects(t, other), rejects) {
				t.Error("one shard ranks or rejects otherwise")
			}
		})
	}
}

// Contexts that are ranked together have the rows and rejects that each has alone, also where a
// model reads context and candidate as one text, and only both together are too much.
func TestUnreadablePairsDoNotDependOnOtherContexts(t *testing.T) {
	pipelinetest.Demo(t) // skips without ONNX Runtime
	half := strings.Repeat("a", 300)
	candidates := []offered{{id: "d:000000", text: "The lamp."}, {id: "d:000001", index: 1, text: unreadable}, {id: "d:000002", index: 2, text: half}, {id: "d:000003", index: 3, text: "The letter."}}
	contexts := []asked{{id: "c1", docID: "d", context: "Of lamps"}, {id: "c2", docID: "d", context: unreadable}, {id: "c3", docID: "d", context: half}, {id: "c4", docID: "d", context: "Of letters"}}
	ranked := func(r recommender, pools ...pool) (rows []commonplace.Recommendation, rejects []commonplace.Reject) {
		c := &config.Config{Out: filepath.Join(t.TempDir(), "tables")}
		task := engine.Task{Stage: "recommend", Table: "recommendations", Out: c.Out, Of: 1}
		rec, err := engine.WriteShard(runner.WithLog(t.Context(), slog.New(slog.DiscardHandler)), task, table.Recommendations, func(o *engine.Output[commonplace.Recommendation]) error {
			r.o = o
			for _, p := range pools {
				p.docID, p.candidates, p.search = "d", candidates, cmp.Or(p.search, &search{})
				if err := r.pool(t.Context(), config.DataTriples, p); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for row, err := range table.Recommendations.Rows(t.Context(), filepath.Join(task.Folder("recommendations"), rec.Shard.File)) {
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, row)
		}
		for row, err := range table.Rejects.Rows(t.Context(), filepath.Join(table.RejectsDir(c.Out, "recommend"), rec.Rejects.File)) {
			if err != nil {
				t.Fatal(err)
			}
			rejects = append(rejects, row)
		}
		if in := rec.In["contexts"]; in != int64(len(rejects))+rec.Counts["taken"] {
			t.Errorf("%d contexts in, %d rejects: %+v", in, len(rejects), rec.Counts)
		}
		return rows, rejects
	}
	load := func(head string) *infer.Model {
		m, err := infer.LoadModel(pipelinetest.ModelThatReadsTooOften(t, head), infer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { m.Close() })
		return m
	}
	base := recommender{Recommend: config.Default().Recommend}
	rankers := base
	rankers.rankers, rankers.Models = []*infer.Model{load("rank"), load("yes-no")}, []config.RankModel{{Weight: 1}, {Weight: 1}}
	retrieves := base
	retrieves.retriever, retrieves.embed = config.RetrieveModel, load("embed")
	for name, test := range map[string]struct {
		recommender
		rows    int
		rejects string
	}{
		"rankers":   {rankers, 3 + 2 + 3, "c2 d:000001 d:000002"}, // d:000002 with c3 alone
		"retriever": {retrieves, 3 * 3, "c2 d:000001"},
	} {
		rows, rejects := ranked(test.recommender, pool{contexts: contexts})
		shared := &search{}
		var apart []pool
		for _, a := range contexts {
			apart = append(apart, pool{contexts: []asked{a}, search: shared})
		}
		together, rejectsTogether := ranked(test.recommender, apart...)
		if !reflect.DeepEqual(rows, together) || !reflect.DeepEqual(rejects, rejectsTogether) {
			t.Errorf("%s: pools of one context have other rows or rejects: %+v, %+v", name, rejects, rejectsTogether)
		}
		var ids, alone []string
		for _, r := range rejects {
			ids = append(ids, r.ID)
		}
		for _, a := range contexts {
			of, rejected := ranked(test.recommender, pool{contexts: []asked{a}})
			if want := slices.DeleteFunc(slices.Clone(rows), func(r commonplace.Recommendation) bool { return r.ContextID != a.id }); len(of) != len(want) || len(of) > 0 && !reflect.DeepEqual(of, want) {
				t.Errorf("%s: context %s has other rows alone: %+v, want %+v", name, a.id, of, want)
			}
			for _, r := range rejected {
				alone = append(alone, r.ID)
			}
		}
		slices.Sort(alone)
		if strings.Join(ids, " ") != test.rejects || !slices.Equal(slices.Compact(alone), ids) || len(rows) != test.rows {
			t.Errorf("%s: %d rows, rejects %v, and %v of each context alone", name, len(rows), ids, alone)
		}
	}
	// Of a pool without a readable candidate all contexts are rejects.
	candidates = candidates[1:2]
	for name, r := range map[string]recommender{"rankers": rankers, "retriever": retrieves} {
		if rows, rejects := ranked(r, pool{contexts: contexts[:2]}); len(rows) > 0 || len(rejects) < 2 || rejects[0].ID != "c1" || rejects[1].ID != "c2" {
			t.Errorf("%s: %+v, %+v", name, rows, rejects)
		}
	}
}

// A conversation that a model does not read is a reject of recommend and of recommend.when, and a
// quotation of the list that a ranker does not read is one of recommend. All other replies have
// their rows, whatever the shards.
func TestUnreadableReplies(t *testing.T) {
	pipelinetest.Demo(t) // skips without ONNX Runtime
	model := saysWhen(t)
	pipelinetest.ReadsTooOften(t, model)
	list := filepath.Join(t.TempDir(), "english.jsonl")
	text, err := os.ReadFile(pipelinetest.Path(t, "testdata/conversations/english.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	build := func(text string, shards int) (*config.Config, map[string]engine.StageReport) {
		if err := os.WriteFile(list, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c := pipelinetest.Dataset(t, "conversations", func(c *config.Config) {
			c.Conversations[0].Path, c.Shards, c.MaxRejectFraction = list, shards, .5
			c.Recommend.Retrieve, c.Recommend.When, c.Recommend.Models = config.RetrieveAll, model, []config.RankModel{{Model: model, Weight: 1}}
			c.Evaluate.Resamples = 50
		})
		return c, pipelinetest.Build(t, c)
	}
	predictions := func(c *config.Config) map[string]float64 {
		said := map[string]float64{}
		for _, p := range pipelinetest.Rows(t, c, table.QuotePredictions) {
			said[p.ReplyID] = p.Probability
		}
		return said
	}
	c, _ := build(string(text), 2)
	want := predictions(c)
	hostile := strings.Replace(string(text), "Did you use the long screws?", "Did you use the long "+unreadable+"?", 1)
	hostile = strings.ReplaceAll(hostile, "Practice makes perfect", "Practice makes "+unreadable)
	var rows []commonplace.Recommendation
	var rejects []string
	for _, shards := range []int{1, 2} {
		c, reports := build(hostile, shards)
		said, refused := predictions(c), map[string]bool{}
		for _, r := range pipelinetest.Rejects(t, c, "quote_predictions") {
			refused[r.ID] = true
			if r.Location != "r000" || r.Reason != label.ReasonUnreadable {
				t.Errorf("%+v", r)
			}
		}
		quotations := 0
		for _, r := range pipelinetest.Rows(t, c, table.Replies) {
			hostile := strings.Contains(strings.Join(r.Turns, ""), unreadable)
			if p, ok := said[r.ID]; hostile != refused[r.ID] || hostile == ok || ok && p != want[r.ID] {
				t.Errorf("reply %s is unreadable: %v, rejected: %v; probability %v, want %v", r.ID, hostile, refused[r.ID], p, want[r.ID])
			}
			if r.Label == label.Quo {
				quotations++
			}
		}
		if report := reports["when_to_quote"]; len(refused) == 0 || report.Rejected != int64(len(refused)) || report.In != report.Rows+report.Rejected {
			t.Errorf("%d shards: %+v", shards, report)
		}
		now, rejected := inRowOrder(pipelinetest.Rows(t, c, table.Recommendations)), recommendRejects(t, c)
		if rows == nil {
			rows, rejects = now, rejected
		}
		contexts := map[string]bool{}
		for _, r := range now {
			contexts[r.ContextID] = true
		}
		if !reflect.DeepEqual(now, rows) || !slices.Equal(rejected, rejects) || len(rejects) != 2 || len(contexts) != quotations-1 {
			t.Errorf("%d shards: %d rows, %d of one; rejects %v and %v; %d contexts of %d", shards, len(now), len(rows), rejected, rejects, len(contexts), quotations)
		}
	}
}

// Only as many contexts may be without rows as recommend rejected; else rows were lost.
func TestEvaluateNoticesLostRows(t *testing.T) {
	c := pipelinetest.Demo(t)
	c.Score, c.Shards, c.Label.Datasets = config.Score{}, 1, []string{config.DataTriples}
	c.Recommend = config.Recommend{Retrieve: config.RetrieveBM25, Top: 3, Context: c.Recommend.Context, BM25: c.Recommend.BM25}
	pipelinetest.Build(t, c)
	rows := pipelinetest.Rows(t, c, table.Recommendations)
	task := engine.Task{Stage: "evaluate", Table: "evaluations", Out: c.Out, Of: 1}
	for _, name := range []string{"examples", "passages", "recommendations"} {
		task.Inputs = append(task.Inputs, engine.Input{Table: name, Of: 1})
	}
	s := evaluateSettings{Evaluate: config.Evaluate{Splits: []string{"train", "validation", "test"}}, BM25: c.Recommend.BM25, Context: c.Recommend.Context, System: "bm25"}
	of := retrievals[slices.IndexFunc(retrievals, func(r retrieval) bool { return r.dataset == config.DataTriples })]
	if _, err := s.retrieval(t.Context(), task, of); err != nil {
		t.Fatal(err)
	}
	lost := rows[len(rows)/2].ContextID
	w, err := table.Recommendations.Create(t.Context(), task.Folder("recommendations"), 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.ContextID != lost {
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.retrieval(t.Context(), task, of); err == nil || !strings.Contains(err.Error(), lost+" has no recommendation, and recommend rejected 0") {
		t.Errorf("%v", err)
	}
}

// With recommend.rerank a candidate that the second model cannot read is a reject of every context, also where
// the first model puts it behind those that the second reads: a context's rows do not depend on its neighbours.
func TestUnreadableCandidatesBehindRerank(t *testing.T) {
	c := pipelinetest.Demo(t)
	c.Label.Datasets, c.Label.ContextWords, c.Segment.By, c.MaxRejectFraction = []string{config.DataTriples}, 5, "words:100", .5
	c.Recommend = config.Recommend{Fuse: "mixture", Rerank: 1, BM25: c.Recommend.BM25, Models: []config.RankModel{
		{Model: pipelinetest.Path(t, "infer/testdata/models/rank"), Weight: 1}, {Model: pipelinetest.ModelThatReadsTooOften(t, "rank"), Weight: 1},
	}}
	path := filepath.Join(pipelinetest.Copied(t, c), "weathers.txt")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	end := "*** END OF THIS"
	text = []byte(strings.Replace(string(text), end, unreadable+" is behind all that is quoted.\n\n"+end, 1))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	pipelinetest.Build(t, c)
	var refused []string
	for _, p := range pipelinetest.Rows(t, c, table.Passages) {
		if strings.Contains(p.Text, unreadable) {
			refused = append(refused, p.ID)
		}
	}
	if got := recommendRejects(t, c); len(refused) != 1 || !slices.Equal(got, refused) {
		t.Errorf("the rejects are %v, expected %v", got, refused)
	}
	for _, r := range pipelinetest.Rows(t, c, table.Recommendations) {
		if slices.Contains(refused, r.PassageID) {
			t.Errorf("%s has %s in place %d", r.ContextID, r.PassageID, r.Place)
		}
	}
}
