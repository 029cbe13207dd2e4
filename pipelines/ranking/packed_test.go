package ranking

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/rank"
	"github.com/commonplace/commonplace/table"
)

// A model that packs its input gets title and body of a query as two parts, as questions
// have them, and a query without the title has none.
func TestPackedModelsGetTitleAndBody(t *testing.T) {
	model := copyOfModel(t, "../../infer/testdata/models/rank")
	manifest := filepath.Join(model, infer.ManifestFile)
	yaml, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	yaml = append(yaml[:strings.Index(string(yaml), "tokens:")], `tokens: {max: 48, packed: {body_start: "[MASK]", title: 6, body: 12, passage: 20}}`+"\n"...)
	if err := os.WriteFile(manifest, yaml, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, titles := range []bool{true, false} {
		c := pipelinetest.Dataset(t, "quotus", func(c *config.Config) {
			c.Recommend.Retrieve, c.Recommend.Models = "", []config.RankModel{{Model: model, Weight: 1}}
			c.Recommend.Context.Title = titles
		})
		pipelinetest.Build(t, c)
		m, err := infer.LoadModel(model, infer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		queries, passages, rows := pipelinetest.Rows(t, c, table.Queries), pipelinetest.Rows(t, c, table.Passages), pipelinetest.Rows(t, c, table.Recommendations)
		n := 0
		for _, q := range queries {
			var pairs []infer.Pair
			for _, p := range passages {
				if p.DocID == q.DocID {
					pair := infer.Pair{Body: q.LeftContext, Passage: p.Text}
					if titles {
						pair.Title = q.Title
					}
					pairs = append(pairs, pair)
				}
			}
			said, err := m.ScorePairs(t.Context(), pairs)
			if err != nil {
				t.Fatal(err)
			}
			scores := make([]float64, len(said))
			for i, s := range said {
				scores[i] = s.Score
			}
			for _, r := range rows {
				if r.ContextID == q.ID {
					n++
					if want := rank.LogSoftmax(scores)[r.Index]; math.Abs(r.Parts[0]-want) > 1e-4 {
						t.Errorf("titles %v: %s, %s: %v, want %v", titles, q.ID, r.PassageID, r.Parts[0], want)
					}
				}
			}
		}
		if n == 0 || n != len(rows) {
			t.Errorf("%d of %d recommendations were compared", n, len(rows))
		}
		err = Questions(t.Context(), c.Out, Asking{Context: c.Recommend.Context, Wrong: 1}, func(of Question) error {
			i := slices.IndexFunc(queries, func(q commonplace.Query) bool { return q.ID == of.ID })
			if i < 0 || of.Body != queries[i].LeftContext || titles && of.Title != queries[i].Title || !titles && of.Title != "" || of.Context != joined(of.Title, of.Body) {
				t.Errorf("titles %v: %+v", titles, of)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// Where a query quotes two paragraphs, the spans of the two best are joined, and so are those
// of the right ones; so are sentences and paragraphs without a model.
func TestSpansOverParagraphsAreJoined(t *testing.T) {
	t.Parallel()
	p := pool{candidates: []offered{{id: "a", text: "We came. We saw it."}, {id: "b", text: "We won. We left."}, {id: "c", text: "Nobody spoke. Why?"}}}
	a := asked{right: []string{"a", "b"}, answer: "We saw it. We won."}
	rows := []commonplace.Recommendation{
		{PassageID: "c", Index: 2, Place: 1, Label: "no", SpanText: "Nobody spoke", SpanEnd: 12},
		{PassageID: "b", Index: 1, Place: 2, Label: "yes", SpanText: "We won.", SpanEnd: 7},
		{PassageID: "a", Index: 0, Place: 3, Label: "yes", SpanText: "We saw it.", SpanBegin: 9, SpanEnd: 19},
	}
	f := &tally{dataset: config.DataQueries, values: map[[2]string][]float64{}}
	f.spans("model", p, a, rows)
	rows[0].Place, rows[2].Place = 3, 1
	f.spans("model", p, a, rows)
	g := &tally{dataset: config.DataQueries, values: map[[2]string][]float64{}}
	g.spans("model", p, a, rows[:1]) // the right ones were not retrieved
	if got := g.values[[2]string{wholePassage, "F1 positive"}]; len(got) != 1 || math.Abs(got[0]-10./14) > 1e-9 {
		t.Errorf("a paragraph that was not retrieved: %v", got)
	}
	for _, of := range []struct {
		system, metric string
		want           [2]float64
	}{
		{"model", "EM", [2]float64{0, 1}}, // of the first alone it would be 0 twice
		{"model", "F1", [2]float64{4. / 9, 1}},
		{"model", "EM positive", [2]float64{1, 1}},
		{"model", "F1 positive", [2]float64{1, 1}},
		{wholePassage, "EM positive", [2]float64{0, 0}},
		{wholePassage, "F1 positive", [2]float64{10. / 14, 10. / 14}},
		{wholePassage, "F1", [2]float64{6. / 12, 10. / 14}},
		{firstSentence, "F1", [2]float64{4. / 9, 2. * 3 / 9}},
		{lastSentence, "F1 positive", [2]float64{2. * 4 / 10, 2. * 4 / 10}},
	} {
		got := f.values[[2]string{of.system, of.metric}]
		if len(got) != 2 || math.Abs(got[0]-of.want[0]) > 1e-9 || math.Abs(got[1]-of.want[1]) > 1e-9 {
			t.Errorf("%s, %s: %v, want %v", of.system, of.metric, got, of.want)
		}
	}
}
