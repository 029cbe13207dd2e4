package main

import (
	"os"
	"path/filepath"
	"testing"
)

// A folder that is named has contexts in other words where its recommendations were made with
// them, or else its choices.
func TestContextOfAFolder(t *testing.T) {
	for settings, want := range map[string]bool{
		`{}`: false,
		`{"negatives": {"negatives": ["near:1"], "seed": 1, "paraphrased": true}}`:        true,
		`{"recommend": {"context": {"paraphrased": true}}}`:                               true,
		`{"recommend": {"context": {"left": 2}}, "negatives": {"paraphrased": true}}`:     false,
		`{"recommend": {"context": {"left": 2}}, "negatives": {"negatives": ["bm25:1"]}}`: false,
	} {
		run := t.TempDir()
		if err := os.WriteFile(filepath.Join(run, "settings.json"), []byte(settings), 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := contextOf(t.Context(), []string{run}, run)
		if err != nil || got.Paraphrased != want || !got.Title {
			t.Errorf("%s: %+v, %v", settings, got, err)
		}
	}
}
