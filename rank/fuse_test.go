package rank

import (
	"math"
	"slices"
	"testing"
)

func close(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-12 })
}

func TestLogSoftmax(t *testing.T) {
	got := LogSoftmax([]float64{math.Log(1), math.Log(2), math.Log(5)})
	if want := []float64{math.Log(1.0 / 8), math.Log(2.0 / 8), math.Log(5.0 / 8)}; !close(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	// Logits of any size.
	if got := LogSoftmax([]float64{-20000, 1000, 1000}); !close(got[1:], []float64{-math.Ln2, -math.Ln2}) || math.IsInf(got[0], 0) {
		t.Error(got)
	}
	if LogSoftmax(nil) != nil {
		t.Error("of nothing")
	}
}

func TestFusions(t *testing.T) {
	paragraph := []float64{math.Log(0.5), math.Log(0.3), math.Log(0.2)}
	span := []float64{math.Log(0.1), math.Log(0.6), math.Log(0.3)}
	got := Product([][]float64{paragraph, span}, []float64{9.5, 3})
	for i := range got {
		want := math.Log(math.Pow(math.Exp(paragraph[i]), 9.5) * math.Pow(math.Exp(span[i]), 3))
		if math.Abs(got[i]-want) > 1e-9 {
			t.Errorf("product %d is %v, want %v", i, got[i], want)
		}
	}
	if got, want := Mixture([][]float64{paragraph, span}, []float64{0.6, 0.4}), []float64{0.34, 0.42, 0.24}; !close(got, want) {
		t.Errorf("mixture %v, want %v", got, want)
	}
}

func TestBestFirst(t *testing.T) {
	scores := []float64{1, 3, 2, 3, math.Inf(-1)}
	if got := BestFirst(scores, 0); !slices.Equal(got, []int{1, 3, 2, 0, 4}) {
		t.Error(got)
	}
	if got := BestFirst(scores, 2); !slices.Equal(got, []int{1, 3}) {
		t.Error(got)
	}
	if got := BestFirst(scores, 9); len(got) != 5 {
		t.Error(got)
	}
}
