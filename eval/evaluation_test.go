package eval

import (
	"encoding/json"
	"errors"
	"fmt"
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
	for _, text := range []string{r.Text(0), r.Markdown()} {
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
	if _, err := json.Marshal(r); err != nil || r.Rows[0].Figures[0].Mean != nil || strings.Contains(r.Text(0), "–") {
		t.Errorf("%v\n%s", err, r.Text(0))
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
	// Two quoted passages bear no Welch's test, and what never varies none at all.
	for _, a := range r.Attributes {
		if a.Test != NoTest || a.Arrows != "–" || a.P != 1 {
			t.Errorf("%+v", a)
		}
	}
	if r.Tests != 0 || !strings.Contains(strings.Join(strings.Fields(r.Text(0)), " "), "Welch's test is left out") {
		t.Errorf("%d tests\n%s", r.Tests, r.Text(0))
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

// p is corrected for the tests that were made: of four features one never varies. A yes or
// no has Fisher's exact test, however few passages there are.
func TestAttributesCorrectForTheTestsMade(t *testing.T) {
	names := []string{"count", "yes", "same", "other"}
	for _, quoted := range []int{30, 8} {
		a, err := NewAttributes(names, map[int64]int64{0: 120, 3: int64(quoted)})
		if err != nil {
			t.Fatal(err)
		}
		var high, low Moments
		yes := map[int64]int{}
		for i := range 120 + quoted {
			count, x := int64(0), float32(i%5)
			if i >= 120 {
				count, x = 3, float32(i%5+1)
				high.Add(float64(x))
			} else {
				low.Add(float64(x))
			}
			has := float32(0)
			if i%3 == 0 || i >= 120 && i%2 == 0 {
				has = 1
				yes[count]++
			}
			a.Add(count, []float32{x, has, 7, float32(i % 7)})
		}
		r, err := a.Result()
		if err != nil {
			t.Fatal(err)
		}
		tests := map[int]int{30: 3, 8: 1}[quoted]
		if r.Tests != tests {
			t.Errorf("%d quoted: %d tests, want %d", quoted, r.Tests, tests)
		}
		near(t, "p of yes or no", r.Attributes[1].P, Bonferroni(Fisher(yes[3], quoted, yes[0], 120), tests))
		if quoted == 8 {
			continue
		}
		_, _, p := Welch(high, low)
		near(t, "p of a count", r.Attributes[0].P, Bonferroni(p, tests))
		if r.Attributes[0].Test != ByWelch || r.Attributes[1].Test != ByFisher || r.Attributes[2].Test != NoTest {
			t.Errorf("%+v", r.Attributes)
		}
	}
}

// Figures of SciPy 1.17: scipy.stats.fisher_exact.
func TestFisher(t *testing.T) {
	for _, c := range []struct {
		table [4]int // yes and no of the one, yes and no of the other
		want  float64
	}{
		{[4]int{8, 2, 1, 5}, 0.034965034965034975},
		{[4]int{6, 2, 1, 4}, 0.10256410256410256},
		{[4]int{0, 8, 30, 90}, 0.19658853469159307},
		{[4]int{8, 0, 0, 8}, 0.0001554001554001554},
		{[4]int{5, 5, 5, 5}, 1.0},
		{[4]int{700, 300, 6000, 9000}, 1.0342756152590076e-76},
		{[4]int{0, 3, 0, 9}, 1.0},
	} {
		near(t, fmt.Sprint(c.table), Fisher(c.table[0], c.table[0]+c.table[1], c.table[2], c.table[2]+c.table[3]), c.want)
	}
}

func TestBestOf(t *testing.T) {
	guesses := []string{"no", "the sea", "sea is calm"}
	near(t, "top 1", BestOf(SpanF1, guesses, "the sea is calm", 1), 0)
	near(t, "top 3", BestOf(ExactMatch, guesses, "the sea is calm", 3), 1)
	near(t, "none", BestOf(SpanF1, nil, "x", 3), 0)
}
