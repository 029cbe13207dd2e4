package engine_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/table"
)

// A book that could be read and cannot be read now keeps its row and is counted; more
// of them than the guard allows change nothing; one that is withdrawn is gone.
func TestUnreadableBooksKeepTheirRows(t *testing.T) {
	c, books, _ := library(t)
	c.MaxRejectFraction, c.Guard.Unreadable = 0, 0.1
	zipped := func(i int) string { return filepath.Join(books, fmt.Sprintf("zipped%d.txt.gz", i)) }
	whole := map[int][]byte{}
	for i := range 4 {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		fmt.Fprintf(w, "The harbour master of town %d writes that the tide has no clerk.\n", i)
		if err := errors.Join(w.Close(), os.WriteFile(zipped(i), b.Bytes(), 0o644)); err != nil {
			t.Fatal(err)
		}
		whole[i] = b.Bytes()
	}
	pipelinetest.Build(t, c)
	before := pipelinetest.Snapshot(t, c.Out)
	breakOff := func(i int) {
		t.Helper()
		if err := os.WriteFile(zipped(i), whole[i][:len(whole[i])/2], 0o644); err != nil {
			t.Fatal(err)
		}
	}
	texts := func() string {
		var all strings.Builder
		for _, d := range pipelinetest.Rows(t, c, table.Documents) {
			all.WriteString(d.ID + " " + d.Text)
		}
		return all.String()
	}
	was := texts()

	breakOff(0)
	if notes := strings.Join(pipelinetest.Build(t, c)["crawl"].Notes, ""); !strings.Contains(notes, "1 that cannot be read now, and keep the rows of the version before") {
		t.Errorf("crawl notes %q", notes)
	}
	if texts() != was {
		t.Error("a book that cannot be read lost its row")
	}
	after := pipelinetest.Snapshot(t, c.Out)
	for _, name := range pipelinetest.Differing(before, after) {
		if !strings.HasPrefix(name, "records/documents/") {
			t.Errorf("%s is another, and no row changed", name)
		}
	}

	for i := range 4 {
		breakOff(i)
	}
	if err := pipelinetest.TryBuild(c); !errors.Is(err, engine.ErrLoss) || !strings.Contains(err.Error(), "crawl: too much is gone: 4 of 24 inputs cannot be read now, more than guard.unreadable 0.1 allows; nothing was changed") {
		t.Error(err)
	}
	if d := pipelinetest.Differing(after, pipelinetest.Snapshot(t, c.Out)); len(d) > 0 {
		t.Errorf("%v are others", d)
	}
	if err := engine.Build(t.Context(), engine.Request{Config: c, AcceptLoss: true}); err != nil || texts() != was {
		t.Errorf("accepted: %v", err)
	}
	bookIn(t, books, "another.txt")
	if err := pipelinetest.TryBuild(c); err != nil { // what was accepted is, also the night after
		t.Errorf("the night after: %v", err)
	}

	// Rights that a config withdraws are withdrawn from a kept row, too.
	c.Sources[0].Rights = "all rights reserved"
	if err := engine.Build(t.Context(), engine.Request{Config: c, Resettle: true}); err != nil {
		t.Error(err)
	}
	for _, d := range pipelinetest.Rows(t, c, table.Documents) {
		if kept := strings.HasPrefix(d.ID, "zipped"); kept && d.Rights != "" || !kept && d.Source == c.Sources[0].Name && d.Rights != "all rights reserved" {
			t.Errorf("%s has the rights %q", d.ID, d.Rights)
		}
	}

	for i := range 3 { // mended
		if err := os.WriteFile(zipped(i), whole[i], 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(zipped(3)); err != nil { // withdrawn
		t.Fatal(err)
	}
	pipelinetest.Build(t, c)
	if now := texts(); strings.Contains(now, "zipped3") || !strings.Contains(now, "zipped2") {
		t.Error("a withdrawn book is there, or a mended one is not")
	}
	pipelinetest.SameAsAFullBuild(t, c)
}

// An archive, a list or a table that cannot be read now does not say which documents it
// has. They keep their rows all the same, and are counted.
func TestDocumentsOfBrokenFilesKeepTheirRows(t *testing.T) {
	text := func(i int) string { return fmt.Sprintf("The clerk of port %d writes that no tide was ever late.\n", i) }
	var zipped, one bytes.Buffer
	for b, n := range map[*bytes.Buffer]int{&zipped: 3, &one: 1} {
		w := zip.NewWriter(b)
		for i := range n {
			e, err := w.Create(fmt.Sprintf("in/zip%d-%d.txt", n, i))
			if err == nil {
				_, err = e.Write([]byte(text(10*n + i)))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	var list bytes.Buffer
	g := gzip.NewWriter(&list)
	for i := range 3 {
		fmt.Fprintf(g, "{\"id\": \"listed%d\", \"text\": %q}\n", i, text(40+i))
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	for name, whole := range map[string][]byte{"pack.zip": zipped.Bytes(), "one.zip": one.Bytes(), "list.jsonl.gz": list.Bytes()} {
		t.Run(name, func(t *testing.T) {
			c, books, _ := library(t)
			c.MaxRejectFraction, c.Guard.Unreadable = 0, 0.5
			path := filepath.Join(books, name)
			write := func(b []byte) {
				t.Helper()
				if err := os.WriteFile(path, b, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			ids := func() (all []string) {
				for _, d := range pipelinetest.Rows(t, c, table.Documents) {
					all = append(all, d.ID+" "+d.Text)
				}
				return all
			}
			pipelinetest.Build(t, c)
			bare := len(ids())
			write(whole)
			if c.Sources[0].Files = []string{books}; strings.HasPrefix(name, "list") {
				c.Sources[0].Files = []string{books, path} // lists are read where they are named
			}
			if err := engine.Build(t.Context(), engine.Request{Config: c, Resettle: true}); err != nil {
				t.Fatal(err)
			}
			before := ids()
			n := len(before) - bare
			for range 2 { // also the night after
				write(whole[:len(whole)*2/3])
				if notes := strings.Join(pipelinetest.Build(t, c)["crawl"].Notes, ""); !strings.Contains(notes, fmt.Sprintf("%d that cannot be read now, and keep the rows", n)) || n == 0 {
					t.Errorf("%d documents, and crawl notes %q", n, notes)
				}
				if now := ids(); !slices.Equal(before, now) {
					t.Errorf("there are %d documents of %d", len(now), len(before))
				}
			}
			c.Guard.Unreadable = 0
			bookIn(t, books, "new.txt")
			write(whole[:len(whole)/2])
			if err := pipelinetest.TryBuild(c); n > 1 && err != nil { // what was accepted is
				t.Error(err)
			}
			write(whole)
			pipelinetest.Build(t, c)
			pipelinetest.SameAsAFullBuild(t, c)
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			c.Guard, c.Sources[0].Files = pipelinetest.AnyLoss, []string{books}
			if err := engine.Build(t.Context(), engine.Request{Config: c, Resettle: true}); err != nil {
				t.Fatal(err)
			}
			if now := ids(); len(now) != bare+1 {
				t.Errorf("%d documents without the file, want %d", len(now), bare+1)
			}
		})
	}
}

// Quotations that vanish although sources and lists are all there are a loss.
func TestVanishedAlignmentsChangeNothing(t *testing.T) {
	c := pipelinetest.Demo(t)
	books := pipelinetest.Copied(t, c)
	c.Guard = config.Default().Guard
	pipelinetest.Build(t, c)
	before := pipelinetest.Snapshot(t, c.Out)
	names, err := filepath.Glob(filepath.Join(books, "*.txt"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names { // as many words as before, backwards
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		words := strings.Fields(string(text))
		slices.Reverse(words)
		if err := os.WriteFile(name, []byte(strings.Join(words, " ")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := pipelinetest.TryBuild(c); !errors.Is(err, engine.ErrLoss) || !strings.Contains(err.Error(), "guard.alignments 0.2 allows; nothing was changed") {
		t.Error(err)
	}
	if d := pipelinetest.Differing(before, pipelinetest.Snapshot(t, c.Out)); len(d) > 0 {
		t.Errorf("%v are others", d)
	}
	if err := engine.Build(t.Context(), engine.Request{Config: c, AcceptLoss: true}); err != nil {
		t.Error(err)
	}
	pipelinetest.Build(t, c)
}

// bookIn adds a book to a folder.
func bookIn(t *testing.T, folder, name string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), []byte("A book that is new says that the sea has no clerk.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}
