package pipelines

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/eval"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/datasets"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/inspect"
)

// shelf is a run over small books of our own: what is said of them beside them,
// places that readers quote, and a printed list that names its authors.
func shelf(t *testing.T, spans string) *config.Config {
	t.Helper()
	c := pipelinetest.Demo(t)
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("books/lamp.txt", "Æsop kept a lamp. He who trims the wick by day shall read by night. The moth was sorry.\n")
	write("books/oil.txt", "The oil was dear that year. Nobody sold it before the frost came down from the hills.\n")
	write("books/ferry.txt", "A ferry has two shores and no home. The ferryman said nothing more about it that evening.\n")
	write("books/rope.txt", "Copied out of another book: He who trims the wick by day shall read by night. The rope was new.\n")
	write("books/song.txt", "Nobody knows who made the song, and the song knows nobody at all in the whole valley.\n")
	c.Sources = []config.Source{config.NewSource(config.KindFiles)}
	c.Sources[0].Files = []string{filepath.Join(dir, "books")}
	c.Sources[0].Metadata = []string{
		write("books.jsonl", `{"book": "lamp", "author": "Keeper, J. M. (Jane Mary), 1840-1901", "title": "Lamp", "fiction": false}
{"book": "oil", "author": "Jane Mary Keeper", "title": "Oil", "fiction": true}
{"book": "ferry", "author": "Wherry, Tom", "fiction": true}
{"book": "rope", "author": "Tom Wherry"}
{"book": "song", "author": "Anonymous"}
{"book": "lost", "author": "Nobody"}
`), write("genres.jsonl", `{"book": "lamp", "genre": "prose"}`+"\n")}
	c.Sources[0].Columns = map[string]string{"id": "book", "genre": "fiction"}
	c.Spans = []config.SpanFile{{Name: "site", Path: write("spans.jsonl", spans), By: label.ByReaders, Columns: map[string]string{"document": "book", "count": "readers"}}}
	c.Quotes = []config.QuoteList{{Name: "printed", By: label.ByEditors, Path: write("list.jsonl", `{"quote_id": "wick", "author": "J. M. Keeper", "text": "He who trims the wick by day shall read by night."}`+"\n")}}
	c.Segment.By = "sentences"
	c.Count.Overlap, c.Count.SameAuthor = label.OverlapHalf, true
	c.Label.Datasets, c.Label.Counts.FoldsBy, c.Label.Counts.Pairs = []string{config.DataCounts}, config.FoldsByAuthor, 0
	c.MaxRejectFraction = 1
	return c
}

func TestReaders(t *testing.T) {
	const spans = `{"book": "lamp", "begin": 18, "end": 68, "readers": 3, "text": "He who trims the wick by day shall read by night. "}
{"book": "ferry", "begin": 0, "end": 35, "readers": ["ann", "ben"]}
{"book": "ferry", "begin": 0, "end": 35, "readers": null}
{"book": "oil", "begin": 20, "end": 30}
not json
{"book": "oil", "begin": "1", "end": 5, "readers": 1}
{"book": "oil", "begin": 3, "end": 5, "readers": -1}
{"book": "gone", "begin": 0, "end": 5, "readers": 1}
{"book": "zebra", "begin": 0, "end": 5, "readers": 1}
{"book": "oil", "begin": 5, "end": 5, "readers": 1}
{"book": "oil", "begin": 0, "end": 500, "readers": 1}
{"book": "oil", "begin": -1, "end": 5, "readers": 1}
{"book": "lamp", "begin": 0, "end": 4, "text": "Esop", "readers": 1}
`
	c := shelf(t, spans)
	reports := pipelinetest.Build(t, c)

	genres := map[string]string{}
	for _, d := range pipelinetest.Rows(t, c, table.Documents) {
		genres[d.ID] = d.Author + "; " + d.Genre
	}
	if genres["lamp"] != "Keeper, J. M. (Jane Mary), 1840-1901; prose" || genres["oil"] != "Jane Mary Keeper; fiction" || genres["rope"] != "Tom Wherry; " {
		t.Errorf("documents have the authors and genres %q", genres)
	}
	if notes := strings.Join(reports["crawl"].Notes, " "); !strings.Contains(notes, "metadata names 1 documents that are not there, such as lost") {
		t.Errorf("crawl says %q", notes)
	}

	var given []string
	for _, s := range pipelinetest.Rows(t, c, table.Spans) {
		given = append(given, fmt.Sprintf("%s %d %q", s.DocID, s.Count, s.Text))
	}
	slices.Sort(given)
	want := []string{
		`ferry 0 "A ferry has two shores and no home."`, `ferry 2 "A ferry has two shores and no home."`,
		`lamp 3 "He who trims the wick by day shall read by night. "`, `oil 0 "t year. No"`,
	}
	if !slices.Equal(given, want) {
		t.Errorf("spans are\n%s\nwant\n%s", strings.Join(given, "\n"), strings.Join(want, "\n"))
	}
	var reasons []string
	for row, err := range inspect.Rows(t.Context(), storage.Default, c.Out, "rejects", inspect.Selection{}) {
		if err != nil {
			t.Fatal(err)
		}
		var r commonplace.Reject
		if err := json.Unmarshal(storage.MustJSON(row), &r); err != nil {
			t.Fatal(err)
		}
		if r.Stage == "spans" {
			reasons = append(reasons, r.Location+" "+r.Reason)
		}
	}
	slices.Sort(reasons)
	if got := strings.Join(reasons, "; "); got != "site: line 10 bad span; site: line 11 bad span; site: line 12 bad span; site: line 13 other text; site: line 8 no such document; "+
		"site: line 9 no such document; site: spans.jsonl:5 broken line; site: spans.jsonl:6 wrong type; site: spans.jsonl:7 wrong type" {
		t.Errorf("rejects are %s", got)
	}

	folds := map[string]int64{}
	for _, r := range pipelinetest.Rows(t, c, table.Counted) {
		folds[r.DocID] = r.Fold
		wick, shores := strings.Contains(r.Marked, "trims the wick"), strings.Contains(r.Marked, "two shores")
		readers, editors := int64(0), int64(0)
		switch {
		case wick && r.DocID == "lamp":
			readers, editors = 3, 1
		case shores: // and not where rope repeats the words of another author
			readers = 2
		}
		if r.Count != readers+editors || r.Readers != readers || r.Editors != editors {
			t.Errorf("%s %q is counted %d, by readers %d and editors %d, want %d and %d", r.DocID, r.Marked, r.Count, r.Readers, r.Editors, readers, editors)
		}
		if want := map[string]string{"lamp": "prose", "oil": "fiction", "ferry": "fiction"}[r.DocID]; r.Genre != want {
			t.Errorf("a passage of %s is of the genre %q", r.DocID, r.Genre)
		}
	}
	if folds["lamp"] != folds["oil"] || folds["ferry"] != folds["rope"] {
		t.Errorf("folds are %v: an author is in two", folds)
	}
	commit, err := table.ReadCommit(t.Context(), storage.Default, c.Out, "counted")
	if err != nil || commit.Checks["authors_in_one_split"] != 3 { // two spellings of Keeper, which the check cannot know for one; anonymous is nobody
		t.Errorf("the checks of counted are %v, %v", commit.Checks, err)
	}
	authors := map[string]string{}
	for _, w := range pipelinetest.Rows(t, c, table.Works) {
		authors[w.DocID] = w.Author
	}
	if authors["lamp"] != "keeper, jane mary" || authors["song"] != "" || authors["rope"] != "wherry, tom" {
		t.Errorf("works are of %q", authors)
	}
}

// An author in two folds is refused before the table is committed, also where the
// grouping is wrong.
func TestAuthorsInTwoFoldsAreRefused(t *testing.T) {
	c := shelf(t, "")
	pipelinetest.Build(t, c)
	commit, err := table.ReadCommit(t.Context(), storage.Default, c.Out, "counted")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (datasets.PositionTokens{}).Check(t.Context(), c.Out, commit); err != nil {
		t.Fatal(err)
	}
	for k, path := range commit.ShardPaths(c.Out) { // each document in a fold of its own, as an edition that nobody groups
		w, err := table.Counted.Create(t.Context(), table.Dir(c.Out, "counted"), k, len(commit.Shards))
		if err != nil {
			t.Fatal(err)
		}
		var rows []commonplace.Counted
		for r, err := range table.Counted.Rows(t.Context(), path) {
			if err != nil {
				t.Fatal(err)
			}
			r.Fold = map[string]int64{"ferry": 1, "rope": 2}[r.DocID]
			rows = append(rows, r)
		}
		for _, r := range rows {
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := (datasets.PositionTokens{}).Check(t.Context(), c.Out, commit); err == nil || !strings.Contains(err.Error(), "author") {
		t.Errorf("an author in two folds gives %v", err)
	}
}

func TestSpansAndMetadataAreRefused(t *testing.T) {
	for _, test := range []struct {
		what   string
		change func(*testing.T, *config.Config)
		says   string
	}{
		{"no file", func(t *testing.T, c *config.Config) { c.Spans[0].Path += ".gone" }, "cannot be read"},
		{"a list of metadata that is none", func(t *testing.T, c *config.Config) { c.Sources[0].Metadata[0] = c.Sources[0].Files[0] + "/oil.txt" }, "broken line"},
		{"metadata without ids", func(t *testing.T, c *config.Config) { c.Sources[0].Columns["id"] = "name" }, "the field name is missing or empty"},
	} {
		c := shelf(t, "")
		test.change(t, c)
		if err := Build(t.Context(), engine.Request{Config: c, Stages: []string{"crawl", "spans"}}); !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", test.what, err)
		}
	}
}

// Figures are those of the readers' own measure, a script of which the goldens
// are: of 6 books, random scores without ties, every span once.
func TestFiguresOfReaders(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 1))
	dir := t.TempDir()
	create := func(name string) (*bufio.Writer, func()) {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		w := bufio.NewWriter(f)
		return w, func() {
			if err := errors.Join(w.Flush(), f.Close()); err != nil {
				t.Fatal(err)
			}
		}
	}
	scores, closeScores := create("scores.jsonl")
	labels, closeLabels := create("labels.jsonl")
	e := eval.New([]eval.System{{Name: "random"}}, eval.Options{})
	for book := range 6 {
		var passages []commonplace.Passage
		var values []float64
		end := int64(0)
		for i := range 40 + 25*book {
			begin := end + int64(r.IntN(3))
			end = begin + 50 + int64(r.IntN(100))
			passages = append(passages, commonplace.Passage{ID: fmt.Sprint(i), Index: int64(i), Begin: begin, End: end})
			values = append(values, float64(r.IntN(1<<30)*1000+i))
			fmt.Fprintf(scores, "{\"book\": \"b%d\", \"begin\": %d, \"end\": %d, \"score\": %v}\n", book, begin, end, values[i])
		}
		var quotations []label.Quotation
		for range 12 {
			begin := int64(r.IntN(int(end) - 300))
			span := label.QuotedRange{Begin: begin, End: begin + 5 + int64(r.IntN(290))}
			quotations = append(quotations, label.Quotation{Times: 1, Finds: []label.Find{{span}}})
			fmt.Fprintf(labels, "{\"book\": \"b%d\", \"begin\": %d, \"end\": %d, \"readers\": 1}\n", book, span.Begin, span.End)
		}
		var counts []float64
		for _, n := range label.Counts(passages, quotations, label.OverlapHalf) {
			counts = append(counts, float64(n.Count))
		}
		if err := e.Add(eval.Document{ID: fmt.Sprint(book), Counts: counts, Scores: [][]float64{values}}); err != nil {
			t.Fatal(err)
		}
	}
	closeScores()
	closeLabels()
	got := map[string]float64{}
	for _, f := range e.Result().Rows[0].Figures {
		got[f.Metric] = *f.Mean
	}
	golden := map[string]float64{"AUC": 0.471, "rho": -0.049, "P@20": 0.200, "top tenth": 0.085}
	for metric, want := range golden {
		if math.Abs(got[metric]-want) > 0.0005001 {
			t.Errorf("%s is %.4f, the script says %.3f", metric, got[metric], want)
		}
	}
	script, err := filepath.Abs("../../shared/bench/readers.py")
	if err == nil {
		_, err = os.Stat(script)
	}
	python, found := exec.LookPath("python3")
	if err = errors.Join(err, found); err != nil {
		t.Logf("not held to the script itself, only to what it said: %v", err)
		return
	}
	output, err := exec.Command(python, script, filepath.Join(dir, "scores.jsonl"), "--labels", filepath.Join(dir, "labels.jsonl")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	for metric := range golden {
		for line := range strings.Lines(string(output)) {
			if rest, ok := strings.CutPrefix(line, metric+" "); ok {
				if want, err := strconv.ParseFloat(strings.Fields(rest)[0], 64); err != nil || math.Abs(got[metric]-want) > 0.0005001 {
					t.Errorf("%s is %.4f, the script says %s", metric, got[metric], rest)
				}
			}
		}
	}
}
