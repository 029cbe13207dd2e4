package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A weight that is left out is 1, one of 0 is 0.
func TestWeightsOfRankers(t *testing.T) {
	load := func(models string) (*Config, error) {
		path := filepath.Join(t.TempDir(), "c.yaml")
		text := "out: x\nsources: [{name: a, files: [a]}]\nrecommend:\n  models: " + models + "\n"
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return Load(t.Context(), path)
	}
	c, err := load("[{model: a}, {model: b, weight: 0}, {model: c, weight: 2.5}]")
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Recommend.Weights(); !slices.Equal(got, []float64{1, 0, 2.5}) {
		t.Errorf("weights %v", got)
	}
	if c.Recommend.Weight = 3; !slices.Equal(c.Recommend.Weights(), []float64{1, 0, 2.5, 3}) {
		t.Errorf("weights %v, the last of the retriever", c.Recommend.Weights())
	}
	for models, want := range map[string]string{
		"[{model: a}]\n  when: b": "must be left out: label.datasets does not name replies",
		"[{model: a}]\n  segment: chunks:9/2\nlabel: {datasets: [counts]}":                      "must be left out: label.datasets does not name triples",
		"[{model: a}]\n  segment: chunks:9":                                                     "must be chunks:9/0",
		"[{model: a}]\n  segment: verse-lines":                                                  "must be chunks of so many characters",
		"[{model: a}]\n  segment: cheese":                                                       "must be chunks of so many characters",
		"[{model: a}]\n  segment: chunks:9/2\nsegment: {by: \" chunks:8/3\"}":                   "must be left out with segment.by: chunks",
		"[{model: a}]\n  weight: 2":                                                             "recommend.weight is 2, must be left out",
		"[]\n  retrieve: bm25\n  weight: 2":                                                     "recommend.weight is 2, must be left out",
		"[{model: a}]\n  weight: -1":                                                            "recommend.weight is -1, must be 0 or more",
		"[{model: a}, {model: b}]\n  rerank: 30":                                                "recommend.rerank is 30, must be left out",
		"[{model: a}]\n  fuse: mixture\n  rerank: 30":                                           "recommend.rerank is 30, must be left out",
		"[{model: a, weight: 0}, {model: b}]\n  fuse: mixture\n  rerank: 30":                    "recommend.rerank is 30, must be left out",
		"[{model: a}, {model: b}]\n  fuse: mixture\n  rerank: 3\n  retrieve: bm25\n  weight: 1": "recommend.rerank is 3, must be left out",
		"[{model: a}, {model: b}]\n  fuse: mixture\n  rerank: -1":                               "recommend.rerank is -1, must be 0 (all) or more",
		"[{model: a, weight: 0}]":                                                               "c.yaml:4: recommend.models[0].weight is 0, must be more than 0 for one of the models at least",
		"[{model: a}, {model: b, weight: -1}]":                                                  "recommend.models[1].weight is -1, must be 0 or more",
		"[{model: a}, {model: b, weight: .inf}]":                                                "recommend.models[1].weight is +Inf, must be 0 or more",
		"[{model: a}, {model: b, wait: 2}]":                                                     `unknown key "wait"; the nearest right one is "weight"`,
		"[{model: a}, {model: b, weight: plenty}]":                                              "recommend.models[1].weight is plenty",
	} {
		if _, err := load(models); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", models, err, want)
		}
	}
}
