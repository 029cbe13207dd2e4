package export

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/table"
)

var update = flag.Bool("update", false, "write the golden files")

func write(t *testing.T, run, to string, o Options) Summary {
	t.Helper()
	s, err := Write(t.Context(), run, to, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// read gives the files of a folder by name, with slashes.
func read(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// alone sees that nothing but the export lies in its parent's folder.
func alone(t *testing.T, to string, want int) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(to))
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != want {
		t.Errorf("beside the export: %v", entries)
	}
}

func TestSameTablesSameBytes(t *testing.T) {
	t.Parallel()
	run := testRun(t)
	all := Options{Formats: Formats()}
	one, two := t.TempDir()+"/one", t.TempDir()+"/two"
	s := write(t, run, one, all)
	write(t, run, two, all)
	write(t, run, two, all) // an earlier export is replaced
	alone(t, two, 1)
	files := read(t, one)
	if again := read(t, two); !sameFiles(files, again) {
		t.Error("two exports of the same tables differ")
	}
	if s.Configs != 19 || s.Files != len(files) || s.Leaks != "" || s.Withheld != 0 {
		t.Errorf("%+v, %d files", s, len(files))
	}
	lines := strings.Split(strings.TrimSpace(files[sumsFile]), "\n")
	if len(lines) != len(files)-1 {
		t.Errorf("%d sums for %d files", len(lines), len(files))
	}
	for _, line := range lines {
		sum, name, _ := strings.Cut(line, "  ")
		if got := sha256.Sum256([]byte(files[name])); hex.EncodeToString(got[:]) != sum {
			t.Errorf("%s has another sum", name)
		}
	}
}

func sameFiles(a, b map[string]string) bool {
	for name, content := range a {
		if b[name] != content {
			return false
		}
	}
	return len(a) == len(b)
}

// The golden files are read by people when they change: go test ./export -update.
// Sums of tables and sizes after compression stand for themselves.
func TestGolden(t *testing.T) {
	to := t.TempDir() + "/export"
	write(t, testRun(t), to, Options{Formats: Formats()})
	files := read(t, to)
	for _, name := range []string{"README.md", "CITATION.cff", "conll/examples/test.conll", "squad/quoted_spans/test.json", "jsonl/replies/train.jsonl", "jsonl/alignments/train.jsonl", "statistics.json", "plots/similarity.svg"} {
		got := regexp.MustCompile("`[0-9a-f]{12}`|version: \"[0-9a-f]{12}\"|download_size: [0-9]+").ReplaceAllString(files[name], "(hash or size)")
		golden := filepath.Join("testdata", "golden", filepath.FromSlash(name))
		if *update {
			os.MkdirAll(filepath.Dir(golden), 0o755)
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s is another than %s: go test ./export -update, and read the difference", name, golden)
		}
	}
}

// Every row of the tables is in the Parquet files and in the JSON lines, and
// only there where it belongs.
func TestRows(t *testing.T) { // alone: it changes how large a file may be
	run, to := testRun(t), t.TempDir()+"/export"
	defer func(was int64) { shardBytes = was }(shardBytes)
	shardBytes = 4 << 10 // so that splits have several files
	write(t, run, to, Options{Formats: Formats()})
	files := read(t, to)
	if _, ok := files["data/documents/train-00001-of-00003.parquet"]; !ok {
		t.Error("documents is one file")
	}
	rows := map[string]int64{}
	for name, content := range files {
		if !strings.HasSuffix(name, ".parquet") {
			continue
		}
		parts := strings.Split(name, "/")
		split, _, _ := strings.Cut(parts[len(parts)-1], "-")
		kind := "replies" // the first
		if len(parts) == 3 {
			kind = parts[1]
		}
		rows[kind+"/"+split] += rowsOf(t, kind, filepath.Join(to, name))
		if !strings.Contains(content, `huggingface`) || !strings.Contains(content, `{"info":{"features":{`) {
			t.Errorf("%s does not declare its features", name)
		}
	}
	for of, n := range rows {
		if lines := strings.Count(files["jsonl/"+of+".jsonl"], "\n"); n >= 0 && int64(lines) != n {
			t.Errorf("%s: %d lines, %d rows", of, lines, n)
		}
	}
	for of, want := range map[string]int64{"examples/train": 9, "examples/test": 9, "windows/train": 10, "counted/fold_3": 40, "documents/train": 5, "replies/train": 2} {
		if rows[of] != want {
			t.Errorf("%s: %d rows, want %d", of, rows[of], want)
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(files["jsonl/examples/train.jsonl"]), "\n") {
		var e struct {
			Text    string   `json:"passage_text"`
			Begin   int      `json:"span_begin"`
			End     int      `json:"span_end"`
			Span    string   `json:"span_text"`
			Tags    []string `json:"tags"`
			Pieces  []string `json:"pieces"`
			Answers struct {
				Text  []string `json:"text"`
				Start []int    `json:"answer_start"`
			} `json:"answers"`
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if commonplace.Slice(e.Text, commonplace.Span{Begin: e.Begin, End: e.End}) != e.Span || e.Answers.Text[0] != e.Span || e.Answers.Start[0] != e.Begin {
			t.Errorf("%s", line)
		}
		if e.Tags[0] != "O" || e.Tags[1] != "B-QUOTE" || e.Tags[2] != "I-QUOTE" || e.Pieces == nil {
			t.Errorf("%s", line)
		}
	}
}

// rowsOf is the number of rows of a Parquet file of the kinds that are looked at,
// -1 for others.
func rowsOf(t *testing.T, name, path string) int64 {
	t.Helper()
	type counted interface {
		NumRows() int64
		Close() error
	}
	var r counted
	var err error
	switch name {
	case "examples":
		r, err = table.Examples.Open(t.Context(), path, "doc_id")
	case "windows":
		r, err = table.Windows.Open(t.Context(), path, "source_id")
	case "counted":
		r, err = table.Counted.Open(t.Context(), path, "doc_id")
	case "documents":
		r, err = table.Documents.Open(t.Context(), path, "doc_id")
	case "replies":
		r, err = table.Replies.Open(t.Context(), path, "reply_id")
	default:
		return -1
	}
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	return r.NumRows()
}

// With texts left out nothing of a closed text is in any file, and every row,
// id, offset and label is.
func TestWithoutText(t *testing.T) {
	t.Parallel()
	run, whole, to := testRun(t), t.TempDir()+"/whole", t.TempDir()+"/export"
	write(t, run, whole, Options{Formats: []string{JSONL}})
	s := write(t, run, to, Options{Formats: []string{JSONL, SQuAD, CoNLL, RELiC}, WithoutText: true})
	before, after := read(t, whole), read(t, to)
	for name, content := range after {
		for _, id := range []string{"beta", "zeitung"} {
			if name != "jsonl/quotes/train.jsonl" && strings.Contains(content, "“"+id+"”") { // the list is open
				t.Errorf("%s has words of %s", name, id)
			}
		}
		if strings.HasPrefix(name, "jsonl/") && strings.Count(content, "\n") != strings.Count(before[name], "\n") {
			t.Errorf("%s has lost rows", name)
		}
	}
	if !strings.Contains(after["jsonl/examples/train.jsonl"], "“alpha”") || !strings.Contains(after["conll/examples/train.conll"], "“gamma”") {
		t.Error("an open text was left out")
	}
	// An example of a closed book: everything but words.
	var e map[string]any
	for _, line := range strings.Split(after["jsonl/examples/train.jsonl"], "\n") {
		if strings.Contains(line, `"doc_id":"beta"`) {
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	if e["quote"] != "" || e["passage_text"] != "" || e["span_end"] == 0.0 || len(e["tags"].([]any)) != 14 || len(e["tokens"].([]any)) != 0 || fmt.Sprint(e["answers"]) != "map[answer_start:[9] text:[]]" {
		t.Errorf("%v", e)
	}
	if s.Withheld == 0 || !strings.Contains(after["README.md"], "**Some texts are left out**") {
		t.Errorf("%+v", s)
	}
	// Rights that the user gives take the place of what the rows say.
	open := map[string]string{"books": "CC0", "papers": "public domain", "conversations": "CC BY 4.0"}
	s = write(t, run, to, Options{Formats: []string{JSONL}, WithoutText: true, Rights: open})
	if s.Withheld != 0 {
		t.Errorf("%d rows without text", s.Withheld)
	}
	if _, err := Write(t.Context(), run, to, Options{Rights: map[string]string{"boks": "CC0"}}); !errors.Is(err, ErrOptions) {
		t.Errorf("%v", err)
	}
}

// The layout is what RELiC's evaluation reads: windows of one source under its
// name, with the sentences to choose from.
func TestRELiC(t *testing.T) {
	t.Parallel()
	to := t.TempDir() + "/export"
	write(t, testRun(t), to, Options{Formats: []string{RELiC}})
	files := read(t, to)
	n := 0
	for name, books := range map[string][]string{"train": {"alpha"}, "val": {}, "test": {"beta"}} {
		var all map[string]struct {
			Quotes     map[string][4]any
			Sentences  []string
			Candidates map[string][]int
		}
		if err := json.Unmarshal([]byte(files["relic/"+name+".json"]), &all); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(all) != len(books) {
			t.Errorf("%s has %d books", name, len(all))
		}
		for _, id := range books {
			b := all[id]
			for _, q := range b.Quotes {
				first, length := int(q[1].(float64)), int(q[2].(float64))
				if b.Sentences[first] != oneLine(sentence(id, first)) || length > relicSentences || b.Candidates[fmt.Sprint(length, "_sentence")][first] != first {
					t.Errorf("%s: %v", id, q)
				}
				if id == "alpha" && fmt.Sprint(q[0]) != "["+oneLine(sentence("essay", 1))+"]" {
					t.Errorf("before: %v", q[0])
				}
				n++
			}
			if len(b.Candidates["5_sentence"]) != 36 {
				t.Errorf("%d runs of five among 40", len(b.Candidates["5_sentence"]))
			}
		}
	}
	if n != 18 || !strings.Contains(files["README.md"], "18 windows by `doc_id` of the source; 2 of more than 5 sentences") {
		t.Errorf("%d windows", n)
	}
	short := &relic{}
	if err := short.book("tiny", []string{"One.", "Two.", "Three.", "Four."}, make([]commonplace.Window, 2)); err != nil || short.stats != (relicCounts{Short: 2}) {
		t.Errorf("a source of four sentences, on which the evaluation ends: %+v, %v", short.stats, err)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	run, dir := testRun(t), t.TempDir()
	mine := filepath.Join(dir, "thesis")
	os.Mkdir(mine, 0o755)
	os.WriteFile(filepath.Join(mine, "chapter.tex"), []byte("years of work"), 0o644)
	os.WriteFile(filepath.Join(dir, "file"), nil, 0o644)
	for _, c := range []struct {
		run, to string
		o       Options
		want    error
	}{
		{run, mine, Options{}, ErrForeign},
		{run, filepath.Join(dir, "file"), Options{}, ErrForeign},
		{run, filepath.Join(dir, "x"), Options{Formats: []string{"xml"}}, ErrOptions},
		{run, filepath.Join(dir, "x"), Options{Tables: []string{"rankings"}}, ErrOptions},
		{run, filepath.Join(dir, "x"), Options{Tables: []string{"quotes"}, Formats: []string{SQuAD}}, ErrOptions},
		{dir, filepath.Join(dir, "x"), Options{}, ErrOptions},
	} {
		if _, err := Write(t.Context(), c.run, c.to, c.o); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.to, err, c.want)
		}
	}
	if raw, err := os.ReadFile(filepath.Join(mine, "chapter.tex")); err != nil || string(raw) != "years of work" {
		t.Error("the thesis is gone")
	}
	alone(t, mine, 2)
	// An empty folder will do; one that another export writes to will not.
	empty := filepath.Join(t.TempDir(), "empty")
	os.Mkdir(empty, 0o755)
	f, err := open(empty)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Write(t.Context(), run, empty, Options{}); !errors.Is(err, ErrBusy) {
		t.Errorf("%v", err)
	}
	f.unlock() // as if it had been killed: what it wrote lies there
	write(t, run, empty, Options{})
	alone(t, empty, 1)
}

// An export that is stopped leaves the old one as it was, and nothing beside it.
func TestStopped(t *testing.T) {
	t.Parallel()
	run, to := testRun(t), t.TempDir()+"/export"
	write(t, run, to, Options{Tables: []string{"quotes"}})
	before := read(t, to)
	for stop := 1; stop < 40; stop += 12 {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := Write(ctx, run, to, Options{Formats: Formats(), Progress: func(done, of int) {
			if done == stop {
				cancel()
			}
		}})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d shards: %v", stop, err)
		}
		alone(t, to, 1)
	}
	if !sameFiles(before, read(t, to)) {
		t.Error("the old export was changed")
	}
}

func TestLeaksAreSaid(t *testing.T) {
	t.Parallel()
	run, to := testRun(t), t.TempDir()+"/export"
	leak := func(id, in string) commonplace.Example {
		return commonplace.Example{ID: id, QuoteID: "q", DocID: "alpha", Tokens: []string{"w"}, Tags: []string{"B"}, Split: in}
	}
	a, b := leak("1", "train"), leak("2", "test")
	commit(t, run, table.Examples, `{"split":{"by":"quote"}}`, func(commonplace.Example) string { return "alpha" }, 1, a, b)
	s := write(t, run, to, Options{})
	if s.Leaks != "1 of 1 quote_ids of examples are in more than one split" || !strings.Contains(read(t, to)["README.md"], "| `examples` | 1 | **1** |") {
		t.Errorf("%q", s.Leaks)
	}
	// Where the run was asked for it, it is said and no leak.
	commit(t, run, table.Examples, `{"split":{"by":"example"}}`, func(commonplace.Example) string { return "alpha" }, 1, a, b)
	if s := write(t, run, to, Options{}); s.Leaks != "" || !strings.Contains(read(t, to)["README.md"], "1; the run was asked to split by example") {
		t.Errorf("%q", s.Leaks)
	}
}

// A table that lost rows after its record was written is no table.
func TestRecordHolds(t *testing.T) {
	t.Parallel()
	run := testRun(t)
	name := filepath.Join(run, "quotes", table.ShardName(0, 1))
	w, err := table.Quotes.CreateFile(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	to := t.TempDir() + "/export"
	if _, err := Write(t.Context(), run, to, Options{}); !errors.Is(err, errChanged) {
		t.Errorf("%v", err)
	}
	alone(t, to, 0)
}
