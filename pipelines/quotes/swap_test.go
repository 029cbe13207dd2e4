package quotes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
)

func init() { engine.Register(Quotes{}) }

// TestSwappedQuotes fails a list of quotations that changes under its reader.
func TestSwappedQuotes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "quotes.jsonl")
	c := &config.Config{Out: filepath.Join(t.TempDir(), "out"), Shards: 1, Quotes: []config.QuoteList{{Name: "list", Path: path}}}
	if err := os.WriteFile(path, []byte(`{"id":"1","text":"one"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	listed, err := listQuotes(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	task := engine.Task{Stage: "quotes", Table: "quotes", Out: c.Out, Of: 1, Settings: config.Canonical(listSettings(c)), Extra: listed.Extra(0, 1)}
	if err := os.WriteFile(path, []byte(`{"id":"1","text":"two"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := (Quotes{}).Make(t.Context(), task); err == nil || !strings.Contains(err.Error(), "has changed since it was listed") {
		t.Errorf("%v", err)
	}
}

// A file of spans that is swapped between its listing and its reading is not taken
// for the one that was listed.
func TestSpansAreThoseThatWereListed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "spans.jsonl")
	if err := os.WriteFile(path, []byte(`{"document":"a","begin":0,"end":1}`), 0o644); err != nil {
		t.Fatal(err)
	}
	listed, err := listSpans(t.Context(), &config.Config{Spans: []config.SpanFile{{Name: "site", Path: path}}})
	if err != nil {
		t.Fatal(err)
	}
	task := engine.Task{Stage: "spans", Of: 1, Settings: config.Canonical(map[string]config.SpanFile{}), Extra: listed.Extra(0, 1)}
	if err := os.WriteFile(path, []byte(`{"document":"a","begin":0,"end":2}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if all, err := readGiven(t.Context(), task); err == nil || !strings.Contains(err.Error(), "has changed since it was listed") {
		t.Errorf("%v, %v", all, err)
	}
}
