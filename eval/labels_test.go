package eval

import (
	"math"
	"testing"
)

// The interval of the accuracy is that of a mean, the bootstrap's; all intervals hold their figure.
func TestDecisionIntervals(t *testing.T) {
	var predicted, truth []bool
	var hits []float64
	for i := range 40 {
		predicted, truth = append(predicted, i%3 != 0), append(truth, i%5 < 3)
		hits = append(hits, 0)
		if predicted[i] == truth[i] {
			hits[i] = 1
		}
	}
	low, high := DecisionIntervals(predicted, truth, .9, 300, 7)
	from, to := Bootstrap(hits, .9, 300, 7)
	if math.Abs(low.Accuracy-from) > 1e-12 || math.Abs(high.Accuracy-to) > 1e-12 {
		t.Errorf("accuracy %v to %v, want %v to %v", low.Accuracy, high.Accuracy, from, to)
	}
	b, err := Decisions(predicted, truth)
	if err != nil {
		t.Fatal(err)
	}
	for i, at := range [][3]float64{{low.F1, b.F1, high.F1}, {low.Recall, b.Recall, high.Recall}, {low.Precision, b.Precision, high.Precision}} {
		if !(at[0] < at[1] && at[1] < at[2]) {
			t.Errorf("%d: %v", i, at)
		}
	}
}

// Paper D has P@3 38.8 on Reddit; 41.2 is that of Weibo.
func TestPaperFiguresOfReplies(t *testing.T) {
	for _, c := range []struct {
		system, metric string
		want           float64
	}{{"recommend: all, choice", "P@3", .388}, {"recommend: when, seq2seq", "when F1", .873}, {AlwaysQuote, "when F1", .681}, {"random", "when accuracy", .496}, {"majority", "MAP", .047}} {
		if row, got := PaperFigure("replies", c.system, c.metric); got == nil || *got != c.want {
			t.Errorf("%s, %s: %q %v, want %v", c.system, c.metric, row, got, c.want)
		}
	}
	if _, got := PaperFigure("replies", AlwaysQuote, "MAP"); got != nil {
		t.Errorf("who always quotes ranks nothing, and has %v", *got)
	}
}
