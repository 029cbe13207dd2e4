// Package pipelinetest holds what tests of several packages share: small configs,
// builds of them, and comparisons of what they leave. Only tests import it. A build
// runs the stages that the test's own package registers.
package pipelinetest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/pipelines/config"
)

// AnyLoss is a guard for tests of other things, which change their sources as they like.
var AnyLoss = config.Guard{Documents: 1, Quotes: 1, Spans: 1, Counts: 1, Conversations: 1, Passages: 1, Alignments: 1, Unreadable: 1}

// Path is the path of a file of the checkout, from the folder of the test.
func Path(t testing.TB, name string) string {
	t.Helper()
	for dir := "."; len(dir) < 64; dir = filepath.Join("..", dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, name)
		}
	}
	t.Fatal("the test does not run in a checkout")
	return ""
}

// load reads a config of the checkout. It skips the test without ONNX Runtime.
func load(t testing.TB, name string) *config.Config {
	t.Helper()
	if _, err := infer.Library(); err != nil {
		t.Skip(err)
	}
	path := Path(t, "configs/"+name+".yaml")
	if _, err := os.Stat(path); err != nil { // what only we have the data for
		path = Path(t, "bench/configs/"+name+".yaml")
	}
	c, err := config.Load(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Demo is the demonstration's config with its tables in a folder of the test.
func Demo(t testing.TB) *config.Config {
	t.Helper()
	c := load(t, "demo")
	c.Out = filepath.Join(t.TempDir(), "tables")
	c.Shards = 3 // few, since every one costs a dozen syncs
	c.Guard = AnyLoss
	return c
}

// Copied gives the config the demonstration's books in a folder that the test may change.
func Copied(t testing.TB, c *config.Config) (books string) {
	t.Helper()
	books = t.TempDir()
	if err := os.CopyFS(books, os.DirFS(Path(t, "testdata/demo/books"))); err != nil {
		t.Fatal(err)
	}
	c.Sources[0].Files = []string{books}
	return books
}

// Grown is the demonstration with counts that are kept, of which the first build
// has all books but weathers.txt; more adds that one.
func Grown(t testing.TB) (c *config.Config, more func()) {
	t.Helper()
	c = Demo(t)
	c.Shards = 7
	c.Align.Counts = filepath.Join(t.TempDir(), "counts")
	late := filepath.Join(Copied(t, c), "weathers.txt")
	text, err := os.ReadFile(late)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(late); err != nil {
		t.Fatal(err)
	}
	return c, func() {
		if err := os.WriteFile(late, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// smallInputs stand for what configs fetch, or read of data that the checkout lacks.
var smallInputs = map[string]func(testing.TB, *config.Config){
	"shakespeare": func(t testing.TB, c *config.Config) {
		readFiles(&c.Sources[0], Path(t, "testdata/plays/*.txt"))
		readFiles(&c.Sources[1], Path(t, "testdata/plays/letters"))
	},
	"great-books": func(t testing.TB, c *config.Config) {
		readFiles(&c.Sources[0], Path(t, "testdata/demo/books"), Path(t, "testdata/demo/essays"))
	},
	"kjv-newspapers": func(t testing.TB, c *config.Config) {
		c.Sources[0].Files, c.Count.File = []string{Path(t, "testdata/verses/verses.csv")}, Path(t, "testdata/verses/verses.csv")
	},
	"quoter-gutenberg": func(t testing.TB, c *config.Config) {
		readFiles(&c.Sources[0], Path(t, "testdata/demo/books"))
		c.Quotes = c.Quotes[:1]
		c.Quotes[0].Gutenberg, c.Quotes[0].Path = 0, Path(t, "testdata/demo/quotes.jsonl")
	},
}

// readFiles makes a fetched source one of files.
func readFiles(s *config.Source, files ...string) {
	s.Kind, s.Gutenberg, s.Fetch, s.Files = config.KindFiles, config.Gutenberg{}, config.Fetch{}, files
}

// Dataset is a config of the checkout over small inputs of our own, with a folder
// for its tables.
func Dataset(t testing.TB, name string, change func(*config.Config)) *config.Config {
	t.Helper()
	c := load(t, name)
	c.Out, c.Shards, c.Runner.Name, c.Guard = filepath.Join(t.TempDir(), name), 2, config.GoroutineRunner, AnyLoss
	if small := smallInputs[name]; small != nil {
		small(t, c)
	}
	if change != nil {
		change(c)
	}
	return c
}

// Into is the config with another folder for the tables.
func Into(c *config.Config, out string) *config.Config {
	other := *c
	other.Out = out
	return &other
}
