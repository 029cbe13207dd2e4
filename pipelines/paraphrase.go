package pipelines

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/chat"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// ParaphraseConfig names a language model behind an OpenAI-compatible endpoint.
type ParaphraseConfig struct {
	URL         string  `yaml:"url" json:"-" doc:"base of an OpenAI-compatible endpoint, such as http://localhost:11434/v1; no paraphrases when empty"`
	Model       string  `yaml:"model" json:"model" doc:"name of the model"`
	Prompt      string  `yaml:"prompt" json:"prompt" doc:"what it is asked; the context follows after a line break. The default is RA-MTR's"`
	KeyEnv      string  `yaml:"key_env" json:"-" doc:"environment variable with the key; none when empty"`
	Temperature float64 `yaml:"temperature" json:"temperature" doc:"of sampling"`
	MaxTokens   int     `yaml:"max_tokens" json:"max_tokens" doc:"longest answer"`
	PerMinute   float64 `yaml:"per_minute" json:"-" doc:"requests a minute at most; 0 is any number"`
	Tries       int     `yaml:"tries" json:"-" doc:"attempts for one context"`
	PromptPrice float64 `yaml:"prompt_price" json:"-" doc:"price of a million tokens of prompts, in any currency"`
	AnswerPrice float64 `yaml:"answer_price" json:"-" doc:"price of a million tokens of answers"`
	MaxCost     float64 `yaml:"max_cost" json:"-" doc:"a run stops before it can cost more; what was answered is kept, and the next run goes on. 0 is no cap"`
	Cache       string  `yaml:"cache" json:"-" doc:"folder of answers by the content of their questions, relative to the config file"`
}

func defaultParaphrase() ParaphraseConfig {
	return ParaphraseConfig{
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
		return c.refuse("label.paraphrase.url", p.URL, "an address such as http://localhost:11434/v1")
	case p.Model == "":
		return c.refuse("label.paraphrase.model", p.Model, "the name of a model")
	case p.MaxTokens < 1:
		return c.refuse("label.paraphrase.max_tokens", p.MaxTokens, "1 or more")
	case p.Tries < 1:
		return c.refuse("label.paraphrase.tries", p.Tries, "1 or more")
	case min(p.Temperature, p.PerMinute, p.PromptPrice, p.AnswerPrice, p.MaxCost) < 0:
		return c.refuse("label.paraphrase", "a number below 0", "numbers of 0 or more")
	case p.MaxCost > 0 && p.PromptPrice+p.AnswerPrice == 0:
		return c.refuse("label.paraphrase.max_cost", p.MaxCost, "with prompt_price and answer_price, or it caps nothing")
	case p.KeyEnv != "" && os.Getenv(p.KeyEnv) == "":
		return c.refuse("label.paraphrase.key_env", p.KeyEnv, "the name of an environment variable that is set")
	}
	return nil
}

// rewordStage asks a language model for the contexts of examples in other words.
var rewordStage = &stage{
	name: "reword", table: "paraphrases", revision: 1, command: "label",
	short:    "ask a language model for contexts in other words",
	unit:     "examples",
	wanted:   (*Config).paraphrased,
	settings: func(c *Config) any { return c.Label.Paraphrase },
	inputs:   sameShard("examples"),
	outside: func(c *Config) (outside, error) {
		return outside{extra: func(int, int) json.RawMessage { return storage.MustJSON(chatTask(c.Label.Paraphrase)) }}, nil
	},
	make: makeParaphrases,
}

// chatTask is where a task finds the model. It never holds a key.
type chatTask struct {
	URL, Model, Prompt, KeyEnv string
	Temperature                float64
	MaxTokens                  int
	PerMinute                  float64
	Tries                      int
	PromptPrice, AnswerPrice   float64
	MaxCost                    float64
	Cache                      string
}

// askers are one for each endpoint: its rate and its cap are over all tasks of
// this process.
var askers struct {
	sync.Mutex
	byTask map[chatTask]*chat.Client
}

func askerOf(t chatTask) *chat.Client {
	askers.Lock()
	defer askers.Unlock()
	if askers.byTask == nil {
		askers.byTask = map[chatTask]*chat.Client{}
	}
	c := askers.byTask[t]
	if c == nil {
		c = &chat.Client{
			Base: t.URL, Model: t.Model, Temperature: t.Temperature, MaxTokens: t.MaxTokens, PerMinute: t.PerMinute, Tries: uint(t.Tries),
			PromptPrice: t.PromptPrice, AnswerPrice: t.AnswerPrice, Cap: t.MaxCost, Cache: t.Cache,
		}
		if t.KeyEnv != "" {
			c.Key = os.Getenv(t.KeyEnv)
		}
		askers.byTask[t] = c
	}
	return c
}

func makeParaphrases(ctx context.Context, t Task) (table.TaskRecord, error) {
	var s chatTask
	if err := json.Unmarshal(t.Extra, &s); err != nil {
		return table.TaskRecord{}, err
	}
	client := askerOf(s)
	return output(ctx, t, table.Paraphrases, func(o *out[commonplace.Paraphrase]) error {
		var rows []commonplace.Paraphrase
		flush := func() error {
			slices.SortFunc(rows, func(a, b commonplace.Paraphrase) int { return cmp.Compare(a.ContextID, b.ContextID) })
			for _, r := range rows {
				if err := o.put(r); err != nil {
					return err
				}
			}
			rows = rows[:0]
			return nil
		}
		for e, err := range table.Examples.Rows(t.path("examples"), "context_id", "doc_id", "context", "split") {
			if err != nil {
				return err
			}
			if len(rows) > 0 && rows[0].DocID != e.DocID {
				if err := flush(); err != nil {
					return err
				}
			}
			o.in++
			if e.Context == "" {
				o.count("without_a_context", 1)
				o.taken++
				continue
			}
			text, err := client.Ask(ctx, s.Prompt+"\n"+e.Context)
			switch {
			case err != nil && !errors.Is(err, chat.ErrRefused):
				return err // another run goes on from the answers that are kept
			case err != nil:
				o.refuse(commonplace.Reject{ID: e.ID, Reason: "no paraphrase", Detail: strings.ToValidUTF8(err.Error(), "\uFFFD"), Location: e.DocID})
				continue
			}
			rows = append(rows, commonplace.Paraphrase{
				ContextID: e.ID, DocID: e.DocID, Context: e.Context, Target: strings.ToValidUTF8(text, "\uFFFD"),
				Overlap: label.Overlap(e.Context, text), Model: s.Model, Split: e.Split,
			})
			o.taken++
		}
		return flush()
	})
}
