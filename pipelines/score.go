package pipelines

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/table"
)

// scoreStage scores every passage with a model.
var scoreStage = &stage{
	name: "score", table: "scores", revision: 2,
	short:    "score every passage with a model",
	unit:     "passages",
	wanted:   documented,
	settings: func(c *Config) any { return c.Score },
	inputs:   sameShard("passages"),
	outside:  checkModel,
	meter:    readByModels,
	make:     makeScores,
}

// scoreTask is where a task finds its model.
type scoreTask struct {
	modelTask
	Batch int `json:"batch"`
}

// checkModel loads the model once before any work, so that a wrong one is refused
// at once, and names it by its hash.
func checkModel(c *Config) (outside, error) {
	if c.Score.Model == "" {
		return outside{}, fmt.Errorf("%w: %s: score.model is missing, must be a model folder such as models/quotability-features", ErrConfig, c.path)
	}
	task := scoreTask{c.modelTask(c.Score.Model, c.Score.Device), c.Score.Batch}
	m, err := loadModel(task.modelTask)
	if err == nil && !m.ScoresPassages() {
		err = fmt.Errorf("model %s has the head %s, which does not score single passages", m.Manifest().Name, m.Manifest().Head)
	}
	if err != nil {
		return outside{}, fmt.Errorf("%w: %s: score.model: %w", ErrConfig, c.path, err)
	}
	manifest := contentsOf(m)
	return outside{
		contents: func(int, int) string { return manifest },
		extra:    func(int, int) json.RawMessage { return mustJSON(task) },
		notes:    deviceNote(m, c.Score.Device),
	}, nil
}

func makeScores(ctx context.Context, t Task) (table.TaskRecord, error) {
	var s scoreTask
	if err := json.Unmarshal(t.Extra, &s); err != nil {
		return table.TaskRecord{}, err
	}
	m, err := loadModel(s.modelTask)
	if err != nil {
		return table.TaskRecord{}, err
	}
	return output(ctx, t, table.Scores, func(o *out[commonplace.Score]) error {
		most := cmp.Or(s.Batch, m.Window())
		batch := make([]commonplace.Passage, 0, most)
		flush := func() error {
			scores, err := m.Score(ctx, batch)
			if err != nil {
				return err
			}
			for _, score := range scores {
				if score.Truncated {
					o.count("truncated", 1)
				}
				if err := o.put(score); err != nil {
					return err
				}
				o.taken++
			}
			batch = batch[:0]
			return nil
		}
		for p, err := range table.Passages.Rows(t.path("passages")) {
			if err != nil {
				return err
			}
			// A model that reads consecutive passages gets whole documents, so that
			// scores do not depend on where a batch ends.
			full := len(batch) >= most
			if full && m.NeedsWholeDocuments() {
				full = batch[len(batch)-1].DocID != p.DocID
			}
			if full {
				if err := flush(); err != nil {
					return err
				}
			}
			o.in++
			batch = append(batch, p)
		}
		return flush()
	})
}
