package infer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	if m, err := ReadManifest(here); err != nil || m.CPUms <= 0 {
		t.Errorf("the default does not say what it costs: %v, %v", m.CPUms, err)
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
