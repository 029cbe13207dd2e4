package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/table"
)

// lines reads a file of JSON lines.
func lines[T any](t *testing.T, path ...string) (rows []T) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(b) {
		var r T
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

// smallRun has a book, a copy of it, and counts of its passages in two folds.
func smallRun(t *testing.T) string {
	t.Helper()
	run := t.TempDir()
	var documents []commonplace.Document
	var passages []commonplace.Passage
	var counted []commonplace.Counted
	var works []commonplace.Work
	for d, id := range []string{"a", "b", "copy"} {
		documents = append(documents, commonplace.Document{ID: id, Text: "one two three", Characters: 13, Language: "la", Rights: "CC0", Source: "books"})
		works = append(works, commonplace.Work{DocID: id, Work: strings.Replace(id, "copy", "a", 1), Editions: 2})
		for i := range int64(3) {
			p := commonplace.PassageID(id, i)
			passages = append(passages, commonplace.Passage{ID: p, DocID: id, Index: i, Begin: 4 * i, End: 4*i + 3, Text: fmt.Sprint(id, " ", i)})
			counted = append(counted, commonplace.Counted{PassageID: p, DocID: id, Index: i, Marked: "[Book@0] " + id, Count: i, Fold: int64(d % 2)})
		}
	}
	commit(t, run, table.Documents, "{}", func(d commonplace.Document) string { return d.ID }, 2, documents...)
	commit(t, run, table.Passages, "{}", func(p commonplace.Passage) string { return p.DocID }, 2, passages...)
	commit(t, run, table.Works, "{}", func(w commonplace.Work) string { return w.DocID }, 2, works...)
	commit(t, run, table.Counted, "{}", func(c commonplace.Counted) string { return c.DocID }, 2, counted...)
	return run
}

func askTwo(_ context.Context, datasets []string, _ func(string) bool, do func(Question) error) error {
	right := Answer{ID: "a:000000", Text: "to be or not to be", Begin: 3, End: 5, CutEnd: true}
	wrong := []Answer{{ID: "a:000001", Text: "that is"}, {ID: "a:000002", Text: "the question"}}
	put := do
	do = func(q Question) error {
		if !slices.Contains(datasets, q.Dataset) {
			return nil
		}
		return put(q)
	}
	return errors.Join(
		do(Question{Dataset: "triples", ID: "q1", DocID: "a", Split: "train", Context: "Questions he asked", Title: "Questions", Body: "he asked", Right: []Answer{right}, Wrong: wrong, Trained: json.RawMessage(`{"doc_id":"q1"}`)}),
		do(Question{Dataset: "triples", ID: "q2", DocID: "copy", Split: "train", Context: "he asked", Right: []Answer{right}, Trained: json.RawMessage(`{"doc_id":"q2"}`)}),
		do(Question{Dataset: "windows", ID: "q3", DocID: "b", Split: "test", Context: "[MASK]", Right: []Answer{{ID: "b:000000", Text: "to see"}}, Wrong: wrong[:1], Trained: json.RawMessage(`{"doc_id":"q3"}`)}),
		do(Question{Dataset: "triples", ID: "q4", DocID: "a", Split: "train", Context: "all of its answers are test's", Elsewhere: 2, Wrong: wrong, Trained: json.RawMessage(`{"doc_id":"q4"}`)}),
	)
}

// Each purpose has its rows, its card, its script, and what taught a model of them; copies
// by edition have none, and a dataset without spans has none for spans.
func TestPurposes(t *testing.T) {
	t.Parallel()
	to := filepath.Join(t.TempDir(), "folder")
	documents := func(context.Context) Lines {
		return func(yield func([]byte, error) bool) { yield([]byte(`{"doc_id":"a"}`), nil) }
	}
	if _, err := Write(t.Context(), smallRun(t), to, Options{For: []string{ForRank, ForSpans, ForPairs, ForCounts}, Questions: askTwo, Documents: documents}); err != nil {
		t.Fatal(err)
	}
	rank := lines[rankRow](t, to, ForRank, "train.jsonl")
	if len(rank) != 3 || rank[0].Label != 1 || rank[1].Label != 0 || rank[2].PassageID != "a:000002" || rank[0].Context != "Questions he asked" || rank[0].Title != "Questions" || rank[0].Body != "he asked" {
		t.Errorf("%+v", rank)
	}
	if test := lines[rankRow](t, to, ForRank, "test.jsonl"); len(test) != 2 || test[0].Dataset != "windows" {
		t.Errorf("%+v", test)
	}
	spans := lines[spanRow](t, to, ForSpans, "train.jsonl")
	if len(spans) != 3 || len(spans[0].Spans) != 1 || spans[0].Spans[0] != [2]int{3, 5} || !spans[0].CutEnd || len(spans[1].Spans) != 0 {
		t.Errorf("%+v", spans)
	}
	if test := lines[spanRow](t, to, ForSpans, "test.jsonl"); len(test) != 0 {
		t.Errorf("windows have no spans: %+v", test)
	}
	if pairs := lines[pairRow](t, to, ForPairs, "train.jsonl"); len(pairs) != 1 || len(pairs[0].Negatives) != 2 || pairs[0].Passage != "to be or not to be" {
		t.Errorf("%+v", pairs)
	}
	for fold, doc := range map[string]string{"fold_0": "a", "fold_1": "b"} { // the copy is in fold 0 too
		if rows := lines[countRow](t, to, ForCounts, fold+".jsonl"); len(rows) != 3 || rows[2].DocID != doc || rows[2].Text != doc+" 2" || rows[2].Count != 2 || rows[2].Language != "la" {
			t.Errorf("%s: %+v", fold, rows)
		}
	}
	type taught struct {
		DocID string `json:"doc_id"`
	}
	for name, want := range map[string]int{ForRank: 2, ForSpans: 1, ForPairs: 2, ForCounts: 1} {
		if got := lines[taught](t, to, name, trainingFile); len(got) != want {
			t.Errorf("%s: %v", name, got)
		}
		if card, err := os.ReadFile(filepath.Join(to, name, "README.md")); err != nil || !bytes.Contains(card, []byte("commonplace_train")) {
			t.Errorf("%s: %s, %v", name, card, err)
		} else if said := bytes.Contains(card, []byte("2 answers of the other splits are left out")); said != (name != ForCounts) {
			t.Errorf("%s: %s", name, card)
		}
		script, err := os.ReadFile(filepath.Join(to, name, "train.py"))
		code := strings.Split(strings.TrimSpace(string(script)), "\n")
		if err != nil || len(code) > 20 {
			t.Errorf("%s: %d lines, %v", name, len(code), err)
		}
	}
}

// A context does not say whose words it is, so one closed document withholds all of them.
func TestPurposesWithoutText(t *testing.T) {
	t.Parallel()
	to := filepath.Join(t.TempDir(), "folder")
	documents := func(context.Context) Lines {
		return func(yield func([]byte, error) bool) { yield([]byte(`{"doc_id": "a", "sha256": "00"}`), nil) }
	}
	o := Options{For: []string{ForRank, ForCounts}, Questions: askTwo, Documents: documents, WithoutText: true, Rights: map[string]string{"books": "all rights reserved"}}
	if _, err := Write(t.Context(), smallRun(t), to, o); err != nil {
		t.Fatal(err)
	}
	if rows := lines[rankRow](t, to, ForRank, "train.jsonl"); len(rows) != 0 {
		t.Errorf("%+v", rows)
	}
	if _, err := os.Stat(filepath.Join(to, ForCounts, "fold_0.jsonl")); err == nil {
		t.Error("counts have texts of closed documents")
	}
	if training, err := os.ReadFile(filepath.Join(to, ForCounts, trainingFile)); err != nil || len(training) != 0 {
		t.Errorf("closed documents taught nothing, and are listed: %s, %v", training, err)
	}
}

func TestPurposesThatCannotBe(t *testing.T) {
	t.Parallel()
	run := smallRun(t)
	for purpose, want := range map[string]string{"poems": `no purpose "poems"`, ForReplies: "needs the tables replies", ForTags: "needs the tables examples and passages", ForRank: "needs the contexts"} {
		_, err := Write(t.Context(), run, filepath.Join(t.TempDir(), "folder"), Options{For: []string{purpose}})
		if !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", purpose, err)
		}
	}
	none := func(context.Context, []string, func(string) bool, func(Question) error) error { return nil }
	windows := func(_ context.Context, datasets []string, _ func(string) bool, do func(Question) error) error {
		if !slices.Contains(datasets, "windows") {
			return nil
		}
		return do(Question{Dataset: "windows", ID: "w", DocID: "b", Split: "test"})
	}
	for _, of := range []struct {
		purpose   string
		questions Asking
		want      string
	}{
		{ForRank, none, "has no contexts for it; build it with one of triples, queries, windows, replies in label.datasets"},
		{ForPairs, none, "has no contexts"},
		{ForSpans, windows, "has no contexts for it; build it with one of triples, queries in label.datasets"},
	} {
		to := filepath.Join(t.TempDir(), "folder")
		_, err := Write(t.Context(), run, to, Options{For: []string{of.purpose}, Questions: of.questions})
		if !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), of.want) {
			t.Errorf("%s: %v", of.purpose, err)
		}
		if _, err := os.Stat(to); err == nil {
			t.Errorf("%s: a folder was written", of.purpose)
		}
	}
	for _, n := range []float64{-1, 1e6 + 1, math.NaN(), math.Inf(1)} {
		_, err := Write(t.Context(), run, filepath.Join(t.TempDir(), "folder"), Options{For: []string{ForCounts}, Negatives: n})
		if !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), fmt.Sprintf("negatives is %v, must be from 0 to 1000000", n)) {
			t.Errorf("%v: %v", n, err)
		}
	}
	for _, n := range []float64{-.1, 1.5, math.NaN()} {
		_, err := Write(t.Context(), run, filepath.Join(t.TempDir(), "folder"), Options{For: []string{ForCounts}, Nearest: n})
		if !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), fmt.Sprintf("nearest is %v, must be from 0 to 1", n)) {
			t.Errorf("%v: %v", n, err)
		}
	}
}

// A script that prints a figure of each split marks the one that it learnt from. That of counts leaves
// out what it judges.
func TestScriptsMarkWhatIsInSample(t *testing.T) {
	t.Parallel()
	for _, name := range Purposes() {
		script, err := snippets.ReadFile("snippets/" + name + ".py")
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(script), "\n") {
			figure := strings.Contains(line, "print(")
			if marked := strings.Contains(line, `print(split + " (in sample)" * (split == "train"), `); figure && marked == (name == ForCounts) {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
}
