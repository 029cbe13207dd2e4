package eval

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A terminal of 100 columns shows every line of the table.
func TestTextFits(t *testing.T) {
	r := Result{Rows: []Row{{System: System{Name: "quotability-features"}}}}
	for _, m := range []string{"qNDCG@1", "qNDCG@3", "qNDCG@5", "qNDCG@10", "qNDCG@25", "qNDCG@50", "rho", "NDCG@5", "mAP", "P@10", "AUC"} {
		r.Rows[0].Figures = append(r.Rows[0].Figures, Figure{Metric: m})
	}
	r.Options.Confidence = .95
	text := r.Text()
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > columns {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	for _, f := range r.Rows[0].Figures {
		if strings.Count(text, " "+f.Metric) < 1 {
			t.Errorf("%s is not shown:\n%s", f.Metric, text)
		}
	}
}
