package config

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/segment"
)

// Recommend says how candidates are ranked for the contexts of a dataset: the passages of
// the document for triples and queries, all runs of as many sentences of the work for
// windows, the list of quotations for replies.
type Recommend struct {
	Retrieve   string      `yaml:"retrieve" json:"-" doc:"how candidates are chosen: bm25, tfidf, a model folder with the head embed, or empty for all"`
	Candidates string      `yaml:"candidates" json:"-" doc:"with a model in retrieve: the model folder with the head embed that reads the candidates, where they have an encoder of their own"`
	Segment    string      `yaml:"segment" json:"segment,omitzero" doc:"triples: RA-MTR's chunks:1200/100 of the document as candidates, in place of its passages. The passages, with a blank line between them, are cut again, so it is meant for segment.by: paragraphs. Models are trained on passages all the same"`
	BM25       BM25        `yaml:"bm25" json:"bm25" doc:"constants of retrieve: bm25"`
	Top        int         `yaml:"top" json:"top" doc:"candidates that are retrieved for a context; 0: all, in the retriever's order"`
	Weight     float64     `yaml:"weight" json:"weight,omitzero" doc:"with models: the weight of the retriever's own score in the combined score, after a softmax like theirs; with 0 it only chooses candidates"`
	Models     []RankModel `yaml:"models" json:"models" doc:"models that rank the candidates; without models, the retriever ranks them"`
	Fuse       string      `yaml:"fuse" json:"fuse" doc:"how the models are combined: product (of p^weight) or mixture (sum of weight * p), where p is a softmax over one context's candidates"`
	Rerank     int         `yaml:"rerank" json:"rerank,omitzero" doc:"with mixture: only as many candidates as this, the best by the first model, are read by the other models, whose softmax is over these; the others follow in the first model's order. A candidate that any of the models cannot read is a reject. When and what to quote has 30; 0: all are read by all"`
	When       string      `yaml:"when" json:"-" doc:"replies: model folder with the head seq2seq that says how likely a quotation follows, for the table quote_predictions"`
	Keep       int         `yaml:"keep" json:"keep" doc:"candidates kept for a context, best first, and the right ones wherever they are; 0 keeps all"`
	Context    Context     `yaml:"context" json:"context" doc:"how much of a context is read"`
}

// BM25 are the constants of the formula.
type BM25 struct {
	K1 float64 `yaml:"k1" json:"k1" doc:"how soon a word that is repeated counts no more; RELiC has .5"`
	B  float64 `yaml:"b" json:"b" doc:"how much long candidates are held back, 0 to 1; RELiC has .9"`
}

// Context says how much of a context is read.
type Context struct {
	Words int  `yaml:"words" json:"words" doc:"the last words of what stands before the quote; 0: all that the dataset has"`
	Left  int  `yaml:"left" json:"left" doc:"windows: sentences before the quotation; -1: all that the dataset has"`
	Right int  `yaml:"right" json:"right" doc:"windows: sentences after it"`
	Title bool `yaml:"title" json:"title" doc:"queries: the article's title before the context"`
	// Table 6 of RA-MTR judges models that were trained with contexts, so export keeps them.
	None bool `yaml:"none" json:"none,omitzero" doc:"recommend.models read the candidate beside an empty context: RA-MTR's ablation. Retrieval, recommend.when, the baselines and the rows of export --for keep the context"`
	// Without it a context is words of the very passage that is to be found.
	Paraphrased bool `yaml:"paraphrased" json:"paraphrased,omitzero" doc:"triples: the context in other words, of the table paraphrases (label.paraphrase), as RA-MTR reads it; a context without a paraphrase is left out. Also in evaluate, tune, the table choices, and export --for and --format squad"`
}

// RankModel is one ranker.
type RankModel struct {
	Model  string  `yaml:"model" json:"-" doc:"model folder with a head that scores pairs or proposes spans (docs/model-format.md)"`
	Weight float64 `yaml:"weight" json:"weight" doc:"its weight in the combined score; with 0 its score is only in the column parts"`
}

// fusions are the ways to join what several models say.
var fusions = []string{mixture, "product"}

const mixture = "mixture"

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

// DefaultBM25 are the constants of a config that names none.
func DefaultBM25() BM25 { return BM25{K1: label.BM25K1, B: label.BM25B} }

// DefaultContext is all that a dataset has.
func DefaultContext() Context { return Context{Left: -1, Right: -1, Title: true} }

func defaultRecommend() Recommend {
	return Recommend{Top: 20, Fuse: "product", BM25: DefaultBM25(), Context: DefaultContext()}
}

// Asked says whether there is anything to recommend by.
func (r Recommend) Asked() bool { return r.Retrieve != "" || len(r.Models) > 0 }

// RetrievesByModel says that vectors choose the candidates.
func (r Recommend) RetrievesByModel() bool {
	return !slices.Contains([]string{"", RetrieveAll, RetrieveBM25, RetrieveTFIDF}, r.Retrieve)
}

// Weights are those of the models, then that of the retriever where it has one.
func (r Recommend) Weights() []float64 {
	var weights []float64
	for _, m := range r.Models {
		weights = append(weights, m.Weight)
	}
	if r.Weight > 0 {
		weights = append(weights, r.Weight)
	}
	return weights
}

// paths are its fields that hold paths.
func (r *Recommend) paths() []*string {
	var paths []*string
	if r.RetrievesByModel() {
		paths = append(paths, &r.Retrieve)
	}
	paths = append(paths, &r.Candidates, &r.When)
	for i := range r.Models {
		paths = append(paths, &r.Models[i].Model)
	}
	return paths
}

// checkChunks takes chunks alone: other segmenters leave out words, such as the numbers of
// verses, so that no piece might hold a quotation.
func (c *Config) checkChunks() error {
	of := c.Recommend.Segment
	if of == "" {
		return nil
	}
	by, err := segment.Parse(of)
	passages, _ := segment.Parse(c.Segment.By) // its own check says what is wrong
	switch {
	case err != nil || !strings.HasPrefix(by.By, chunks):
		return c.Refuse("recommend.segment", of, "chunks of so many characters that share so many, such as chunks:1200/100")
	case by.By != of: // it stands in ids
		return c.Refuse("recommend.segment", of, by.By)
	case strings.HasPrefix(passages.By, chunks):
		return c.Refuse("recommend.segment", of, "left out with segment.by: chunks, whose passages overlap")
	case !Makes(DataTriples)(c):
		return c.Refuse("recommend.segment", of, "left out: label.datasets does not name triples")
	}
	return nil
}

// chunks begins the name of the segmenter of chunks.
const chunks = "chunks:"

func (c *Config) checkRecommend() error {
	r := c.Recommend
	if err := c.checkChunks(); err != nil {
		return err
	}
	switch {
	case r.Context.None && len(r.Models) == 0:
		return c.Refuse("recommend.context.none", true, "false without recommend.models: a retriever needs the context")
	case r.Context.Paraphrased && !c.Paraphrased():
		return c.Refuse("recommend.context.paraphrased", true, "false where no paraphrases are made: name a language model in label.paraphrase.url, and triples in label.datasets")
	case r.Context.Paraphrased && r.Context.Words > 0:
		return c.Refuse("recommend.context.words", r.Context.Words, "0 with paraphrased: a paraphrase does not say which of its words stand before the quote")
	case r.Top < 0:
		return c.Refuse("recommend.top", r.Top, "0 (all) or more")
	case r.Candidates != "" && !r.RetrievesByModel():
		return c.Refuse("recommend.candidates", r.Candidates, "left out: recommend.retrieve names no model of contexts")
	case r.When != "" && !Makes(DataReplies)(c):
		return c.Refuse("recommend.when", r.When, "left out: label.datasets does not name replies")
	case !(r.BM25.K1 >= 0) || math.IsInf(r.BM25.K1, 1):
		return c.Refuse("recommend.bm25.k1", r.BM25.K1, "0 or more")
	case !(r.BM25.B >= 0 && r.BM25.B <= 1):
		return c.Refuse("recommend.bm25.b", r.BM25.B, "0 to 1")
	case r.Context.Words < 0:
		return c.Refuse("recommend.context.words", r.Context.Words, "0 (all) or more")
	case r.Context.Left < -1:
		return c.Refuse("recommend.context.left", r.Context.Left, "-1 (all) or more")
	case r.Context.Right < -1:
		return c.Refuse("recommend.context.right", r.Context.Right, "-1 (all) or more")
	case !(r.Weight >= 0) || math.IsInf(r.Weight, 1):
		return c.Refuse("recommend.weight", r.Weight, "0 or more")
	case r.Weight > 0 && (len(r.Models) == 0 || r.Retrieve == "" || r.Retrieve == RetrieveAll):
		return c.Refuse("recommend.weight", r.Weight, "left out: it is of a retriever's score beside that of models, and recommend.retrieve or recommend.models names none")
	case r.Rerank < 0:
		return c.Refuse("recommend.rerank", r.Rerank, "0 (all) or more")
	case r.Rerank > 0 && (r.Fuse != mixture || len(r.Models) < 2 || r.Models[0].Weight == 0 || r.Weight > 0):
		return c.Refuse("recommend.rerank", r.Rerank, "left out: it needs fuse: mixture, two models or more, a weight of the first above 0, and no recommend.weight")
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
