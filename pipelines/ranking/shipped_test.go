package ranking

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
)

// best and fast are the shipped models, unless a folder of that name is beside the
// config.
func TestShippedModelsInConfigs(t *testing.T) {
	models, dir := t.TempDir(), t.TempDir()
	t.Setenv(infer.ModelsVariable, models)
	if err := os.CopyFS(filepath.Join(models, "quotability-features"), os.DirFS("../../models/quotability-features")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("A text."), 0o644); err != nil {
		t.Fatal(err)
	}
	load := func(model string) *config.Config {
		t.Helper()
		path := filepath.Join(dir, "run.yaml")
		text := "out: out\nsources:\n  - name: a\n    files: ['*.txt']\n    rights: public domain\nsegment:\n  by: words:100\nscore:\n  model: " + model + "\n"
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		c, err := config.Load(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	fast := load("fast")
	if want := filepath.Join(models, "quotability-features"); fast.Score.Model != want {
		t.Errorf("fast is %s, want %s", fast.Score.Model, want)
	}
	// 1 ms for 200 words is 0.5 for 100.
	lines, err := engine.Plan(t.Context(), engine.Request{Config: fast})
	if plan := strings.Join(lines, "\n"); err != nil || !strings.Contains(plan, "quotability-features takes 0.5 ms of a CPU for a passage") {
		t.Errorf("%s, %v", plan, err)
	}
	if got, want := costOfScores(t.Context(), fast, 1_000_000), "at most 8m20s of a CPU: 1000000 passages, quotability-features takes 0.5 ms of a CPU for a passage"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	// A config can be read, and other stages run, without the model.
	best := load("best")
	if _, err := checkModel(t.Context(), best); !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), "score.model: best is the model quotability-encoder") {
		t.Error(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "best"), 0o755); err != nil {
		t.Fatal(err)
	}
	for model, want := range map[string]string{"best": "best", "./fast": "fast", "models/fast": "models/fast", "slow": "slow"} {
		c := load(model)
		if want := filepath.Join(dir, want); c.Score.Model != want || c.NoModel() != nil {
			t.Errorf("%s is %s, want %s", model, c.Score.Model, want)
		}
		if _, err := checkModel(t.Context(), c); !errors.Is(err, config.ErrInvalid) {
			t.Errorf("%s: %v", model, err)
		}
	}
}
