package config

import (
	"fmt"
	"math"
	"slices"
)

// Recommend says how the passages of a document are ranked for a context.
type Recommend struct {
	Retrieve string      `yaml:"retrieve" json:"-" doc:"how candidates are chosen among a document's passages: bm25, a model folder with the head embed, or empty for all passages"`
	Top      int         `yaml:"top" json:"top" doc:"candidates that are retrieved for a context"`
	Models   []RankModel `yaml:"models" json:"models" doc:"models that rank the candidates; without models, the retriever ranks them"`
	Fuse     string      `yaml:"fuse" json:"fuse" doc:"how the models are combined: product (of p^weight) or mixture (sum of weight * p), where p is a softmax over one context's candidates"`
	Keep     int         `yaml:"keep" json:"keep" doc:"passages kept for a context, best first; 0 keeps all candidates"`
}

// RankModel is one ranker.
type RankModel struct {
	Model  string  `yaml:"model" json:"-" doc:"model folder with a head that scores pairs or proposes spans (docs/model-format.md)"`
	Weight float64 `yaml:"weight" json:"weight" doc:"its weight in the combined score; with 0 its score is only in the column parts"`
}

// fusions are the ways to join what several models say.
var fusions = []string{"mixture", "product"}

func defaultRankModel() RankModel { return RankModel{Weight: 1} }

// UnmarshalYAML fills in what an entry of models leaves out.
func (m *RankModel) UnmarshalYAML(decode func(any) error) error {
	type plain RankModel
	p := plain(defaultRankModel())
	if err := decode(&p); err != nil {
		return err
	}
	*m = RankModel(p)
	return nil
}

func defaultRecommend() Recommend {
	return Recommend{Top: 20, Fuse: "product"}
}

// Asked says whether there is anything to recommend by.
func (r Recommend) Asked() bool { return r.Retrieve != "" || len(r.Models) > 0 }

func (r Recommend) Weights() []float64 {
	var weights []float64
	for _, m := range r.Models {
		weights = append(weights, m.Weight)
	}
	return weights
}

// paths are its fields that hold paths.
func (r *Recommend) paths() []*string {
	var paths []*string
	if r.Retrieve != "" && r.Retrieve != RetrieveBM25 && r.Retrieve != RetrieveAll {
		paths = append(paths, &r.Retrieve)
	}
	for i := range r.Models {
		paths = append(paths, &r.Models[i].Model)
	}
	return paths
}

func (c *Config) checkRecommend() error {
	r := c.Recommend
	switch {
	case r.Top < 1:
		return c.Refuse("recommend.top", r.Top, "1 or more")
	case r.Keep < 0:
		return c.Refuse("recommend.keep", r.Keep, "0 (all) or more")
	}
	for i, m := range r.Models {
		key := fmt.Sprintf("recommend.models[%d].", i)
		if m.Model == "" {
			return c.Refuse(key+"model", "nothing", "a model folder")
		}
		if !(m.Weight >= 0) || math.IsInf(m.Weight, 1) {
			return c.Refuse(key+"weight", m.Weight, "0 or more")
		}
	}
	if len(r.Models) > 0 && slices.Max(r.Weights()) == 0 {
		return c.Refuse("recommend.models[0].weight", 0, "more than 0 for one of the models at least")
	}
	return c.oneOf("recommend.fuse", r.Fuse, fusions)
}
