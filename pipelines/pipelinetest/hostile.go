package pipelinetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ModelThatReadsTooOften is a model of the tests whose tokenizer also splits by an expression
// that looks to the end of a word from each a in it.
func ModelThatReadsTooOften(t testing.TB, head string) (folder string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), head)
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(Path(t, "infer/testdata/models"), head))); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "tokenizer.json")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const was = `{"type":"BertPreTokenizer"}`
	const split = `{"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":"a[^~ ]*~|a"},"behavior":"Isolated"},` + was + `]}`
	text := strings.Replace(string(raw), was, split, 1)
	if text == string(raw) {
		t.Fatalf("%s has another pre_tokenizer", path)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

// ReadTooOften is a paragraph that [ModelThatReadsTooOften] does not read.
func ReadTooOften() string {
	return "It rained for a week, and nobody came. The word " + strings.Repeat("a", 12_000) + " is one that nobody says.\n\n"
}
