package engine_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// library is a config of twenty small books and a list of as many quotes, and the
// folder and the file that a test may change.
func library(t *testing.T) (c *config.Config, books, list string) {
	t.Helper()
	c = pipelinetest.Demo(t)
	c.Shards, c.Guard = 2, config.Default().Guard
	books, list = t.TempDir(), filepath.Join(t.TempDir(), "quotes.jsonl")
	for i := range 20 {
		writeBook(t, books, i, 40)
	}
	c.Sources = []config.Source{{Name: "books", Kind: "files", Files: []string{books}, Role: "source", Rights: "CC0"}}
	c.Quotes = []config.QuoteList{{Name: "list", Path: list}}
	writeQuotes(t, list, 20)
	return c, books, list
}

func writeBook(t *testing.T, books string, i, sentences int) {
	t.Helper()
	var text strings.Builder
	for k := range sentences {
		fmt.Fprintf(&text, "The captain of the ship number %d kept no account of the %d debts that the sea forgives.\n\n", i, k)
	}
	if err := os.WriteFile(filepath.Join(books, fmt.Sprintf("book%02d.txt", i)), []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func writeQuotes(t *testing.T, list string, n int) {
	t.Helper()
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, `{"quote_id":"q%02d","text":"ship number %d kept no account of the %d debts"}`+"\n", i, i, i)
	}
	if err := os.WriteFile(list, []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A library that vanished, a source of it, an emptied or halved list: the build is
// refused, again and again, with everything as it was before, until it is accepted
// or mended.
func TestALibraryThatVanishedChangesNothing(t *testing.T) {
	c, books, list := library(t)
	pipelinetest.Build(t, c)
	good := everything(t, c.Out)
	for what, night := range map[string]struct{ break_, mend func() }{
		"18 of 20 books gone": {
			func() {
				for i := range 18 {
					if err := os.Rename(filepath.Join(books, fmt.Sprintf("book%02d.txt", i)), filepath.Join(filepath.Dir(list), fmt.Sprint(i))); err != nil {
						t.Fatal(err)
					}
				}
			}, func() {
				for i := range 18 {
					writeBook(t, books, i, 40)
				}
			},
		},
		"an empty list":  {func() { writeQuotes(t, list, 0) }, func() { writeQuotes(t, list, 20) }},
		"half of a list": {func() { writeQuotes(t, list, 10) }, func() { writeQuotes(t, list, 20) }},
	} {
		night.break_()
		for again, r := range []engine.Request{{}, {}, {Force: true}, {Check: true}, {Stages: []string{"crawl", "quotes"}}, {Stages: []string{"crawl", "quotes"}, Force: true}} {
			r.Config = c
			if err := engine.Build(t.Context(), r); !errors.Is(err, engine.ErrLoss) || !strings.Contains(err.Error(), "--accept-loss") {
				t.Errorf("%s, %d: %v", what, again, err)
			}
			if _, err := engine.Plan(t.Context(), r); !errors.Is(err, engine.ErrLoss) {
				t.Errorf("%s, %d, planned: %v", what, again, err)
			}
			if d := pipelinetest.Differing(good, everything(t, c.Out)); len(d) > 0 {
				t.Fatalf("%s, %d: %v are others", what, again, d)
			}
		}
		night.mend()
		pipelinetest.Build(t, c)
		if d := pipelinetest.Differing(good, everything(t, c.Out)); len(d) > 0 {
			t.Errorf("%s, mended: %v are others", what, d)
		}
	}
}

// Files of spans are guarded as lists of quotes are.
func TestSpansThatVanishedChangeNothing(t *testing.T) {
	c, _, list := library(t)
	path := filepath.Join(filepath.Dir(list), "spans.jsonl")
	write := func(n int) {
		var lines strings.Builder
		for i := range n {
			fmt.Fprintf(&lines, `{"document":"book%02d","begin":0,"end":%d}`+"\n", i, 30+i)
		}
		if err := os.WriteFile(path, []byte(lines.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(20)
	c.Spans = []config.SpanFile{{Name: "site", Path: path, By: label.ByReaders}}
	pipelinetest.Build(t, c)
	good := everything(t, c.Out)
	for _, left := range []int{0, 10} {
		write(left)
		for again, r := range []engine.Request{{}, {Force: true}, {Stages: []string{"spans"}}, {Stages: []string{"spans"}, Force: true}} {
			r.Config = c
			if err := engine.Build(t.Context(), r); !errors.Is(err, engine.ErrLoss) || !strings.Contains(err.Error(), fmt.Sprintf("spans: too much is gone: site: %d of 20 spans, more than guard.spans 0.1 allows", 20-left)) {
				t.Errorf("%d left, %d: %v", left, again, err)
			}
			if _, err := engine.Plan(t.Context(), r); !errors.Is(err, engine.ErrLoss) {
				t.Errorf("%d left, %d, planned: %v", left, again, err)
			}
			if d := pipelinetest.Differing(good, everything(t, c.Out)); len(d) > 0 {
				t.Fatalf("%d left, %d: %v are others", left, again, d)
			}
		}
	}
	write(19) // one may always go
	pipelinetest.Build(t, c)
	write(5)
	if err := engine.Build(t.Context(), engine.Request{Config: c, AcceptLoss: true}); err != nil {
		t.Error(err)
	}
	write(20)
	pipelinetest.Build(t, c)
}

// So is a file of counts, by those of its lines that have one.
func TestCountsThatVanishedChangeNothing(t *testing.T) {
	c, _, list := library(t)
	c.Count.From, c.Count.File, c.Count.Columns = config.CountBoth, filepath.Join(filepath.Dir(list), "counts.csv"), map[string]string{"passage": "passage"}
	write := func(n int, after string) {
		lines := "document,passage,count\n"
		for i := range 20 {
			if i < n {
				lines += fmt.Sprintf("book%02d,1,%d\n", i, i)
			} else {
				lines += strings.ReplaceAll(after, "00", fmt.Sprintf("%02d", i))
			}
		}
		if err := os.WriteFile(c.Count.File, []byte(lines), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(20, "")
	pipelinetest.Build(t, c)
	good := everything(t, c.Out)
	for what, after := range map[string]string{"gone": "", "empty": "book00,1,\n"} {
		write(10, after)
		for again, r := range []engine.Request{{}, {Force: true}, {Stages: []string{"count"}}} {
			r.Config = c
			if err := engine.Build(t.Context(), r); !errors.Is(err, engine.ErrLoss) || !strings.Contains(err.Error(), "count: too much is gone: counts.csv: 10 of 20 counts, more than guard.counts 0.1 allows") {
				t.Errorf("%s, %d: %v", what, again, err)
			}
			if _, err := engine.Plan(t.Context(), r); !errors.Is(err, engine.ErrLoss) {
				t.Errorf("%s, %d, planned: %v", what, again, err)
			}
			if d := pipelinetest.Differing(good, everything(t, c.Out)); len(d) > 0 {
				t.Fatalf("%s, %d: %v are others", what, again, d)
			}
		}
	}
	if err := engine.Build(t.Context(), engine.Request{Config: c, AcceptLoss: true}); err != nil {
		t.Error(err)
	}
}

// everything is every file of a run's folder, and where its links lead.
func everything(t *testing.T, out string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(out, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == engine.RunFile {
			return err
		}
		if d.Type()&os.ModeSymlink != 0 {
			to, err := os.Readlink(path)
			files[path] = []byte(to)
			return err
		}
		files[path], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// What is accepted is accepted once: the next build goes on from there, and the
// next loss is one again.
func TestALossIsAcceptedOnce(t *testing.T) {
	c, books, list := library(t)
	pipelinetest.Build(t, c)
	remove := func(from, to int) {
		for i := from; i < to; i++ {
			if err := os.Remove(filepath.Join(books, fmt.Sprintf("book%02d.txt", i))); err != nil {
				t.Fatal(err)
			}
		}
	}
	remove(0, 1) // one may always go
	pipelinetest.Build(t, c)
	remove(1, 10)
	writeQuotes(t, list, 5)
	if err := pipelinetest.TryBuild(c); !errors.Is(err, engine.ErrLoss) {
		t.Fatal(err)
	}
	if err := engine.Build(t.Context(), engine.Request{Config: c, AcceptLoss: true}); err != nil {
		t.Fatal(err)
	}
	commit, err := table.ReadCommit(t.Context(), storage.Default, c.Out, "documents")
	if err != nil || commit.Rows != 10 {
		t.Errorf("%d documents, %v", commit.Rows, err)
	}
	pipelinetest.Build(t, c)
	remove(10, 15)
	if err := pipelinetest.TryBuild(c); !errors.Is(err, engine.ErrLoss) {
		t.Error(err)
	}
}

// The guard does not rest on commit records: a build that was killed has none, and
// the next meets the empty mount.
func TestTheGuardOutlivesAKilledBuild(t *testing.T) {
	c, books, _ := library(t)
	pipelinetest.Build(t, c)
	for _, name := range []string{"documents", "passages"} {
		if err := table.RemoveCommit(t.Context(), storage.Default, c.Out, name); err != nil {
			t.Fatal(err)
		}
	}
	before := everything(t, c.Out)
	for i := range 18 {
		if err := os.Remove(filepath.Join(books, fmt.Sprintf("book%02d.txt", i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := pipelinetest.TryBuild(c); !errors.Is(err, engine.ErrLoss) {
		t.Error(err)
	}
	if d := pipelinetest.Differing(before, everything(t, c.Out)); len(d) > 0 {
		t.Errorf("%v are others", d)
	}
	// A folder of version 0.1.0 has no numbers but those of its records.
	c, books, _ = library(t)
	pipelinetest.Build(t, c)
	if err := os.Remove(filepath.Join(c.Out, "guard.json")); err != nil {
		t.Fatal(err)
	}
	for i := range 18 {
		if err := os.Remove(filepath.Join(books, fmt.Sprintf("book%02d.txt", i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := pipelinetest.TryBuild(c); !errors.Is(err, engine.ErrLoss) {
		t.Errorf("without numbers: %v", err)
	}
	if err := os.WriteFile(filepath.Join(c.Out, "guard.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := pipelinetest.TryBuild(c); !errors.Is(err, config.ErrInvalid) {
		t.Errorf("with broken numbers: %v", err)
	}
}

// Books that are all there and have become a line each do not reach the rankings.
func TestHollowBooksDoNotReachTheRankings(t *testing.T) {
	c, books, _ := library(t)
	c.Segment.By = "words:20"
	pipelinetest.Build(t, c)
	rankings := func() map[string][]byte {
		files := everything(t, c.Out)
		maps.DeleteFunc(files, func(path string, _ []byte) bool { return !strings.HasPrefix(path, filepath.Join(c.Out, "rankings")) })
		return files
	}
	good := rankings()
	for i := range 20 {
		writeBook(t, books, i, 1)
	}
	for range 2 {
		if err := pipelinetest.TryBuild(c); !errors.Is(err, engine.ErrLoss) || !strings.Contains(err.Error(), "guard.passages") {
			t.Errorf("%v", err)
		}
		if d := pipelinetest.Differing(good, rankings()); len(good) == 0 || len(d) > 0 {
			t.Errorf("%v are others", d)
		}
	}
	if err := engine.Build(t.Context(), engine.Request{Config: c, AcceptLoss: true}); err != nil {
		t.Error(err)
	}
	if d := pipelinetest.Differing(good, rankings()); len(d) == 0 {
		t.Error("the loss was accepted, and the rankings are those of before")
	}
}
