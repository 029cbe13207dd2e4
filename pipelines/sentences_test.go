package pipelines

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/segment"
	"github.com/commonplace/commonplace/table"
)

// With score.sentences a passage has the mean of its best sentences' scores, each
// as the model gives it to the sentence alone, in any cut into shards and batches.
func TestScoresBySentences(t *testing.T) {
	for _, model := range []string{"../infer/testdata/models/quotability", "../models/quotability-features"} {
		t.Run(filepath.Base(model), func(t *testing.T) { testSentences(t, model) })
	}
}

func testSentences(t *testing.T, model string) {
	const best = 2
	scored := func(shards, batch int) map[string]commonplace.Score {
		c := demo(t)
		c.Shards, c.Score.Model, c.Score.Batch, c.Score.Sentences = shards, model, batch, best
		for _, stage := range []string{"crawl", "segment", "score"} {
			if err := Build(t.Context(), Request{Config: c, Stages: []string{stage}}); err != nil {
				t.Fatal(err)
			}
		}
		rows := map[string]commonplace.Score{}
		for _, s := range allRows(t, c.Out, table.Scores) {
			rows[s.PassageID] = s
		}
		if shards > 2 {
			return rows
		}
		m, err := infer.LoadModel(model, infer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		several := 0
		for _, p := range allRows(t, c.Out, table.Passages) {
			var values []float64
			var of []string
			for s := range segment.BySentences(p.Text) {
				one := p
				one.Text = p.Text[s.Begin:s.End]
				got, err := m.Score(t.Context(), []commonplace.Passage{one})
				if err != nil {
					t.Fatal(err)
				}
				values, of = append(values, got[0].Score), append(of, one.Text)
			}
			first := of[slices.Index(values, slices.Max(values))]
			slices.Sort(values)
			top := values[max(0, len(values)-best):]
			want := 0.0
			for _, v := range top {
				want += v / best
			}
			got := rows[p.ID]
			if d := got.Score - want; d > 1e-12 || d < -1e-12 {
				t.Errorf("%s has %v, want %v of %v", p.ID, got.Score, want, values)
			}
			if len(got.Reasons) != len(top) || !strings.HasPrefix(got.Reasons[0].Feature, "sentence “"+strings.Fields(first)[0]) {
				t.Errorf("%s: the reasons are %v, want the best %d sentences, first %q", p.ID, got.Reasons, len(top), first)
			}
			if len(values) > best {
				several++
			}
		}
		if several < 10 {
			t.Errorf("%d passages have more than %d sentences", several, best)
		}
		return rows
	}
	one, other := scored(2, 0), scored(5, 1)
	for id, s := range one {
		if o := other[id]; s.Score != o.Score || !slices.Equal(s.Reasons, o.Reasons) {
			t.Errorf("%+v and %+v", s, o)
		}
	}
}

func TestSentencesAreRefused(t *testing.T) {
	c := demo(t)
	c.Score.Model, c.Score.Sentences = "../infer/testdata/models/quotability-sequence", 2
	if err := Build(t.Context(), Request{Config: c}); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "score.sentences is 2") {
		t.Errorf("a model of consecutive passages is asked for sentences: %v", err)
	}
}

// Scores that were kept are not taken for those of another number of sentences,
// not even where nothing says any more what the run's settings were.
func TestKeptScoresAreOfTheirSentences(t *testing.T) {
	scored := func(c *Config) []commonplace.Score {
		build(t, c)
		return allRows(t, c.Out, table.Scores)
	}
	c := demo(t)
	c.Score.Model = "../infer/testdata/models/quotability"
	scored(c)
	c.Score.Sentences = 2
	if err := Build(t.Context(), Request{Config: c}); !errors.Is(err, ErrConfig) {
		t.Errorf("other settings were taken: %v", err)
	}
	if err := os.Remove(filepath.Join(c.Out, "settings.json")); err != nil {
		t.Fatal(err)
	}
	fresh := demo(t)
	fresh.Score = c.Score
	if got, want := scored(c), scored(fresh); !reflect.DeepEqual(got, want) {
		t.Errorf("scores of whole passages were kept: %v", got[:2])
	}
}
