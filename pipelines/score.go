package pipelines

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/table"
)

// scoreStage scores every passage with a model.
var scoreStage = &stage{
	name: "score", table: "scores", revision: 1,
	short:    "score every passage with a model",
	unit:     "passages",
	wanted:   documented,
	settings: func(c *Config) any { return c.Score },
	inputs:   sameShard("passages"),
	outside:  checkModel,
	make:     makeScores,
}

// scoreTask is where a task finds its model.
type scoreTask struct {
	Model  string `json:"model"`
	Device string `json:"device"`
	Batch  int    `json:"batch"`
}

// checkModel loads the model once before any work, so that a wrong one is refused
// at once, and names it by its hash.
func checkModel(c *Config) (outside, error) {
	if c.Score.Model == "" {
		return outside{}, fmt.Errorf("%w: %s: score.model is missing, must be a model folder such as models/quotability-features", ErrConfig, c.path)
	}
	task := scoreTask{Model: c.Score.Model, Device: c.Score.Device, Batch: c.Score.Batch}
	m, err := loadModel(task)
	if err != nil {
		return outside{}, fmt.Errorf("%w: %s: score.model: %w", ErrConfig, c.path, err)
	}
	manifest := infer.RuntimeVersion() + string(mustJSON(m.Manifest())) // the SHA-256 of the graph, and how its outputs are read
	return outside{
		contents: func(int, int) string { return manifest },
		extra:    func(int, int) json.RawMessage { return mustJSON(task) },
	}, nil
}

// models keeps what this process has loaded; a model is safe for concurrent use.
var models struct {
	sync.Mutex
	loaded map[scoreTask]*infer.Model
}

func loadModel(s scoreTask) (*infer.Model, error) {
	models.Lock()
	defer models.Unlock()
	if m := models.loaded[s]; m != nil {
		return m, nil
	}
	m, err := infer.LoadModel(s.Model, infer.Options{Device: s.Device})
	if err != nil {
		return nil, err
	}
	if models.loaded == nil {
		models.loaded = map[scoreTask]*infer.Model{}
	}
	models.loaded[s] = m
	return m, nil
}

func makeScores(ctx context.Context, t Task) (table.TaskRecord, error) {
	var s scoreTask
	if err := json.Unmarshal(t.Extra, &s); err != nil {
		return table.TaskRecord{}, err
	}
	m, err := loadModel(s)
	if err != nil {
		return table.TaskRecord{}, err
	}
	return output(ctx, t, table.Scores, func(o *out[commonplace.Score]) error {
		batch := make([]commonplace.Passage, 0, s.Batch)
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
			full := len(batch) >= s.Batch
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
