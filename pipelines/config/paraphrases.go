package config

import (
	"fmt"

	"github.com/commonplace/commonplace/segment"
)

// Paraphrases says how sentences are found that say in other words what a source says.
type Paraphrases struct {
	Model       string  `yaml:"model" json:"-" doc:"model folder with the head embed, relative to the config file (docs/models.md). Left out: no such search"`
	By          string  `yaml:"by" json:"by" doc:"what is compared: a segmenter, as segment.by has them"`
	MinWords    int     `yaml:"min_words" json:"min_words" doc:"fewest words of a sentence that is compared"`
	MinScore    float64 `yaml:"min_score" json:"-" doc:"lowest similarity plus margin of a match (docs/alignment.md says how it was chosen for MiniLM; another model needs another)"`
	PerSentence int     `yaml:"per_sentence" json:"-" doc:"matches kept of each sentence, one a source, best first; 0 keeps all"`
}

func defaultParaphrases() Paraphrases {
	return Paraphrases{By: "sentences", MinWords: 8, MinScore: 1.05, PerSentence: 3}
}

// Asked says whether paraphrases are looked for.
func (p Paraphrases) Asked() bool { return p.Model != "" }

func (c *Config) checkParaphrases() error {
	p := c.Paraphrases
	if _, err := segment.Parse(p.By); err != nil {
		return fmt.Errorf("%w: %s: paraphrases.by is %q: %w", ErrInvalid, c.Where("paraphrases.by"), p.By, err)
	}
	switch {
	case p.MinWords < 1:
		return c.Refuse("paraphrases.min_words", p.MinWords, "1 or more")
	case !(p.MinScore >= -1 && p.MinScore <= 3):
		return c.Refuse("paraphrases.min_score", p.MinScore, "-1 to 3: similarity plus margin")
	case p.PerSentence < 0:
		return c.Refuse("paraphrases.per_sentence", p.PerSentence, "0 (all) or more")
	}
	return nil
}
