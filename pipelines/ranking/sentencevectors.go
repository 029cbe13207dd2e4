package ranking

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/paraphrase"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/segment"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// SentenceVectors gives each sentence its vector, for the search for paraphrases.
type SentenceVectors struct{}

func (SentenceVectors) Identity() engine.Identity {
	return engine.Identity{
		Name: "sentence_vectors", Table: "sentence_vectors", Revision: 1, Group: "paraphrases",
		Keys:  map[string]string{"": "paraphrases"},
		Short: "give each sentence a vector",
		Unit:  "sentences",
	}
}

func (SentenceVectors) Enabled(c *config.Config) bool {
	return c.HasSources() && c.Paraphrases.Asked()
}

func (SentenceVectors) Settings(c *config.Config) any { return c.Paraphrases }

func (SentenceVectors) External(ctx context.Context, p *engine.Planner) (engine.External, error) {
	c := p.Config
	task := modelTaskOf(c, c.Paraphrases.Model, c.Score.Device)
	m, err := loadModel(ctx, task)
	if err == nil {
		err = m.Can(infer.EmbedTexts)
	}
	if err != nil {
		return engine.External{}, fmt.Errorf("%w: %s: paraphrases.model: %w", config.ErrInvalid, c.File(), err)
	}
	contents := contentsOf(m)
	return engine.External{
		Contents: func(int, int) string { return contents },
		Parts:    engine.OnePart("model of paraphrases.model (or its runtime or device)", contents),
		Extra:    func(int, int) json.RawMessage { return storage.MustJSON(task) },
		Models:   true,
		Notes:    deviceNote(m, c.Score.Device),
	}, nil
}

func (SentenceVectors) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{Inputs: engine.SameShard("documents")}, nil
}

// sentencesAtOnce are read by the model in one call.
const sentencesAtOnce = 512

func (SentenceVectors) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var s config.Paraphrases
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
	cut, err := segment.Parse(s.By)
	if err != nil {
		return table.TaskRecord{}, err
	}
	return engine.WriteShard(ctx, t, table.SentenceVectors, func(o *engine.Output[commonplace.SentenceVector]) error {
		text := func(r commonplace.SentenceVector) string { return r.Text }
		name := func(r commonplace.SentenceVector) string { return fmt.Sprintf("%s [%d:%d]", r.DocID, r.Begin, r.End) }
		var batch []commonplace.SentenceVector
		flush := func() error {
			read, vectors, err := askReadable(ctx, m, batch, text, name, embed(m), func(r commonplace.SentenceVector, why error) {
				o.Reject(commonplace.Reject{ID: r.DocID, Location: name(r), Reason: label.ReasonUnreadable, Detail: why.Error()})
			})
			if err != nil {
				return err
			}
			for i, r := range read {
				if r.Vector, r.Truncated = paraphrase.New(vectors[i].vector).String(), vectors[i].truncated; r.Truncated {
					o.Count("truncated", 1)
				}
				o.Taken++
				if err := o.Put(r); err != nil {
					return err
				}
			}
			batch = batch[:0]
			return nil
		}
		for doc, err := range table.Documents.Rows(ctx, t.Path("documents"), "doc_id", "text", "characters", "role") {
			if err != nil {
				return err
			}
			for p := range segment.Passages(doc, cut) {
				if p.Heading || len(strings.Fields(p.Text)) < s.MinWords {
					continue
				}
				o.In++
				batch = append(batch, commonplace.SentenceVector{DocID: doc.ID, Begin: p.Begin, End: p.End, Text: p.Text, Role: doc.Role})
				if len(batch) == sentencesAtOnce {
					if err := flush(); err != nil {
						return err
					}
				}
			}
		}
		return flush()
	})
}
