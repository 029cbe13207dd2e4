package pipelines_test

import (
	"cmp"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/paraphrase"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/table"
)

func withParaphrases(t *testing.T, c *config.Config) *config.Config {
	t.Helper()
	c.Paraphrases.Model, c.Paraphrases.MinScore, c.Paraphrases.PerSentence = pipelinetest.Path(t, "infer/testdata/models/embed"), .2, 2
	return c
}

// A sentence that the tokenizer does not read within its bounds is a reject; all others have
// their vectors.
func TestUnreadableSentences(t *testing.T) {
	c := withParaphrases(t, pipelinetest.Demo(t))
	c.Paraphrases.Model, c.MaxRejectFraction = pipelinetest.ModelThatReadsTooOften(t, "embed"), .5
	books := pipelinetest.Copied(t, c)
	if err := os.WriteFile(filepath.Join(books, "hostile.txt"), []byte(strings.Repeat(pipelinetest.ReadTooOften(), 2)), 0o600); err != nil {
		t.Fatal(err)
	}
	report := pipelinetest.Build(t, c)["sentence_vectors"]
	read := 0
	for _, s := range pipelinetest.Rows(t, c, table.SentenceVectors) {
		if s.DocID == "hostile" {
			read++
		}
	}
	if report.Rejected != 2 || report.Rows+2 != report.In || read != 2 {
		t.Errorf("%+v, %d rows of the hostile book", report, read)
	}
}

// The matches are those that comparing every sentence with every other gives, without
// those whose words the aligner has found, and the two best of each sentence.
func TestParaphrasesOfARun(t *testing.T) {
	c := withParaphrases(t, pipelinetest.Demo(t))
	pipelinetest.Build(t, c)
	sentences := pipelinetest.Rows(t, c, table.SentenceVectors)
	exact := pipelinetest.Rows(t, c, table.Matches)
	sources := map[string][]commonplace.SentenceVector{}
	for _, s := range sentences {
		if s.Role != "derived" {
			sources[s.DocID] = append(sources[s.DocID], s)
		}
	}
	vector := func(s commonplace.SentenceVector) paraphrase.Vector {
		v, err := paraphrase.Parse(s.Vector)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	type place struct {
		id         string
		begin, end int64
	}
	var want [][2]place
	left := 0
	for _, d := range sentences {
		if d.Role == "source" {
			continue
		}
		type scored struct {
			score float64
			at    place
		}
		var found []scored
		for id, of := range sources {
			var vectors []paraphrase.Vector
			for _, s := range of {
				vectors = append(vectors, vector(s))
			}
			m, _ := paraphrase.Closest(vector(d), vectors)
			s := of[m.At]
			known := slices.ContainsFunc(exact, func(a commonplace.Alignment) bool {
				return a.DerivedID == d.DocID && a.SourceID == id && a.DerivedBegin < d.End && d.Begin < a.DerivedEnd && a.SourceBegin < s.End && s.Begin < a.SourceEnd
			})
			if known {
				left++
			}
			if id != d.DocID && m.Score() >= .2 && !known {
				found = append(found, scored{m.Score(), place{id, s.Begin, s.End}})
			}
		}
		slices.SortFunc(found, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.at.id, b.at.id)) })
		found = found[:min(2, len(found))]
		for _, f := range found {
			want = append(want, [2]place{{d.DocID, d.Begin, d.End}, f.at})
		}
	}
	var got [][2]place
	for _, r := range pipelinetest.Rows(t, c, table.ParaphraseMatches) {
		got = append(got, [2]place{{r.DerivedID, r.DerivedBegin, r.DerivedEnd}, {r.SourceID, r.SourceBegin, r.SourceEnd}})
	}
	order := func(a, b [2]place) int {
		return cmp.Or(cmp.Compare(a[0].id, b[0].id), cmp.Compare(a[0].begin, b[0].begin), cmp.Compare(a[1].id, b[1].id))
	}
	slices.SortFunc(want, order)
	slices.SortFunc(got, order)
	if len(got) < 20 || left == 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("%d matches, want %d; %d are the aligner's", len(got), len(want), left)
	}
}

// Neither the number of shards nor another document changes what is found of the rest.
func TestParaphrasesDoNotDependOnNeighbours(t *testing.T) {
	rows := func(change func(*config.Config)) []commonplace.ParaphraseMatch {
		c := withParaphrases(t, pipelinetest.Demo(t))
		change(c)
		pipelinetest.Build(t, c)
		r := pipelinetest.Rows(t, c, table.ParaphraseMatches)
		slices.SortFunc(r, func(a, b commonplace.ParaphraseMatch) int {
			return cmp.Or(cmp.Compare(a.DerivedID, b.DerivedID), cmp.Compare(a.DerivedBegin, b.DerivedBegin), cmp.Compare(a.SourceID, b.SourceID))
		})
		return r
	}
	one, many := rows(func(c *config.Config) { c.Shards = 1 }), rows(func(c *config.Config) { c.Shards = 7 })
	if len(one) == 0 || !reflect.DeepEqual(one, many) {
		t.Errorf("%d rows of one shard, %d of seven", len(one), len(many))
	}
	if none := rows(func(c *config.Config) { c.Paraphrases.MinScore = 3 }); len(none) > 0 {
		t.Errorf("%d rows have a score of 3", len(none))
	}
}
