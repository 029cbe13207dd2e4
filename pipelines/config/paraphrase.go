package config

import (
	"net/url"
	"os"
)

// Paraphrase names a language model behind an OpenAI-compatible endpoint.
type Paraphrase struct {
	URL         string  `yaml:"url" json:"-" doc:"base of an OpenAI-compatible endpoint, such as http://localhost:11434/v1; no paraphrases when empty"`
	Model       string  `yaml:"model" json:"model" doc:"name of the model"`
	Judge       string  `yaml:"judge" json:"judge,omitzero" doc:"name of a second model of the endpoint, which says what share of a paraphrase's statements the context supports (paraphrases.faithfulness); none when empty. per_minute and max_cost hold for each of the two models"`
	Prompt      string  `yaml:"prompt" json:"prompt" doc:"prompt; the context follows after a line break. The default is RA-MTR's"`
	KeyEnv      string  `yaml:"key_env" json:"-" doc:"environment variable with the key; none when empty"`
	Temperature float64 `yaml:"temperature" json:"temperature" doc:"sampling temperature"`
	MaxTokens   int     `yaml:"max_tokens" json:"max_tokens" doc:"longest answer, in tokens"`
	PerMinute   float64 `yaml:"per_minute" json:"-" doc:"most requests per minute; 0 is no limit"`
	Tries       int     `yaml:"tries" json:"-" doc:"attempts for one context"`
	PromptPrice float64 `yaml:"prompt_price" json:"-" doc:"price of a million tokens of prompts, in any currency"`
	AnswerPrice float64 `yaml:"answer_price" json:"-" doc:"price of a million tokens of answers"`
	MaxCost     float64 `yaml:"max_cost" json:"-" doc:"a run stops before it can cost more. Its answers are stored, and the next run continues. 0 is no limit"`
	Cache       string  `yaml:"cache" json:"-" doc:"folder of answers, each named by a hash of its question, relative to the config file"`
}

func defaultParaphrase() Paraphrase {
	return Paraphrase{
		Prompt:      "As a paraphrasing expert can you rephrase the following input text? Ensure the rephrased text incorporates a different range of vocabulary compared to the original text.",
		Temperature: 0, MaxTokens: 400, Tries: 5, Cache: "../out/answers",
	}
}

func (c *Config) checkParaphrase() error {
	p := c.Label.Paraphrase
	if p.URL == "" {
		return nil
	}
	u, err := url.Parse(p.URL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return c.Refuse("label.paraphrase.url", p.URL, "an address such as http://localhost:11434/v1")
	case p.Model == "":
		return c.Refuse("label.paraphrase.model", p.Model, "the name of a model")
	case p.MaxTokens < 1:
		return c.Refuse("label.paraphrase.max_tokens", p.MaxTokens, "1 or more")
	case p.Tries < 1:
		return c.Refuse("label.paraphrase.tries", p.Tries, "1 or more")
	case !(min(p.Temperature, p.PerMinute, p.PromptPrice, p.AnswerPrice, p.MaxCost) >= 0): // not a number, too: it caps nothing
		return c.Refuse("label.paraphrase", "a number below 0, or none", "numbers of 0 or more")
	case p.MaxCost > 0 && p.PromptPrice+p.AnswerPrice == 0:
		return c.Refuse("label.paraphrase.max_cost", p.MaxCost, "with prompt_price and answer_price, or it caps nothing")
	case p.KeyEnv != "" && os.Getenv(p.KeyEnv) == "":
		return c.Refuse("label.paraphrase.key_env", p.KeyEnv, "the name of an environment variable that is set")
	}
	return nil
}
