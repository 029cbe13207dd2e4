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

// Options say how a model is run. The zero value is the CPU, and as many runs at
// once as the machine has processors, a thread each.
type Options struct {
	Device  string // one of [Devices], or with a number such as cuda:1; empty is cpu
	Library string // path of ONNX Runtime's shared library; empty is the one that the process has loaded, or else that [Library] finds. A process loads one
	Workers int    // runs of the graph at once, of all calls together, for heads over text; 0 is as many as keep the machine busy
}

// workers is how many runs at once keep a machine busy: a CPU its processors,
// and a GPU one run while others are copied in and out.
func (o Options) workers(device string) int {
	switch {
	case o.Workers > 0:
		return o.Workers
	case device != "cpu":
		return 3
	}
	return runtime.GOMAXPROCS(0)
}

// Model is a loaded model folder. It is safe for concurrent use.
type Model struct {
	manifest Manifest
	device   string
	reason   string
	counts   counters
	session  *ort.DynamicAdvancedSession
	head     *head
	run      runner
	text     *textModel // run, for heads over text; nil for others
	plus     *Model     // whose output is added; usually nil
	training []TrainedOn
}

// output is what a head says of one passage, before the transform.
type output struct {
	value     float64
	line      float64 // of a model that scores lines; else 0
	truncated bool
	reasons   []commonplace.Reason
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
	weights, err := lookAtWeights(dir, manifest)
	if err != nil {
		return nil, err
	}
	graph, err := readGraph(dir, manifest)
	if err != nil {
		return nil, err
	}
	if o.Device != "" {
		if err := CheckDevice(o.Device); err != nil {
			return nil, err
		}
	}
	if err := start(o.Library); err != nil {
		return nil, err
	}
	m, err := newModel(dir, graph, manifest, o)
	if err != nil {
		return nil, fmt.Errorf("model folder %s: %w", dir, err)
	}
	if weights != nil {
		m.text.run.weights = weights
	}
	if m.training, err = readTraining(dir, manifest.Training); err != nil {
		m.Close()
		return nil, err
	}
	if err := m.loadPlus(dir, o); err != nil {
		m.Close()
		return nil, fmt.Errorf("model folder %s: %w", dir, err)
	}
	return m, nil
}

func newModel(dir string, graph []byte, manifest Manifest, o Options) (*Model, error) {
	inputs, outputs, err := portsOf(dir, graph, manifest.Weights)
	if err != nil {
		return nil, err
	}
	m := &Model{manifest: manifest, head: headNamed(manifest.Head)}
	if m.run, err = m.head.graph.bind(dir, manifest, inputs, outputs); err != nil {
		return nil, err
	}
	m.text, _ = m.run.(*textModel)
	if m.session, m.device, m.reason, err = newSession(dir, graph, manifest, o.Device); err != nil {
		return nil, err
	}
	m.run.open(m.session, m.device, o, &m.counts)
	return m, nil
}

// Window is how many passages or texts one call best brings: fewer leave batches
// unfilled.
func (m *Model) Window() int { return m.run.window() }

// Manifest is what the model's folder says of itself.
func (m *Model) Manifest() Manifest { return m.manifest }

// TokenizerSHA256 is the SHA-256 of tokenizer.json in hex; empty for a model that
// reads features.
func (m *Model) TokenizerSHA256() string {
	if m.text == nil {
		return ""
	}
	return m.text.tokenizerSHA256
}

// Device is where the model runs: cpu, cuda or tensorrt.
func (m *Model) Device() string { return m.device }

// DeviceReason says in one line why it runs there.
func (m *Model) DeviceReason() string { return m.reason }

// Score gives each passage its row of the table scores, in order ([ScorePassages]). Passages may come in any number and
// grouping: a passage's score is the same. For quotability-sequence, where the
// neighbours count, that holds as long as all passages of a document come in one
// call, in order. Where the manifest has tokens.positional, their texts have the positional
// tokens already. A score that
// is no finite number, or a passage that cannot be scored, is an error that
// names the passage. Cancelling the context stops between batches.
func (m *Model) Score(ctx context.Context, passages []commonplace.Passage) ([]commonplace.Score, error) {
	out, err := m.outputs(ctx, passages)
	if err != nil {
		return nil, err
	}
	scores := make([]commonplace.Score, len(passages))
	for i, p := range passages {
		scores[i] = m.Unscored(p)
		scores[i].Score, scores[i].Truncated, scores[i].Reasons = out[i].value, out[i].truncated, out[i].reasons
	}
	return scores, nil
}

// SentenceScore is what a model says of a sentence.
type SentenceScore struct {
	Score     float64 // for the passage that it is in
	Line      float64 // as a line to copy out; Score, where the model does not tell the two apart
	Truncated bool
}

// ScoreSentences gives each sentence its scores, under the conditions of [Model.Score].
func (m *Model) ScoreSentences(ctx context.Context, sentences []commonplace.Passage) ([]SentenceScore, error) {
	out, err := m.outputs(ctx, sentences)
	if err != nil {
		return nil, err
	}
	scores := make([]SentenceScore, len(sentences))
	for i, o := range out {
		scores[i] = SentenceScore{o.value, o.line, o.truncated}
	}
	return scores, nil
}

// outputs asks the model, and adds the second one, before the transform.
func (m *Model) outputs(ctx context.Context, passages []commonplace.Passage) ([]output, error) {
	if m.session == nil {
		return nil, errors.New("the model is closed")
	}
	if err := m.Can(ScorePassages); err != nil {
		return nil, err
	}
	out := make([]output, len(passages))
	err := m.head.score(m, ctx, passages, out)
	if err == nil {
		err = m.addPlus(ctx, passages, out)
	}
	if at := (*InputError)(nil); errors.As(err, &at) {
		return nil, fmt.Errorf("passage %s: %w", passages[at.Place].ID, at.Err)
	} else if err != nil {
		return nil, err
	}
	for i := range out {
		o := &out[i]
		if !m.manifest.scoresLines() {
			o.line = o.value
		}
		for _, value := range []*float64{&o.value, &o.line} {
			if m.manifest.Transform == "exp" {
				*value = math.Exp(*value)
			}
			if math.IsNaN(*value) || math.IsInf(*value, 0) {
				return nil, fmt.Errorf("model %s gives passage %s the score %v", m.manifest.Name, passages[i].ID, *value)
			}
		}
	}
	return out, nil
}

// Unscored is a passage's row of the table scores before the model has said anything.
func (m *Model) Unscored(p commonplace.Passage) commonplace.Score {
	return commonplace.Score{
		PassageID: p.ID, DocID: p.DocID, Index: p.Index,
		Model: m.manifest.Name, ModelSHA256: m.manifest.SHA256, Device: m.device, Precision: m.manifest.Precision,
	}
}

// ScoresPassages says whether the head is one that [Model.Score] takes.
func (m *Model) ScoresPassages() bool { return m.head.can(ScorePassages) }

// NeedsWholeDocuments says that scores depend on neighbouring passages, so that
// all passages of a document must come in one call of [Model.Score].
func (m *Model) NeedsWholeDocuments() bool {
	return m.head.neighbours || m.plus != nil && m.plus.NeedsWholeDocuments()
}

// Plus is the model whose output is added to this one's; nil where there is none.
func (m *Model) Plus() *Model { return m.plus }

// Close frees the model. It must not be in use.
func (m *Model) Close() error {
	if m.session == nil {
		return nil
	}
	m.run.close()
	err := m.session.Destroy()
	m.session = nil
	if m.plus != nil {
		err = errors.Join(err, m.plus.Close())
	}
	return err
}
