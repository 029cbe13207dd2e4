package ranking

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/storage"
)

// modelTask is where a task finds a model and how it runs it.
type modelTask struct {
	Model   string `json:"model"`
	Device  string `json:"device"`
	Workers int    `json:"workers"`
}

// modelTaskOf fills the machine where tasks share this process and with it the
// model, and takes one processor a task where they have processes of their own.
func modelTaskOf(c *config.Config, model, device string) modelTask {
	t := modelTask{Model: model, Device: device}
	if c.Runner.Elsewhere() {
		t.Workers = 1
	}
	return t
}

// models are what a worker has loaded, and what was read with it. A model is safe
// for concurrent use.
var models worker.Var[loadedModels]

type loadedModels struct {
	sync.Mutex
	loaded map[modelTask]*infer.Model

	scored     atomic.Int64 // passages
	keptScores atomic.Int64 // scores that were taken over
}

// Close frees the models.
func (l *loadedModels) Close() error {
	l.Lock()
	defer l.Unlock()
	var err error
	for _, m := range l.loaded {
		err = errors.Join(err, m.Close())
	}
	l.loaded = nil
	return err
}

func loadModel(ctx context.Context, t modelTask) (*infer.Model, error) {
	l := models.Of(ctx)
	l.Lock()
	defer l.Unlock()
	if m := l.loaded[t]; m != nil {
		return m, nil
	}
	folder, err := storage.FolderOnDisk(ctx, t.Model)
	if err != nil {
		return nil, err
	}
	m, err := infer.LoadModel(folder, infer.Options{Device: t.Device, Workers: t.Workers})
	if err != nil {
		return nil, err
	}
	if l.loaded == nil {
		l.loaded = map[modelTask]*infer.Model{}
	}
	l.loaded[t] = m
	return m, nil
}

// contentsOf names a model by what decides its outputs: the SHA-256 of the graph
// and of the tokenizer, how they are read, what runs it where, and the same of a model
// that is added.
func contentsOf(m *infer.Model) string {
	contents := infer.RuntimeVersion() + m.Device() + m.TokenizerSHA256() + string(storage.MustJSON(m.Manifest()))
	if m.Plus() != nil {
		contents += contentsOf(m.Plus())
	}
	return contents
}

// deviceNote says where a model runs and why, unless that is the plain CPU that
// was asked for.
func deviceNote(m *infer.Model, wanted string) []string {
	if wanted == "cpu" {
		return nil
	}
	return []string{m.Manifest().Name + " runs on " + m.Device() + ": " + m.DeviceReason()}
}

// read is what all models have read so far, in texts.
func (l *loadedModels) read() engine.Meter {
	l.Lock()
	defer l.Unlock()
	var sum engine.Meter
	for _, m := range l.loaded {
		c := m.Counts()
		sum.Units, sum.Tokens = sum.Units+c.Texts, sum.Tokens+c.Tokens
	}
	return sum
}

// scoredOrKept is what the worker has scored, in passages, and what was kept instead.
func scoredOrKept(ctx context.Context) engine.Meter {
	l := models.Of(ctx)
	return engine.Meter{Units: l.scored.Load(), Tokens: l.read().Tokens, Kept: l.keptScores.Load()}
}
