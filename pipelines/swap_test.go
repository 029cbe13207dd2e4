package pipelines

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/table"
)

// A file that is replaced after the build looked at it leaves no rows of the other
// file under the fingerprint of the first: the build ends. With the first file back,
// the next build makes what an undisturbed one makes.
func TestSwappedInputs(t *testing.T) {
	countsOf := func(books string) []byte {
		t.Helper()
		path := filepath.Join(t.TempDir(), "counts")
		pipelinetest.Build(t, pipelinetest.Dataset(t, "gandhi", func(c *config.Config) {
			c.Sources[0].Files, c.Align.Counts = []string{pipelinetest.Path(t, books)}, path
		}))
		return fileOf(t, path)
	}
	reference := fileOf(t, pipelinetest.Path(t, "testdata/quotus/quotes.json"))
	for name, of := range map[string]struct {
		dataset      string
		key          func(*config.Config) *string
		first, other []byte
	}{
		"label.queries.given": {"quotus", func(c *config.Config) *string { return &c.Label.Queries.Given },
			reference, bytes.ReplaceAll(reference, []byte(`"PNums": "2"`), []byte(`"PNums": "1"`))},
		"align.counts": {"gandhi", func(c *config.Config) *string { return &c.Align.Counts },
			countsOf("testdata/gandhi/chapters"), countsOf("testdata/demo/books")},
	} {
		t.Run(name, func(t *testing.T) {
			if bytes.Equal(of.first, of.other) {
				t.Fatal("both are the same")
			}
			path := filepath.Join(t.TempDir(), "input")
			put := func(b []byte) {
				t.Helper()
				if err := os.WriteFile(path, b, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			put(of.first)
			c := pipelinetest.Dataset(t, of.dataset, func(c *config.Config) { *of.key(c) = path })
			pipelinetest.Build(t, c)
			c = pipelinetest.Into(c, filepath.Join(t.TempDir(), "swapped"))
			err := Build(t.Context(), engine.Request{Config: c, Begin: func(r engine.StageReport) func(engine.Progress) {
				if r.Stage == "segment" {
					put(of.other)
				}
				return nil
			}})
			if err == nil || !strings.Contains(err.Error(), path+": it has changed since it was listed; run again") {
				t.Errorf("%v", err)
			}
			put(of.first)
			pipelinetest.Build(t, c)
			pipelinetest.SameAsAFullBuild(t, c)
		})
	}
}

// A tokenizer that is replaced between two builds of one process is read again.
func TestReplacedTokenizer(t *testing.T) {
	first := fileOf(t, pipelinetest.Path(t, "infer/testdata/models/rank/tokenizer.json"))
	other := bytes.Replace(first, []byte(`"##e":119`), []byte(`"##E":119`), 1)
	if bytes.Equal(first, other) {
		t.Fatal("both are the same")
	}
	examples := func(path string, tokenizer []byte) []byte {
		t.Helper()
		if err := os.WriteFile(path, tokenizer, 0o644); err != nil {
			t.Fatal(err)
		}
		c := pipelinetest.Dataset(t, "gandhi", func(c *config.Config) { c.Shards, c.Label.Tokenizer = 1, path })
		pipelinetest.Build(t, c)
		return pipelinetest.Snapshot(t, c.Out)["examples/part-00000-of-00001.parquet"]
	}
	path := filepath.Join(t.TempDir(), "tokenizer.json")
	was, now := examples(path, first), examples(path, other)
	if bytes.Equal(was, now) || !bytes.Equal(now, examples(filepath.Join(t.TempDir(), "new.json"), other)) {
		t.Error("the examples are those of the tokenizer before")
	}
}

func fileOf(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The file that label.queries.given names is guarded as lists of quotes are.
func TestAReferenceThatVanishedChangesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "quotes.json")
	put := func(b []byte) {
		t.Helper()
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(fileOf(t, pipelinetest.Path(t, "testdata/quotus/quotes.json")))
	c := pipelinetest.Dataset(t, "quotus", func(c *config.Config) { c.Label.Queries.Given, c.Guard = path, config.Default().Guard })
	pipelinetest.Build(t, c)
	good := fileOf(t, table.CommitPath(c.Out, "agreements"))
	put([]byte("{}"))
	if err := Build(t.Context(), engine.Request{Config: c}); !errors.Is(err, engine.ErrLoss) || !strings.Contains(fmt.Sprint(err), "guard.quotes") {
		t.Errorf("%v", err)
	}
	if !bytes.Equal(good, fileOf(t, table.CommitPath(c.Out, "agreements"))) {
		t.Error("the table was changed")
	}
}
