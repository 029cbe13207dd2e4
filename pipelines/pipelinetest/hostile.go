package pipelinetest

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
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
	ReadsTooOften(t, folder)
	return folder
}

// ReadsTooOften makes the tokenizer of a model's folder such a one.
func ReadsTooOften(t testing.TB, folder string) {
	t.Helper()
	path := filepath.Join(folder, "tokenizer.json")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const split = `"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":"a[^~ ]*~|a"},"behavior":"Isolated"},$1]}`
	text := regexp.MustCompile(`"pre_tokenizer":(\{[^}]*\})`).ReplaceAll(raw, []byte(split))
	if bytes.Equal(text, raw) {
		t.Fatalf("%s has another pre_tokenizer", path)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// ReadTooOften is a paragraph that [ModelThatReadsTooOften] does not read.
func ReadTooOften() string {
	return "It rained for a week, and nobody came. The word " + strings.Repeat("a", 12_000) + " is one that nobody says.\n\n"
}
