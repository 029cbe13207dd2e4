package datasets

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/chat"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Paraphrase asks a language model for the contexts of examples in other words.
type Paraphrase struct{}

func (Paraphrase) Identity() engine.Identity {
	return engine.Identity{
		Name: "paraphrase", Formerly: "reword", Table: "paraphrases", Revision: 2, Group: "label",
		Keys:  map[string]string{"": "label.paraphrase"},
		Short: "paraphrase contexts with a language model",
		Unit:  "examples",
	}
}

func (Paraphrase) Enabled(c *config.Config) bool { return c.Paraphrased() }

func (Paraphrase) Settings(c *config.Config) any { return c.Label.Paraphrase }

func (Paraphrase) External(ctx context.Context, p *engine.Planner) (engine.External, error) {
	return engine.External{Extra: func(int, int) json.RawMessage { return storage.MustJSON(chatTask(p.Config.Label.Paraphrase)) }}, nil
}

func (Paraphrase) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{Inputs: engine.SameShard("examples")}, nil
}

// chatTask is where a task finds the model. It never holds a key.
type chatTask struct {
	URL, Model, Judge, Prompt, KeyEnv string
	Temperature                       float64
	MaxTokens                         int
	PerMinute                         float64
	Tries                             int
	PromptPrice, AnswerPrice          float64
	MaxCost                           float64
	Cache                             string
}

// askers are one for each endpoint: its rate and its cap are over all tasks of a worker.
var askers worker.Var[struct {
	sync.Mutex
	byTask map[chatTask]*chat.Client
}]

func askerOf(ctx context.Context, t chatTask) *chat.Client {
	all := askers.Of(ctx)
	all.Lock()
	defer all.Unlock()
	if c := all.byTask[t]; c != nil {
		return c
	}
	c := &chat.Client{
		Base: t.URL, Model: t.Model, Temperature: t.Temperature, MaxTokens: t.MaxTokens, PerMinute: t.PerMinute, Tries: uint(t.Tries),
		PromptPrice: t.PromptPrice, AnswerPrice: t.AnswerPrice, Cap: t.MaxCost, Cache: t.Cache,
	}
	if t.KeyEnv != "" {
		c.Key = os.Getenv(t.KeyEnv)
	}
	if all.byTask == nil {
		all.byTask = map[chatTask]*chat.Client{}
	}
	all.byTask[t] = c
	return c
}

func (Paraphrase) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var s chatTask
	if err := json.Unmarshal(t.Extra, &s); err != nil {
		return table.TaskRecord{}, err
	}
	client := askerOf(ctx, s)
	return engine.WriteShard(ctx, t, table.Paraphrases, func(o *engine.Output[commonplace.Paraphrase]) error {
		var rows []commonplace.Paraphrase
		flush := func() error {
			slices.SortFunc(rows, func(a, b commonplace.Paraphrase) int { return cmp.Compare(a.ContextID, b.ContextID) })
			for _, r := range rows {
				if err := o.Put(r); err != nil {
					return err
				}
			}
			rows = rows[:0]
			return nil
		}
		for e, err := range table.Examples.Rows(ctx, t.Path("examples"), "context_id", "doc_id", "context", "split") {
			if err != nil {
				return err
			}
			if len(rows) > 0 && rows[0].DocID != e.DocID {
				if err := flush(); err != nil {
					return err
				}
			}
			o.In++
			if e.Context == "" {
				o.Count("without_a_context", 1)
				o.Taken++
				continue
			}
			text, err := client.Ask(ctx, s.Prompt+"\n"+e.Context)
			switch {
			case err != nil && !errors.Is(err, chat.ErrRefused):
				return err // another run goes on from the answers that are kept
			case err != nil:
				o.Reject(commonplace.Reject{ID: e.ID, Reason: "no paraphrase", Detail: strings.ToValidUTF8(err.Error(), "\uFFFD"), Location: e.DocID})
				continue
			}
			row := commonplace.Paraphrase{
				ContextID: e.ID, DocID: e.DocID, Context: e.Context, Target: strings.ToValidUTF8(text, "\uFFFD"),
				Overlap: label.Overlap(e.Context, text), Model: s.Model, Split: e.Split,
			}
			if s.Judge != "" {
				if row.Faithfulness, err = s.judge(ctx, row); err != nil {
					return err
				}
				if row.Faithfulness == nil {
					o.Count("not_judged", 1)
				}
			}
			rows = append(rows, row)
			o.Taken++
		}
		return flush()
	})
}

// judge asks how faithful a paraphrase is; nil: the answer says nothing.
func (t chatTask) judge(ctx context.Context, p commonplace.Paraphrase) (*float64, error) {
	t.Model = t.Judge
	answer, err := askerOf(ctx, t).Ask(ctx, label.FaithfulnessQuestion(p.Context, p.Target))
	switch {
	case errors.Is(err, chat.ErrRefused):
		return nil, nil
	case err != nil:
		return nil, err
	}
	if share, said := label.Faithfulness(answer); said {
		return &share, nil
	}
	return nil, nil
}
