package infer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/commonplace/commonplace"
)

// Options say how a model is run. The zero value is the library that [Library]
// finds, the CPU, and one thread per call of [Model.Score].
type Options struct {
	Library string // path of ONNX Runtime's shared library; empty: as [Library] finds it
	Device  string // cpu or auto; empty is cpu
	Threads int    // threads of one run of the graph; 0 is 1, negative is all cores
}

// Model is a loaded model folder. It is safe for concurrent use.
type Model struct {
	manifest Manifest
	device   string
	session  *ort.DynamicAdvancedSession
	scorer   scorer
}

// scorer is a head that gives each passage one number.
type scorer interface {
	// score writes the graph's outputs for the passages, one each.
	score(ctx context.Context, passages []commonplace.Passage, out []output) error
	// close frees what the head holds beside the session.
	close()
}

// output is what a head says of one passage, before the transform.
type output struct {
	value     float64
	truncated bool
}

// LoadModel reads a model folder and makes it ready. Its errors are one sentence
// each: no folder, no manifest, a manifest with an unknown or missing key, an
// unknown head, a graph whose SHA-256, opset, inputs or outputs are not those
// that the manifest and the head ask for, no ONNX Runtime ([ErrNoLibrary]).
func LoadModel(dir string, o Options) (*Model, error) {
	manifest, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	graph, err := readGraph(dir, manifest)
	if err != nil {
		return nil, err
	}
	switch o.Device {
	case "", "cpu", "auto":
	default:
		return nil, fmt.Errorf("device %q is not available: this version runs on the cpu", o.Device)
	}
	if err := start(o.Library); err != nil {
		return nil, err
	}
	m, err := newModel(graph, manifest, o)
	if err != nil {
		return nil, fmt.Errorf("model folder %s: %w", dir, err)
	}
	return m, nil
}

func newModel(graph []byte, manifest Manifest, o Options) (*Model, error) {
	inputs, outputs, err := ort.GetInputOutputInfoWithONNXData(graph)
	if err != nil {
		return nil, fmt.Errorf("ONNX Runtime %s refuses %s: %w", ort.GetVersion(), GraphFile, err)
	}
	head, err := newFeaturesHead(manifest, inputs, outputs)
	if err != nil {
		return nil, err
	}
	threads := o.Threads
	if threads < 0 {
		threads = runtime.NumCPU()
	}
	session, err := newSession(graph, manifest, threads)
	if err != nil {
		return nil, fmt.Errorf("ONNX Runtime %s refuses %s: %w", ort.GetVersion(), GraphFile, err)
	}
	head.session = session
	return &Model{manifest: manifest, device: "cpu", session: session, scorer: head}, nil
}

// Manifest is what the model's folder says of itself.
func (m *Model) Manifest() Manifest { return m.manifest }

// Device is where the model runs: cpu.
func (m *Model) Device() string { return m.device }

// Score gives each passage its row of the table scores, in order. Passages may
// come in any number and grouping: a passage's score is the same. A score that
// is no finite number, or a passage that cannot be scored, is an error that
// names the passage. Cancelling the context stops between batches.
func (m *Model) Score(ctx context.Context, passages []commonplace.Passage) ([]commonplace.Score, error) {
	if m.session == nil {
		return nil, errors.New("the model is closed")
	}
	out := make([]output, len(passages))
	if err := m.scorer.score(ctx, passages, out); err != nil {
		return nil, err
	}
	scores := make([]commonplace.Score, len(passages))
	for i, p := range passages {
		value := out[i].value
		if m.manifest.Transform == "exp" {
			value = math.Exp(value)
		}
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return nil, fmt.Errorf("model %s gives passage %s the score %v", m.manifest.Name, p.ID, value)
		}
		scores[i] = commonplace.Score{
			PassageID: p.ID, DocID: p.DocID, Index: p.Index,
			Score: value, Model: m.manifest.Name, ModelSHA256: m.manifest.SHA256,
			Device: m.device, Precision: m.manifest.Precision, Truncated: out[i].truncated,
		}
	}
	return scores, nil
}

// Close frees the model. It must not be in use.
func (m *Model) Close() error {
	if m.session == nil {
		return nil
	}
	m.scorer.close()
	err := m.session.Destroy()
	m.session = nil
	return err
}
