package ranking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/rank"
	"github.com/commonplace/commonplace/segment"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/verify"
)

// With score.sentences a passage has the mean of its best sentences' scores, each
// as the model gives it to the whole sentence alone, in any cut into shards and
// batches, and its best line is whole sentences of the document.
func TestScoresBySentences(t *testing.T) {
	for _, model := range []string{"../../infer/testdata/models/quotability", "../../models/quotability-features"} {
		t.Run(filepath.Base(model), func(t *testing.T) { testSentences(t, model) })
	}
}

// alone is a sentence as the test finds it, the slow and obvious way.
type alone struct {
	text       string
	begin, end int64
	score      float64
	line       bool // short enough for a line
}

// sentencesAlone are the quotable sentences of each passage, by the documents alone.
func sentencesAlone(t *testing.T, m *infer.Model, docs []commonplace.Document, passages []commonplace.Passage) map[string][]alone {
	t.Helper()
	found := map[string][]alone{}
	for _, doc := range docs {
		points := commonplace.NewOffsets(doc.Text)
		for s := range segment.Sentences(doc.Text) {
			one := alone{doc.Text[s.Begin:s.End], int64(points.Point(s.Begin)), int64(points.Point(s.End)), 0, s.Words <= 60}
			if s.Heading || !rank.Quotable(one.text, s.Words) {
				continue
			}
			var owner commonplace.Passage
			most := int64(0)
			for _, p := range passages {
				if n := min(p.End, one.end) - max(p.Begin, one.begin); p.DocID == doc.ID && n > most {
					owner, most = p, n
				}
			}
			if most == 0 {
				t.Fatalf("no passage holds %q", one.text)
			}
			id := owner.ID
			owner.Text = one.text
			scores, err := m.Score(t.Context(), []commonplace.Passage{owner})
			if err != nil {
				t.Fatal(err)
			}
			one.score = scores[0].Score
			found[id] = append(found[id], one)
		}
	}
	return found
}

func testSentences(t *testing.T, model string) {
	const best = 2
	scored := func(shards, batch int) map[string]commonplace.Score {
		c := pipelinetest.Demo(t)
		n := best
		c.Shards, c.Score.Model, c.Score.Batch, c.Score.Sentences, c.Segment.By = shards, model, batch, &n, "words:60"
		read := int64(0)
		around := behindScores(func(ctx context.Context) { read = models.Of(ctx).read().Units })
		for _, stage := range []string{"crawl", "segment", "score"} {
			if err := engine.Build(t.Context(), engine.Request{Config: c, Stages: []string{stage}, Around: around}); err != nil {
				t.Fatal(err)
			}
		}
		rows := map[string]commonplace.Score{}
		for _, s := range pipelinetest.Rows(t, c, table.Scores) {
			rows[s.PassageID] = s
		}
		if shards > 2 {
			return rows
		}
		if _, err := verify.Tables(t.Context(), storage.Default, c.Out, func(p verify.Problem) { t.Error(p) }); err != nil {
			t.Error(err)
		}
		m, err := infer.LoadModel(model, infer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		docs, passages := pipelinetest.Rows(t, c, table.Documents), pipelinetest.Rows(t, c, table.Passages)
		sources := slices.DeleteFunc(slices.Clone(docs), func(d commonplace.Document) bool { return d.Role == "derived" })
		alones := sentencesAlone(t, m, sources, passages)
		texts := map[string]string{}
		for _, d := range docs {
			texts[d.ID] = d.Text
		}
		all, beyond, several := int64(0), 0, 0
		for _, p := range passages {
			of, got := alones[p.ID], rows[p.ID]
			all += int64(len(of))
			byScore := slices.Clone(of)
			slices.SortStableFunc(byScore, func(a, b alone) int {
				switch {
				case a.score > b.score:
					return -1
				case a.score < b.score:
					return 1
				}
				return 0
			})
			top := byScore[:min(best, len(of))]
			want, words := 0.0, 0
			for _, s := range of {
				n := len(strings.Fields(s.text))
				want, words = want+m.Manifest().Rest*s.score*float64(n), words+n
			}
			want /= float64(max(1, words))
			for _, s := range top {
				want += s.score / best
			}
			if d := got.Score - want; d > 1e-12 || d < -1e-12 {
				t.Errorf("%s has %v, want %v of %v", p.ID, got.Score, want, of)
			}
			if got.Model == "" || got.Device == "" || len(got.Reasons) != len(top) || len(top) > 0 && !strings.HasPrefix(got.Reasons[0].Feature, "sentence “"+strings.Fields(top[0].text)[0]) {
				t.Errorf("%s: the reasons are %v, want the best %d sentences %v", p.ID, got.Reasons, len(top), top)
			}
			byScore = slices.DeleteFunc(byScore, func(s alone) bool { return !s.line })
			if (got.BestBegin == nil) != (len(byScore) == 0) {
				t.Errorf("%s: line %q of %v", p.ID, got.BestText, of)
			}
			if got.BestBegin == nil {
				continue
			}
			if line := commonplace.Slice(texts[p.DocID], commonplace.Span{Begin: int(*got.BestBegin), End: int(*got.BestEnd)}); line != got.BestText {
				t.Errorf("%s: line %q, the document has %q", p.ID, got.BestText, line)
			}
			// Whole sentences, without quotation marks at the edges that lack their other half.
			marks := func(begin, end int64) bool {
				return begin <= end && strings.Trim(commonplace.Slice(texts[p.DocID], commonplace.Span{Begin: int(begin), End: int(end)}), "“”„«»\"’") == ""
			}
			first := slices.IndexFunc(of, func(s alone) bool { return marks(s.begin, *got.BestBegin) })
			last := slices.IndexFunc(of, func(s alone) bool { return marks(*got.BestEnd, s.end) })
			if first < 0 || last < first || !marks(min(byScore[0].begin, *got.BestBegin), *got.BestBegin) || !marks(*got.BestEnd, max(byScore[0].end, *got.BestEnd)) {
				t.Errorf("%s: line %q is not whole sentences of %v", p.ID, got.BestText, of)
				continue
			}
			mean := 0.0
			for _, s := range of[first : last+1] {
				mean += s.score / float64(last-first+1)
			}
			line := mean + .3*math.Log(float64(last-first+1))*math.Abs(mean)
			if d := *got.BestScore - line; d > 1e-12 || d < -1e-12 {
				t.Errorf("%s: line %q has %v, want %v", p.ID, got.BestText, *got.BestScore, line)
			}
			if *got.BestBegin < p.Begin || *got.BestEnd > p.End {
				beyond++
			}
			if last > first {
				several++
			}
		}
		if read != all {
			t.Errorf("the model read %d sentences of %d: each is read once", read, all)
		}
		if beyond < 3 || several < 3 {
			t.Errorf("%d lines go beyond their passages, %d have several sentences: the test shows little", beyond, several)
		}
		return rows
	}
	one, other := scored(2, 0), scored(5, 1)
	if len(one) < 40 || len(one) != len(other) {
		t.Errorf("%d and %d passages", len(one), len(other))
	}
	for id, s := range one {
		if o := other[id]; !reflect.DeepEqual(s, o) {
			t.Errorf("%+v and %+v", s, o)
		}
	}
}

// However a document is cut, each quotable sentence is read once, whole, for the
// passage that holds most of it.
func TestSentencesDoNotDependOnTheCut(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/demo/books/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		doc := commonplace.Document{ID: "d", Text: string(b)}
		var want []string
		for range 6 {
			cut, err := segment.Parse(fmt.Sprintf("words:%d", 1+r.IntN(300)))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			of := slices.Collect(segment.Passages(doc, cut))
			for k, read := range readings(doc.Text, of) {
				for i, span := range read.spans {
					s := read.sentence(i)
					if commonplace.Slice(doc.Text, span) != s {
						t.Fatalf("%v is not %q", span, s)
					}
					if own := span.Overlap(commonplace.Span{Begin: int(of[k].Begin), End: int(of[k].End)}); own == 0 {
						t.Errorf("%s, %s: %q is none of passage %d", path, cut.By, s, k)
					}
					got = append(got, fmt.Sprint(span, s))
				}
			}
			if want == nil {
				want = got
			}
			if len(got) == 0 || !slices.Equal(got, want) {
				t.Errorf("%s, %s: %d sentences, want %d", path, cut.By, len(got), len(want))
			}
		}
	}
}

// A verse or a line is read whole, and is the line.
func TestUnitsAreReadWhole(t *testing.T) {
	passages := []commonplace.Passage{
		{By: "lines", Begin: 10, End: 38, Text: "Tyger Tyger, burning bright,"},
		{By: "lines", Begin: 40, End: 87, Text: "“É late, and dark. In the forests of the night;"},
		{By: "lines", Begin: 90, End: 112, Text: "The Tyger of the night", Heading: true},
	}
	var got []string
	for _, read := range readings("is not looked at", passages) {
		for i, span := range read.spans {
			got = append(got, fmt.Sprint(span.Begin, "-", span.End, " ", read.sentence(i)))
		}
	}
	want := []string{"10-38 Tyger Tyger, burning bright,", "40-87 “É late, and dark. In the forests of the night;"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	row := commonplace.Score{}
	ofSentences(&row, readings("", passages[:1])[0], []infer.SentenceScore{{Score: 0.75, Line: 0.25}}, infer.BySentences{Sentences: 3, Rest: 0.5})
	if row.Score != 0.75 || *row.BestScore != 0.25 || row.BestText != passages[0].Text || *row.BestBegin != 10 || *row.BestEnd != 38 {
		t.Errorf("a line with .75 alone has %+v", row)
	}
	row = commonplace.Score{}
	ofSentences(&row, readings("", passages[:1])[0], []infer.SentenceScore{{Score: 0.75, Line: 0.25}}, infer.BySentences{Rate: 2})
	if want := math.Log1p(math.Exp(1.5)) / 2; math.Abs(row.Score-want) > 1e-15 || *row.BestScore != 0.25 {
		t.Errorf("a line with .75 alone has %+v at rate 2, want %v", row, want)
	}
}

// withModel copies a model's folder and adds lines to its model.yaml.
func withModel(t *testing.T, folder, more string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(to, infer.ManifestFile)
	b, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, append(b, more...), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// A model's folder says that it reads sentences; the config may say otherwise.
func TestAModelSaysThatItReadsSentences(t *testing.T) {
	const plain = "../../infer/testdata/models/quotability"
	says := withModel(t, plain, "sentences: 2\n")
	number := func(n int) *int { return &n }
	scored := func(model string, sentences *int) []commonplace.Score {
		c := pipelinetest.Demo(t)
		c.Score.Model, c.Score.Sentences = model, sentences
		pipelinetest.Build(t, c)
		for i, r := range pipelinetest.Rows(t, c, table.Rankings) {
			s := pipelinetest.Rows(t, c, table.Scores)[i]
			if !reflect.DeepEqual([]any{r.BestBegin, r.BestEnd, r.BestText, r.BestScore}, []any{s.BestBegin, s.BestEnd, s.BestText, s.BestScore}) {
				t.Errorf("%+v has another line than %+v", r, s)
			}
		}
		return pipelinetest.Rows(t, c, table.Scores)
	}
	whole, two := scored(plain, nil), scored(plain, number(2))
	if reflect.DeepEqual(whole, two) {
		t.Fatal("sentences make no difference")
	}
	for _, s := range whole {
		if s.BestBegin != nil || s.BestEnd != nil || s.BestScore != nil || s.BestText != "" {
			t.Errorf("a passage that was read as a whole has a line: %+v", s)
		}
	}
	for _, c := range []struct {
		sentences *int
		want      []commonplace.Score
	}{{nil, two}, {number(2), two}, {number(0), whole}, {number(1), scored(plain, number(1))}} {
		if got := scored(says, c.sentences); !reflect.DeepEqual(got, c.want) {
			t.Errorf("score.sentences %v: %+v, want %+v", c.sentences, got[0], c.want[0])
		}
	}
}

// A model of consecutive texts reads the sentences of a document in order, however few
// passages a batch has.
func TestSentencesAmongTheirNeighbours(t *testing.T) {
	scored := func(model string, batch int) []commonplace.Score {
		c := pipelinetest.Demo(t)
		two := 2
		c.Score.Model, c.Score.Sentences, c.Score.Batch = "../../infer/testdata/models/"+model, &two, batch
		pipelinetest.Build(t, c)
		return pipelinetest.Rows(t, c, table.Scores)
	}
	want := scored("quotability-sequence", 1000)
	if got := scored("quotability-sequence", 1); !reflect.DeepEqual(got, want) {
		t.Errorf("passages one by one: %+v, want %+v", got[0], want[0])
	}
	if got := scored("quotability", 1000); reflect.DeepEqual(got, want) {
		t.Error("the neighbours make no difference")
	}
}

func TestSentencesAtRates(t *testing.T) {
	c := pipelinetest.Demo(t)
	c.Score.Model, c.Segment.By = withModel(t, "../../infer/testdata/models/quotability", "rate: 2\n"), "words:60"
	for _, stage := range []string{"crawl", "segment", "score"} {
		if err := engine.Build(t.Context(), engine.Request{Config: c, Stages: []string{stage}}); err != nil {
			t.Fatal(err)
		}
	}
	m, err := infer.LoadModel(c.Score.Model, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	sources := slices.DeleteFunc(pipelinetest.Rows(t, c, table.Documents), func(d commonplace.Document) bool { return d.Role == "derived" })
	alones := sentencesAlone(t, m, sources, pipelinetest.Rows(t, c, table.Passages))
	several := 0
	for _, row := range pipelinetest.Rows(t, c, table.Scores) {
		of, rates := alones[row.PassageID], 0.0
		for _, s := range of {
			rates += math.Exp(2 * s.score)
		}
		if want := math.Log(1+rates) / 2; math.Abs(row.Score-want) > 1e-12 {
			t.Errorf("%s has %v, want %v of %v", row.PassageID, row.Score, want, of)
		}
		if len(of) > 1 {
			several++
			best := slices.MaxFunc(of, func(a, b alone) int { return cmp.Compare(a.score, b.score) })
			if len(row.Reasons) != min(len(of), mostSentences) || !strings.HasPrefix(row.Reasons[0].Feature, "sentence “"+strings.Fields(best.text)[0]) {
				t.Errorf("%s: the reasons are %v of %v", row.PassageID, row.Reasons, of)
			}
		}
	}
	if several == 0 {
		t.Error("no passage has two sentences")
	}
}

func TestSentencesAreRefused(t *testing.T) {
	for more, want := range map[string]string{"sentences: -1\n": "sentences is -1", "rate: -1\n": "rate is -1", "rate: .inf\n": "rate is +Inf", "rate: 1\nsentences: 2\n": "not beside sentences", "cpu_ms: -2\n": "cpu_ms is -2", "cpu_ms: .nan\n": "cpu_ms is NaN"} {
		if _, err := infer.ReadManifest(withModel(t, "../../infer/testdata/models/quotability", more)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", more, err)
		}
	}
	if _, err := infer.ReadManifest(withModel(t, "../../infer/testdata/models/rank", "sentences: 2\n")); err == nil || !strings.Contains(err.Error(), "does not score sentences") {
		t.Error(err)
	}
}

// Scores that were kept are not taken for those of another number of sentences,
// not even where nothing says any more what the run's settings were.
func TestKeptScoresAreOfTheirSentences(t *testing.T) {
	scored := func(c *config.Config) []commonplace.Score {
		pipelinetest.Build(t, c)
		return pipelinetest.Rows(t, c, table.Scores)
	}
	c := pipelinetest.Demo(t)
	two := 2
	c.Score.Model = "../../infer/testdata/models/quotability"
	scored(c)
	c.Score.Sentences = &two
	if err := engine.Build(t.Context(), engine.Request{Config: c}); !errors.Is(err, config.ErrInvalid) {
		t.Errorf("other settings were taken: %v", err)
	}
	if err := os.Remove(filepath.Join(c.Out, ".current", "settings.json")); err != nil {
		t.Fatal(err)
	}
	fresh := pipelinetest.Demo(t)
	fresh.Score = c.Score
	if got, want := scored(c), scored(fresh); !reflect.DeepEqual(got, want) {
		t.Errorf("scores of whole passages were kept: %v", got[:2])
	}
}

// The rate is in no fingerprint of the model, and another one makes other scores. A config's number of sentences prevails over it.
func TestKeptScoresAreOfTheirRate(t *testing.T) {
	scored := func(c *config.Config, more string) []commonplace.Score {
		c.Score.Model = withModel(t, "../../infer/testdata/models/quotability", more)
		if err := engine.Build(t.Context(), engine.Request{Config: c}); err != nil {
			t.Fatal(err)
		}
		return pipelinetest.Rows(t, c, table.Scores)
	}
	c := pipelinetest.Demo(t)
	scored(c, "rate: 2\n")
	three := scored(pipelinetest.Demo(t), "rate: 3\n")
	if got := scored(c, "rate: 3\n"); !reflect.DeepEqual(got, three) {
		t.Errorf("scores of another rate were kept: %v", got[:2])
	}
	two, both := 2, pipelinetest.Demo(t)
	c.Score.Sentences, both.Score.Sentences = &two, &two
	if err := os.Remove(filepath.Join(c.Out, ".current", "settings.json")); err != nil {
		t.Fatal(err)
	}
	if got, want := scored(c, "rate: 3\n"), scored(both, ""); !reflect.DeepEqual(got, want) {
		t.Errorf("the best two are %v, want %v", got[:2], want[:2])
	}
}

// A sentence goes beyond its passage, so what is kept of sentences is of the
// document's text, too.
func TestKeptScoresAreOfTheirDocument(t *testing.T) {
	of := []commonplace.Passage{{Text: "one two"}, {Text: "three"}}
	seen := map[string]bool{}
	for _, text := range []string{"", "one two three", "one two\n\nthree"} {
		sum, err := hashOfPassages(of, text)
		if err != nil {
			t.Fatal(err)
		}
		seen[sum] = true
	}
	if len(seen) != 3 {
		t.Errorf("%d hashes of three texts", len(seen))
	}
}
