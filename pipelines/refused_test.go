package pipelines

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
)

// Of a text that label.tokenizer refuses, no dataset silently has the beginning.
func TestRefusedTextsOfDatasets(t *testing.T) {
	for _, dataset := range []string{config.DataTriples, config.DataCounts} {
		c := pipelinetest.Demo(t)
		c.Label.Datasets = []string{dataset}
		c.Label.Tokenizer = filepath.Join(pipelinetest.ModelThatReadsTooOften(t, "quotability"), "tokenizer.json")
		path := filepath.Join(pipelinetest.Copied(t, c), "weathers.txt")
		pipelinetest.Build(t, c)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		word := " " + strings.Repeat("a", 12_000) + "\n\n"
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(text), "\n\n", word)), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := engine.Build(t.Context(), engine.Request{Config: c}); err == nil || !strings.Contains(err.Error(), "label.tokenizer") {
			t.Errorf("%s: %v", dataset, err)
		}
	}
}
