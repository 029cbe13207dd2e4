package config

import (
	"slices"

	"github.com/commonplace/commonplace/label"
)

// Evaluate says what the table evaluations holds.
type Evaluate struct {
	Splits     []string `yaml:"splits" json:"splits" doc:"splits of the contexts that are judged: train, validation, test; [test] where evaluate leaves it out. Rankings are judged over all documents"`
	Baselines  []string `yaml:"baselines" json:"baselines" doc:"what else ranks the candidates: bm25, tfidf, first (in the order of the document), majority (replies: the quotations of the training split, the most used first), random. Where evaluate leaves it out: all"`
	Confidence float64  `yaml:"confidence" json:"confidence" doc:"of the intervals; .95 where evaluate leaves it out"`
	Resamples  int      `yaml:"resamples" json:"resamples" doc:"of bootstrap and permutation test; 2000 where evaluate leaves it out"`
	Seed       uint64   `yaml:"seed" json:"seed" doc:"of the resamples"`
}

// The baselines of evaluate.baselines beside the retrievers.
const (
	BaselineFirst    = "first"
	BaselineMajority = "majority"
	BaselineRandom   = "random"
)

var baselines = []string{RetrieveBM25, RetrieveTFIDF, BaselineFirst, BaselineMajority, BaselineRandom}

// UnmarshalYAML fills in what a config that has the key leaves out.
func (e *Evaluate) UnmarshalYAML(decode func(any) error) error {
	type plain Evaluate
	p := plain{Splits: []string{label.Test}, Baselines: slices.Clone(baselines), Confidence: 0.95, Resamples: 2000, Seed: 1}
	if err := decode(&p); err != nil {
		return err
	}
	*e = Evaluate(p)
	return nil
}

// Asked says that a config has the key.
func (e Evaluate) Asked() bool { return e.Resamples > 0 }

func (c *Config) checkEvaluate() error {
	if err := c.someOf("evaluate.splits", c.Evaluate.Splits, []string{label.Train, label.Validation, label.Test}); err != nil {
		return err
	}
	return c.someOf("evaluate.baselines", c.Evaluate.Baselines, baselines)
}
