package eval

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// golden is what bench/eval_golden.py wrote: the same values by scikit-learn,
// SciPy, ir_measures and SQuAD's definition.
type golden struct {
	Rankings []struct {
		Scores, Counts, Ranks []float64
		NDCG                  map[int]float64
		Spearman, AUC         float64
		Trec                  map[string]float64
	}
	Samples []struct {
		X, Y     []float64
		U, T, DF float64
		UP       float64 `json:"u_p"`
		TP       float64 `json:"t_p"`
	}
	Pairs []struct {
		A, B         []float64
		Exact        bool
		P, Low, High float64
	}
	Spans []struct {
		Predicted, Truth string
		EM, F1           float64
	}
	Decisions []struct {
		Truth, Predicted                []bool
		Accuracy, Precision, Recall, F1 float64
	}
	Tags struct {
		Truth, Predicted             []string
		Exact, Precision, Recall, F1 float64
	}
}

func readGolden(t *testing.T) golden {
	t.Helper()
	b, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var g golden
	if err := json.Unmarshal(b, &g); err != nil {
		t.Fatal(err)
	}
	return g
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 || math.IsNaN(got) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestRankingsLikeOthers(t *testing.T) {
	for i, c := range readGolden(t).Rankings {
		name := func(s string) string { return fmt.Sprintf("case %d: %s", i, s) }
		quoted := make([]bool, len(c.Counts))
		for j, n := range c.Counts {
			quoted[j] = n > 0
		}
		for k, want := range c.NDCG {
			near(t, name(fmt.Sprintf("NDCG@%d", k)), NDCG(c.Scores, c.Counts, k), want)
		}
		near(t, name("Spearman"), Spearman(c.Scores, c.Counts), c.Spearman)
		near(t, name("AUC"), AUC(c.Scores, quoted), c.AUC)
		for j, r := range AverageRanks(c.Scores) {
			near(t, name("rank"), r, c.Ranks[j])
		}
		if c.Trec == nil {
			continue
		}
		for what, got := range map[string]float64{
			"ap": AveragePrecision(c.Scores, quoted),
			"p1": PrecisionAt(c.Scores, quoted, 1), "p3": PrecisionAt(c.Scores, quoted, 3),
			"r5": RecallAt(c.Scores, quoted, 5), "r10": RecallAt(c.Scores, quoted, 10),
			"acc1": AccuracyAt(c.Scores, quoted, 1), "acc5": AccuracyAt(c.Scores, quoted, 5),
			"ndcg5": NDCG(c.Scores, c.Counts, 5),
		} {
			near(t, name(what), got, c.Trec[what])
		}
	}
}

func TestTestsLikeOthers(t *testing.T) {
	g := readGolden(t)
	for i, c := range g.Samples {
		u, p := MannWhitney(c.X, c.Y)
		near(t, fmt.Sprintf("samples %d: U", i), u, c.U)
		near(t, fmt.Sprintf("samples %d: p of U", i), p, c.UP)
		var x, y Moments
		for _, v := range c.X {
			x.Add(v)
		}
		for _, v := range c.Y {
			y.Add(v)
		}
		tt, df, p := Welch(x, y)
		near(t, fmt.Sprintf("samples %d: t", i), tt, c.T)
		near(t, fmt.Sprintf("samples %d: df", i), df, c.DF)
		near(t, fmt.Sprintf("samples %d: p of t", i), p, c.TP)
	}
	for i, c := range g.Pairs {
		p := Permutation(c.A, c.B, 20000, 1)
		if c.Exact {
			near(t, fmt.Sprintf("pairs %d: p", i), p, c.P)
		} else if math.Abs(p-c.P) > 0.01 { // both sampled: a standard error is 0.0035
			t.Errorf("pairs %d: p = %v, want about %v", i, p, c.P)
		}
		low, high := Bootstrap(c.A, 0.95, 20000, 1)
		if math.Abs(low-c.Low) > 0.01 || math.Abs(high-c.High) > 0.01 {
			t.Errorf("pairs %d: interval %v to %v, want about %v to %v", i, low, high, c.Low, c.High)
		}
	}
}

func TestSpansAndLabelsLikeOthers(t *testing.T) {
	g := readGolden(t)
	for _, c := range g.Spans {
		near(t, fmt.Sprintf("EM of %q and %q", c.Predicted, c.Truth), ExactMatch(c.Predicted, c.Truth), c.EM)
		near(t, fmt.Sprintf("F1 of %q and %q", c.Predicted, c.Truth), SpanF1(c.Predicted, c.Truth), c.F1)
	}
	for i, c := range g.Decisions {
		b, err := Decisions(c.Predicted, c.Truth)
		if want := (Binary{c.Accuracy, c.Precision, c.Recall, c.F1}); err != nil || !closeBinary(b, want) {
			t.Errorf("decisions %d: %+v, want %+v (%v)", i, b, want, err)
		}
	}
	split := func(all []string) (out [][]string) {
		for _, s := range all {
			out = append(out, strings.Split(s, ""))
		}
		return out
	}
	tags, err := Tagging(split(g.Tags.Predicted), split(g.Tags.Truth))
	near(t, "exact sequences", tags.Exact, g.Tags.Exact)
	if want := (Binary{0, g.Tags.Precision, g.Tags.Recall, g.Tags.F1}); err != nil || !closeBinary(tags.Spans, want) {
		t.Errorf("spans: %+v, want %+v (%v)", tags.Spans, want, err)
	}
}

func closeBinary(a, b Binary) bool {
	d := func(x, y float64) bool { return math.Abs(x-y) < 1e-12 }
	return d(a.Accuracy, b.Accuracy) && d(a.Precision, b.Precision) && d(a.Recall, b.Recall) && d(a.F1, b.F1)
}
