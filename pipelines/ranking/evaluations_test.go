package ranking

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/segment"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/verify"
)

// Every dataset's contexts have their candidates ranked, and the table says what the plain
// metrics say of all scores; the same retriever as a baseline has the same figures.
func TestEvaluations(t *testing.T) {
	pipelinetest.Demo(t) // skips without ONNX Runtime
	for _, test := range []struct {
		config, dataset string
		contexts        func(c *config.Config) int
		metrics         map[string]func(scores []float64, right []bool) float64
	}{
		{"demo", config.DataTriples, func(c *config.Config) int { return len(pipelinetest.Rows(t, c, table.Examples)) },
			map[string]func([]float64, []bool) float64{"mAP": eval.AveragePrecision, "Acc@5": at(eval.AccuracyAt, 5)}},
		{"quotus", config.DataQueries, func(c *config.Config) int { return len(pipelinetest.Rows(t, c, table.Queries)) },
			map[string]func([]float64, []bool) float64{"mAP": eval.AveragePrecision, "Acc@3": at(eval.AccuracyAt, 3)}},
		{"conversations", config.DataReplies, func(c *config.Config) int { return len(pipelinetest.Rows(t, c, table.Conversations)) },
			map[string]func([]float64, []bool) float64{"MAP": eval.AveragePrecision, "P@1": at(eval.AccuracyAt, 1), "P@3": at(eval.AccuracyAt, 3)}},
		{"relic-hathitrust", config.DataWindows, func(c *config.Config) int { return len(pipelinetest.Rows(t, c, table.Windows)) },
			map[string]func([]float64, []bool) float64{"recall@5": at(eval.RecallAt, 5), "mean rank": eval.MeanRank}},
	} {
		t.Run(test.dataset, func(t *testing.T) {
			c := pipelinetest.Dataset(t, test.config, func(c *config.Config) {
				c.Label.Datasets = []string{test.dataset}
				c.Recommend.Retrieve, c.Recommend.Top, c.Recommend.Keep, c.Recommend.BM25 = config.RetrieveBM25, 0, 0, config.BM25{K1: .5, B: .9}
				c.Evaluate = config.Evaluate{Splits: []string{"train", "validation", "test"}, Baselines: []string{"bm25", "random"}, Confidence: .95, Resamples: 50, Seed: 1}
			})
			pipelinetest.Build(t, c)
			rows := pipelinetest.Rows(t, c, table.Recommendations)
			byContext := map[string][]commonplace.Recommendation{}
			for _, r := range rows {
				byContext[r.ContextID] = append(byContext[r.ContextID], r)
			}
			if n := test.contexts(c); len(byContext) != n || n < 3 {
				t.Fatalf("%d contexts are ranked of %d", len(byContext), n)
			}
			if test.dataset == config.DataWindows {
				for _, w := range pipelinetest.Rows(t, c, table.Windows) {
					if of := byContext[w.ID]; int64(len(of)) != w.Candidates || of[0].Right != 1 {
						t.Errorf("window %s of %d sentences has %d runs, want %d", w.ID, w.Sentences, len(of), w.Candidates)
					}
				}
			}
			type key struct{ split, metric string }
			values, random := map[key][]float64{}, map[key][]float64{}
			for _, of := range byContext {
				scores, right, yes := make([]float64, len(of)), make([]bool, len(of)), 0
				for i, r := range of {
					scores[i], right[i] = r.Score, r.Label == "yes"
					if right[i] {
						yes++
					}
					if r.Dataset != test.dataset || r.InSample != outOfSample || r.Ranked != int64(len(of)) {
						t.Fatalf("%+v", r)
					}
				}
				if int64(yes) != of[0].Right || yes == 0 {
					t.Errorf("%s: %d right answers, want %d", of[0].ContextID, yes, of[0].Right)
				}
				for name, metric := range test.metrics {
					k := key{of[0].Split, name}
					values[k] = append(values[k], metric(scores, right))
					random[k] = append(random[k], metric(make([]float64, len(of)), right))
				}
			}
			seen := 0
			figures, made, err := Evaluations(t.Context(), c.Out)
			if err != nil || !made {
				t.Fatal(made, err)
			}
			jaccards, tested := 0, 0
			for _, f := range figures {
				if f.Metric == chunkJaccard && f.System != config.BaselineRandom {
					jaccards++
					if want := slowChunks(t, c, rows, f.Split); math.Abs(*f.Value-want) > 1e-9 {
						t.Errorf("%s, %s: Jaccard is %v, want %v", f.System, f.Split, *f.Value, want)
					}
				}
				k := key{f.Split, f.Metric}
				want, asked := values[k]
				if f.System == config.BaselineRandom && asked && test.dataset == config.DataReplies && len(want) > 1 {
					if p := eval.PairedT(random[k], want); math.IsNaN(p) { // all differ by the same: the test says nothing
						if f.P != nil || f.Test != "" {
							t.Errorf("%s, %s: %+v, want no p", f.Split, f.Metric, f)
						}
					} else if f.P == nil || math.Abs(*f.P-p) > 1e-9 || f.Test != "paired t" {
						t.Errorf("%s, %s: %+v, want p %v of a paired t-test", f.Split, f.Metric, f, p)
					} else if p < 1 {
						tested++
					}
				}
				if !asked || f.System == config.BaselineRandom || f.Dataset != test.dataset {
					continue
				}
				seen++
				if f.N != int64(len(want)) || math.Abs(*f.Value-eval.Mean(want)) > 1e-9 {
					t.Errorf("%s, %s: %s is %v of %d, want %v of %d", f.System, f.Split, f.Metric, *f.Value, f.N, eval.Mean(want), len(want))
				}
				if f.System == config.RetrieveBM25 && f.P != nil && *f.P != 1 {
					t.Errorf("BM25 differs from itself: p is %v", *f.P)
				}
			}
			if (tested > 0) != (test.dataset == config.DataReplies) {
				t.Errorf("%d figures are tested by the paired t-test", tested)
			}
			if (jaccards > 0) != (test.dataset == config.DataTriples) {
				t.Errorf("%d figures of the first candidate's words", jaccards)
			}
			if seen != 2*len(values) {
				t.Errorf("%d figures are compared, want %d", seen, 2*len(values))
			}
			if _, err := verify.Tables(t.Context(), storage.Default, c.Out, func(p verify.Problem) { t.Error(p) }); err != nil {
				t.Error(err)
			}
		})
	}
}

// slowChunks is the mean Jaccard index of the first candidates of a split and the passages that
// have most of the quotation, from the tables.
func slowChunks(t *testing.T, c *config.Config, rows []commonplace.Recommendation, split string) float64 {
	texts, positive := map[string]string{}, map[string]string{}
	for _, p := range pipelinetest.Rows(t, c, table.Passages) {
		texts[p.ID] = p.Text
	}
	for _, e := range pipelinetest.Rows(t, c, table.Examples) {
		positive[e.ID] = e.PassageText
	}
	var values []float64
	for _, r := range rows {
		if r.Place != 1 || r.Split != split {
			continue
		}
		values = append(values, label.Overlap(texts[r.PassageID], positive[r.ContextID]))
	}
	return eval.Mean(values)
}

func at(metric func([]float64, []bool, int) float64, k int) func([]float64, []bool) float64 {
	return func(s []float64, r []bool) float64 { return metric(s, r, k) }
}

// A tagger is a reader, too: its spans are judged, tag by tag.
func TestEvaluationsOfATagger(t *testing.T) {
	pipelinetest.Demo(t)
	c := pipelinetest.Dataset(t, "demo", func(c *config.Config) {
		c.Recommend.Models = []config.RankModel{{Model: "../../infer/testdata/models/tag", Weight: 1}}
		c.Evaluate = config.Evaluate{Splits: []string{"train"}, Confidence: .95, Resamples: 50, Seed: 1}
	})
	pipelinetest.Build(t, c)
	figures, _, err := Evaluations(t.Context(), c.Out)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(figures, func(f commonplace.Evaluation) bool { return f.Metric == exactBIO && f.N > 0 }) {
		t.Errorf("no figure %s: %+v", exactBIO, figures)
	}
	more := false
	for _, r := range pipelinetest.Rows(t, c, table.Recommendations) {
		more = more || r.SpansMore > 0
		if r.SpansMore > 0 && r.SpanText == "" {
			t.Errorf("%+v has other spans and none", r)
		}
	}
	if !more {
		t.Error("the tiny tagger finds one span at most everywhere: the test says nothing of several")
	}
	const text = "He said: “Know thyself.” And left."
	right := commonplace.Span{Begin: 10, End: 22}
	for _, c := range []struct {
		row  commonplace.Recommendation
		want float64
	}{
		{commonplace.Recommendation{SpanBegin: 10, SpanEnd: 22}, 1},
		{commonplace.Recommendation{SpanBegin: 11, SpanEnd: 22}, 1}, // the same words
		{commonplace.Recommendation{SpanBegin: 10, SpanEnd: 23}, 0}, // and the full stop
		{commonplace.Recommendation{SpanBegin: 10, SpanEnd: 22, SpansMore: 1}, 0},
	} {
		if got := sameTags(text, c.row, right); got != c.want {
			t.Errorf("%+v: %v, want %v", c.row, got, c.want)
		}
	}
}

// A split without a context gives no table that looks like one.
func TestEvaluationsOfNothing(t *testing.T) {
	c := pipelinetest.Demo(t)
	c.Label.Datasets, c.Recommend.Retrieve = []string{config.DataTriples}, config.RetrieveBM25
	c.Label.Split.Train, c.Label.Split.Validation, c.Label.Split.Test = 1, 0, 0
	c.Evaluate = config.Evaluate{Splits: []string{"test"}, Baselines: []string{"bm25"}, Confidence: .95, Resamples: 50, Seed: 1}
	pipelinetest.Build(t, c)
	if _, made, err := Evaluations(t.Context(), c.Out); !made || !errors.Is(err, ErrNothing) {
		t.Errorf("made %v, error %v", made, err)
	}
}

// A context that taught the model is left out of its figures, and what is not known is said;
// EM and F1 are those of the proposed spans.
func TestEvaluationsOfModels(t *testing.T) {
	pipelinetest.Demo(t)
	c := pipelinetest.Dataset(t, "demo", func(c *config.Config) {
		c.Recommend.Models = []config.RankModel{{Model: copyOfModel(t, "../../infer/testdata/models/span"), Weight: 1}}
		c.Evaluate = config.Evaluate{Splits: []string{"train"}, Baselines: []string{"bm25"}, Confidence: .95, Resamples: 50, Seed: 1}
	})
	pipelinetest.Build(t, c)
	figure := func(metric string) commonplace.Evaluation {
		figures, made, err := Evaluations(t.Context(), c.Out)
		if err != nil || !made {
			t.Fatal(made, err)
		}
		i := slices.IndexFunc(figures, func(f commonplace.Evaluation) bool {
			return f.Metric == metric && strings.HasPrefix(f.System, eval.Recommended)
		})
		if i < 0 {
			t.Fatalf("no figure %s", metric)
		}
		if text := figures[i : i+1].Text(0); figures[i].InSample != "" && !strings.Contains(text, figures[i].InSample) {
			t.Errorf("the printed table does not say %q: %s", figures[i].InSample, text)
		}
		return figures[i]
	}
	f := figure("F1")
	if f.InSample != "not known to be held out" || f.LeftOut != 0 {
		t.Errorf("a model that says nothing: %+v", f)
	}
	answers := map[string]string{}
	for _, e := range pipelinetest.Rows(t, c, table.Examples) {
		answers[e.ID] = e.SpanText
	}
	var f1 []float64
	for _, r := range pipelinetest.Rows(t, c, table.Recommendations) {
		if r.Place == 1 && r.Split == "train" {
			f1 = append(f1, eval.SpanF1(r.SpanText, answers[r.ContextID]))
		}
	}
	if f.N != int64(len(f1)) || math.Abs(*f.Value-eval.Mean(f1)) > 1e-12 {
		t.Errorf("F1 is %v of %d, want %v of %d", *f.Value, f.N, eval.Mean(f1), len(f1))
	}

	proposed := map[string]string{} // of the right passages of each context, in the order of the book
	rows := pipelinetest.Rows(t, c, table.Recommendations)
	slices.SortStableFunc(rows, func(a, b commonplace.Recommendation) int { return int(a.Index - b.Index) })
	for _, r := range rows {
		if r.Label == "yes" && r.Split == "train" {
			proposed[r.ContextID] = strings.TrimSpace(proposed[r.ContextID] + " " + r.SpanText)
		}
	}
	var positive []float64
	for id, text := range proposed {
		positive = append(positive, eval.SpanF1(text, answers[id]))
	}
	if f := figure("F1 positive"); f.N != int64(len(positive)) || math.Abs(*f.Value-eval.Mean(positive)) > 1e-12 || f.P != nil || f.Test != "" {
		t.Errorf("F1 positive: %+v, want %v of %d, and no test", f, eval.Mean(positive), len(positive))
	}
	for _, name := range []string{"first sentence", "last sentence"} {
		var want []float64
		for _, e := range pipelinetest.Rows(t, c, table.Examples) {
			if e.Split == "train" {
				cut := slices.Collect(segment.BySentences(e.PassageText))
				s := cut[0]
				if name == "last sentence" {
					s = cut[len(cut)-1]
				}
				want = append(want, eval.SpanF1(e.PassageText[s.Begin:s.End], e.SpanText))
			}
		}
		figures, _, err := Evaluations(t.Context(), c.Out)
		i := slices.IndexFunc(figures, func(f commonplace.Evaluation) bool { return f.System == name && f.Metric == "F1 positive" })
		if err != nil || i < 0 || figures[i].N != int64(len(want)) || math.Abs(*figures[i].Value-eval.Mean(want)) > 1e-12 {
			t.Fatalf("%s: %+v, %v; want %v", name, figures[max(0, i)], err, eval.Mean(want))
		}
		if _, p := eval.MannWhitney(want, positive); figures[i].P == nil || math.Abs(*figures[i].P-p) > 1e-12 || p == 1 || figures[i].Test != "Mann-Whitney" {
			t.Errorf("%s: %+v, want p %v of Mann-Whitney", name, figures[i], p)
		}
	}

	lines, err := contextsTrainedOn(t.Context(), c, config.DataTriples, "train")
	if err != nil || len(lines) != len(f1) {
		t.Fatalf("%d contexts, %v; want %d", len(lines), err, len(f1))
	}
	saysTraining(t, c.Recommend.Models[0].Model, lines[:2])
	pipelinetest.Build(t, c)
	if f := figure("F1"); f.InSample != "" || f.LeftOut < 2 || f.N != int64(len(f1))-f.LeftOut {
		t.Errorf("taught by two contexts: %+v of %d", f, len(f1))
	}
	saysTraining(t, c.Recommend.Models[0].Model, lines)
	pipelinetest.Build(t, c)
	if f := figure("F1"); f.InSample != "in sample" || f.N != int64(len(f1)) {
		t.Errorf("taught by all: %+v", f)
	}
	books := map[string]bool{}
	for _, e := range pipelinetest.Rows(t, c, table.Examples) {
		books[e.DocID] = true
	}
	lines = nil
	for id := range books {
		lines = append(lines, trainedOn(id, randomWords(1, 100))) // as of a book of which no context is in the sketch
	}
	saysTraining(t, c.Recommend.Models[0].Model, lines)
	pipelinetest.Build(t, c)
	if f := figure("F1"); f.InSample != "in sample" {
		t.Errorf("taught by the books as a whole: %+v", f)
	}
}
