package ranking

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// WhenToQuote says of each reply how likely it is a quotation.
type WhenToQuote struct{}

func (WhenToQuote) Identity() engine.Identity {
	return engine.Identity{
		Name: "when_to_quote", Table: "quote_predictions", Revision: 1, Group: "recommend",
		Keys:  map[string]string{"words": "recommend.context.words"},
		Short: "say for every conversation how likely a quotation follows",
		Unit:  "replies",
	}
}

func (WhenToQuote) Enabled(c *config.Config) bool {
	return c.Recommend.When != "" && config.Makes(config.DataReplies)(c)
}

type whenSettings struct {
	Words int `json:"words"`
}

func (WhenToQuote) Settings(c *config.Config) any { return whenSettings{c.Recommend.Context.Words} }

func (WhenToQuote) External(ctx context.Context, p *engine.Planner) (engine.External, error) {
	c := p.Config
	task := modelTaskOf(c, c.Recommend.When, c.Score.Device)
	m, err := loadModel(ctx, task)
	if err == nil {
		_, err = m.QuoteProbabilities(ctx, nil)
	}
	if err != nil {
		return engine.External{}, fmt.Errorf("%w: %s: recommend.when: %w", config.ErrInvalid, c.File(), err)
	}
	contents := contentsOf(m) + m.TrainingSHA256()
	return engine.External{
		Contents: func(int, int) string { return contents },
		Parts:    engine.OnePart("model of recommend.when (or its runtime or device)", contents),
		Extra:    func(int, int) json.RawMessage { return storage.MustJSON(task) },
		Models:   true,
		Notes:    deviceNote(m, c.Score.Device),
	}, nil
}

func (WhenToQuote) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{Inputs: engine.SameShard("replies")}, nil
}

// repliesAtOnce are read by the model in one call.
const repliesAtOnce = 512

func (WhenToQuote) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var s whenSettings
	var task modelTask
	if err := t.Decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	if err := json.Unmarshal(t.Extra, &task); err != nil {
		return table.TaskRecord{}, err
	}
	m, err := loadModel(ctx, task)
	if err != nil {
		return table.TaskRecord{}, err
	}
	replies, err := repliesOf(ctx, t.Path("replies"))
	if err != nil {
		return table.TaskRecord{}, err
	}
	taught := taughtBy(m)
	return engine.WriteShard(ctx, t, table.QuotePredictions, func(o *engine.Output[commonplace.QuotePrediction]) error {
		for part := range slices.Chunk(replies, repliesAtOnce) {
			if err := predict(ctx, m, taught, s, part, o); err != nil {
				return err
			}
		}
		return nil
	})
}

// repliesOf are those of a shard, in the order of the table.
func repliesOf(ctx context.Context, path string) ([]commonplace.Reply, error) {
	var replies []commonplace.Reply
	for r, err := range table.Replies.Rows(ctx, path, "reply_id", "conversation_id", "turns", "target", "label", "split") {
		if err != nil {
			return nil, err
		}
		replies = append(replies, r)
	}
	return replies, nil
}

func predict(ctx context.Context, m *infer.Model, t *taught, s whenSettings, replies []commonplace.Reply, o *engine.Output[commonplace.QuotePrediction]) error {
	text := func(r commonplace.Reply) string { return lastWords(strings.Join(r.Turns, label.Eos), s.Words) }
	name := func(r commonplace.Reply) string { return "reply " + r.ID }
	o.In += int64(len(replies))
	replies, said, err := askReadable(ctx, m, replies, text, name, m.QuoteProbabilities, func(r commonplace.Reply, why error) {
		o.Reject(commonplace.Reject{ID: r.ID, Location: r.ConversationID, Reason: label.ReasonUnreadable, Detail: why.Error()})
	})
	if err != nil {
		return err
	}
	for i, r := range replies {
		row := commonplace.QuotePrediction{ReplyID: r.ID, ConversationID: r.ConversationID, Probability: said[i].Score, Label: r.Label, Truncated: said[i].Truncated, Split: r.Split}
		row.InSample = t.of(asked{context: text(r), answer: r.Target}.text())
		if t.ids[r.ConversationID] {
			row.InSample = inSample
		}
		if row.Truncated {
			o.Count("truncated", 1)
		}
		o.Taken++
		if err := o.Put(row); err != nil {
			return err
		}
	}
	return nil
}
