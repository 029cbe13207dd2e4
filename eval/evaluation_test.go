package eval

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
)

func twoSystems(t *testing.T) *Evaluation {
	t.Helper()
	e := New([]System{{Name: "model"}, {Name: "first"}}, Options{Seed: 1})
	for _, d := range []Document{
		{"a", []float64{0, 2, 1}, [][]float64{{0, 2, 1}, Position(3)}},
		{"b", []float64{4, 0, 0}, [][]float64{{3, 2, 1}, Position(3)}},
		{"c", []float64{1, 1}, [][]float64{{1, 2}, Position(2)}}, // all quoted: no rho, no AUC
		{"d", []float64{0, 0, 0}, [][]float64{{1, 2, 3}, Position(3)}},
	} {
		if err := e.Add(d); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

func TestEvaluation(t *testing.T) {
	r := twoSystems(t).Result()
	if r.Documents != 3 || r.Unquoted != 1 || r.Passages != 11 || r.Quoted != 5 {
		t.Errorf("%+v", r)
	}
	near(t, "model qNDCG@1", *r.Rows[0].Figures[0].Mean, 1)
	near(t, "first qNDCG@1", *r.Rows[1].Figures[0].Mean, (0.0+1+1)/3)
	for _, f := range r.Rows[1].Figures {
		if want := map[string]int{"rho": 2, "AUC": 2}[f.Metric]; want != 0 && f.Documents != want {
			t.Errorf("%s over %d documents, want %d", f.Metric, f.Documents, want)
		}
		if f.P == nil || *f.Low > *f.Mean || *f.High < *f.Mean {
			t.Errorf("%s: %+v", f.Metric, f)
		}
	}
	one, _ := json.Marshal(r)
	two, err := json.Marshal(twoSystems(t).Result())
	if err != nil || string(one) != string(two) {
		t.Errorf("not the same twice: %v", err)
	}
	for _, text := range []string{r.Text(), r.Markdown()} {
		if !strings.Contains(text, "66.7") || !strings.Contains(text, "not comparable") || !strings.Contains(text, "26.9") {
			t.Errorf("no figures or no reference:\n%s", text)
		}
	}
}

func TestNothingQuoted(t *testing.T) {
	e := New([]System{{Name: "model"}}, Options{})
	if err := e.Add(Document{"a", []float64{0}, [][]float64{{1}}}); err != nil {
		t.Fatal(err)
	}
	r := e.Result()
	if _, err := json.Marshal(r); err != nil || r.Rows[0].Figures[0].Mean != nil || !strings.Contains(r.Text(), "–") {
		t.Errorf("%v\n%s", err, r.Text())
	}
}

func TestEvaluationRefuses(t *testing.T) {
	e := New([]System{{Name: "model"}}, Options{})
	if err := e.Add(Document{"a", []float64{1}, [][]float64{{math.NaN()}}}); !errors.Is(err, ErrNaN) {
		t.Errorf("NaN: %v", err)
	}
	if e.Add(Document{"a", []float64{1}, [][]float64{{1, 2}}}) == nil || e.Add(Document{"a", []float64{1}, nil}) == nil {
		t.Error("scores that do not fit were taken")
	}
}

func TestAttributes(t *testing.T) {
	// Ten passages: seven never quoted, one once, one twice, one five times.
	counts := []int64{0, 0, 0, 0, 0, 0, 0, 1, 2, 5}
	many := map[int64]int64{}
	for _, c := range counts {
		many[c]++
	}
	a, err := NewAttributes([]string{"more", "same"}, many)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range counts {
		a.Add(c, []float32{float32(i), 1})
	}
	r, err := a.Result()
	if err != nil || r.Most != 2 || r.AtLeast != 2 || r.Least != 7 || r.AtMost != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	near(t, "mean of the most quoted", r.Attributes[0].Most, 8.5)
	near(t, "mean of the least quoted", r.Attributes[0].Least, 3)
	if !strings.HasPrefix(r.Attributes[0].Arrows, "↑") || r.Attributes[1].Arrows != "–" || r.Attributes[1].P != 1 {
		t.Errorf("%+v", r.Attributes)
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
	if _, err := NewAttributes([]string{"x"}, map[int64]int64{0: 10}); err == nil {
		t.Error("one count compared with itself")
	}
	if _, err := NewAttributes([]string{"x"}, nil); err == nil {
		t.Error("nothing compared with nothing")
	}
	for p, want := range map[float64]string{0.06: "–", 0.04: "↓", 0.004: "↓↓", 0.0004: "↓↓↓", 1e-9: "↓↓↓↓"} {
		if got := Arrows(-3, p); got != want {
			t.Errorf("arrows at %v: %s, want %s", p, got, want)
		}
	}
}

func TestBestOf(t *testing.T) {
	guesses := []string{"no", "the sea", "sea is calm"}
	near(t, "top 1", BestOf(SpanF1, guesses, "the sea is calm", 1), 0)
	near(t, "top 3", BestOf(ExactMatch, guesses, "the sea is calm", 3), 1)
	near(t, "none", BestOf(SpanF1, nil, "x", 3), 0)
}
