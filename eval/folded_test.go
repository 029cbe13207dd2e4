package eval

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A terminal shows every line of the table, also a narrow one.
func TestTextFits(t *testing.T) {
	r := Result{Rows: []Row{{System: System{Name: "quotability-features"}}}}
	for _, m := range []string{"qNDCG@1", "qNDCG@3", "qNDCG@5", "qNDCG@10", "qNDCG@25", "qNDCG@50", "rho", "NDCG@5", "mAP", "P@10", "AUC"} {
		r.Rows[0].Figures = append(r.Rows[0].Figures, Figure{Metric: m})
	}
	r.Options.Confidence = .95
	r.Documents = 1
	r.References = []Reference{{Name: "paper C, Poisson regression, KJB-CA", Figures: map[string]float64{"rho": .1}}}
	for _, columns := range []int{Columns, 60} {
		fits(t, r.Text(columns), columns, r.Rows[0].Figures)
	}
	if text := r.Text(0); text != r.Text(Columns) {
		t.Errorf("where nobody says how wide a terminal is:\n%s", text)
	}
}

// So do the figures of a table, of parts of the documents and of features: names of systems and
// papers may be long.
func TestFiguresFit(t *testing.T) {
	value := .5
	figures := Figures{
		{Dataset: "triples", Split: "test", System: "recommend: embed, rank + span", InSample: "not known to be held out", Metric: "Acc@1", Value: &value, Low: &value, High: &value, N: 34, P: &value,
			Test: "permutation", PaperValue: &value, Paper: "paper A, sentence-bert + Llama-3 re-ranking, QuoteR, table 7"},
		{Dataset: "triples", Split: "test", System: "bm25", Metric: "Acc@1", N: 34, PaperValue: &value, Paper: "paper A, BM25, QuoteR, table 7"},
	}
	groups := Groups{{Name: "of no genre, or of one whose name is very long", Result: Result{Unquoted: 10000, Passages: 10000}}}
	features := AttributeResult{Most: 1000000, AtLeast: 1000000, Least: 1000000, AtMost: 1000000}
	for _, columns := range []int{Columns, 60} {
		for _, text := range []string{figures.Text(columns), groups.Text(columns), features.Text(columns)} {
			fits(t, text, columns, nil)
		}
	}
	text := strings.Join(strings.Fields(figures.Text(60)), " ")
	for _, said := range []string{"rank + span (not known to be held out) metric", "50.0 [1]", "[1] paper A, sentence-bert + Llama-3 re-ranking, QuoteR, table 7 [2] paper A, BM25"} {
		if !strings.Contains(text, said) {
			t.Errorf("%q is not in\n%s", said, figures.Text(60))
		}
	}
}

func fits(t *testing.T, text string, columns int, figures []Figure) {
	t.Helper()
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, " \n")); n > columns {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	for _, f := range figures {
		if strings.Count(text, " "+f.Metric) < 1 {
			t.Errorf("%s is not shown:\n%s", f.Metric, text)
		}
	}
}

// Without a quoted passage there is no table of dashes, but a sentence.
func TestNothingQuotedIsSaid(t *testing.T) {
	r := Result{Rows: []Row{{System: System{Name: "random"}, Figures: []Figure{{Metric: "rho"}}}}, Unquoted: 5}
	for _, text := range []string{r.Text(0), r.Markdown()} {
		if strings.Contains(text, "random") || !strings.Contains(text, "Nothing can be measured") {
			t.Error(text)
		}
	}
}
