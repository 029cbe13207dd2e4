package infer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

func TestShippedModels(t *testing.T) {
	for _, s := range AllShipped {
		if got, ok := ShippedNamed(s.Name); !ok || got != s {
			t.Errorf("%s names %v", s.Name, got)
		}
	}
	if s, ok := ShippedNamed("models/best"); ok {
		t.Errorf("a path names %v", s)
	}
	fast, _ := ShippedNamed("fast")
	here, err := filepath.Abs("../models/quotability-features")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(ModelsVariable, "")
	if got, err := fast.Find(); err != nil || got != here { // above the working directory
		t.Errorf("%q, %v", got, err)
	}
	for _, s := range AllShipped {
		if m, err := ReadManifest(filepath.Join("..", "models", s.Folder)); err != nil || m.CPUms <= 0 || m.BySentences().Whole() {
			t.Errorf("%s does not say what it costs, or reads no sentences: %+v, %v", s.Name, m, err)
		}
	}

	// Elsewhere there is none, and the error says how to get it.
	elsewhere := t.TempDir()
	t.Chdir(elsewhere)
	best, _ := ShippedNamed("best")
	if got, err := best.Find(); err == nil || !strings.Contains(err.Error(), "quotability-encoder, which is not installed: run `git checkout models/quotability-encoder`, set "+ModelsVariable) || !strings.Contains(err.Error(), "take fast") {
		t.Errorf("%q, %v", got, err)
	}
	// A folder without a model.yaml is none.
	models := filepath.Join(elsewhere, "models")
	if err := os.MkdirAll(filepath.Join(models, best.Folder), 0o755); err != nil {
		t.Fatal(err)
	}
	if got, err := best.Find(); err == nil {
		t.Errorf("%q", got)
	}
	if err := os.WriteFile(filepath.Join(models, best.Folder, ManifestFile), []byte("name: x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := best.Find(); err != nil || got != filepath.Join(models, best.Folder) {
		t.Errorf("%q, %v", got, err)
	}
	// The variable comes first, and nothing behind it.
	t.Setenv(ModelsVariable, filepath.Dir(here))
	if got, err := fast.Find(); err != nil || got != here {
		t.Errorf("%q, %v", got, err)
	}
	t.Setenv(ModelsVariable, t.TempDir())
	if got, err := best.Find(); err == nil || !strings.Contains(err.Error(), ModelsVariable+" names, has no such folder") {
		t.Errorf("%q, %v", got, err)
	}
}

// The model named best tells a line that readers repeat from one that they do not, and adds
// the model named fast to what it says.
func TestTheBestModel(t *testing.T) {
	m := load(t, "../models/quotability-encoder")
	if m.Plus() == nil || m.Plus().Manifest().Name != "quotability-features" {
		t.Fatal("it adds no other model")
	}
	texts := []string{
		"He took the lamp from the table and went down to the door.",
		"There is no remedy for love but to love more.",
		"The coach was late, and they did not reach the town before nine.",
	}
	var passages []commonplace.Passage
	for i, text := range texts {
		passages = append(passages, commonplace.Passage{ID: commonplace.PassageID("d", int64(i)), DocID: "d", Index: int64(i), Text: text})
	}
	scores, err := m.Score(t.Context(), passages)
	if err != nil {
		t.Fatal(err)
	}
	if s := scores; s[1].Score < s[0].Score+1 || s[1].Score < s[2].Score+1 {
		t.Errorf("%v, %v and %v: the second is the line", s[0].Score, s[1].Score, s[2].Score)
	}
}
