package infer

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/commonplace/commonplace/bounded"
)

// Names of a model folder's files.
const (
	GraphFile     = "model.onnx"
	ManifestFile  = "model.yaml"
	TokenizerFile = "tokenizer.json"
)

// Manifest is model.yaml: what a model folder says of itself.
type Manifest struct {
	Name        string   `yaml:"name"`                                // the model's name in tables; the folder's own name by custom
	Head        string   `yaml:"head"`                                // what the graph's output means; a name of [Heads]
	Description string   `yaml:"description"`                         // one line
	Inputs      []string `yaml:"inputs"`                              // names of the graph's inputs, in the order that the head documents
	Outputs     []string `yaml:"outputs"`                             // names of the graph's outputs, likewise
	Transform   string   `yaml:"transform"`                           // from output to score: none or exp
	Opset       int64    `yaml:"opset"`                               // of ai.onnx
	Precision   string   `yaml:"precision"`                           // fp32, fp16 or int8; inputs and outputs of the graph are float32 in any case
	Licence     string   `yaml:"licence"`                             // SPDX expression
	Source      string   `yaml:"source"`                              // where the model and its training data come from
	SHA256      string   `yaml:"sha256"`                              // of model.onnx, and of the file of weights after it, in hex
	Weights     string   `yaml:"weights,omitempty" json:",omitempty"` // file of the folder where model.onnx keeps its weights; empty: in itself

	Quoted *int `yaml:"quoted,omitempty" json:",omitempty"` // of a classifier of two classes: which one means quoted, 0 or 1; 1 by default

	// How to use it, which decides nothing of what the graph gives, and so is in no fingerprint.
	Sentences int     `yaml:"sentences,omitempty" json:"-"` // heads that score single passages: a passage is the mean of so many of its best sentences, each scored by itself, or with head quotability-sequence among its neighbours; 0: as a whole
	Rest      float64 `yaml:"rest,omitempty" json:"-"`      // with sentences: what the mean of all its sentences, by their words, adds to a passage for each unit
	Rate      float64 `yaml:"rate,omitempty" json:"-"`      // in place of sentences: all of a passage's count, see BySentences.AtRates
	CPUms     float64 `yaml:"cpu_ms,omitempty" json:"-"`    // milliseconds of a CPU that a passage of 200 words takes, all in

	Training *Training `yaml:"training,omitempty" json:"-"` // what taught it; it decides no output

	Plus *Plus `yaml:"plus,omitempty" json:",omitempty"` // heads that score single passages: another model to add

	Parts `yaml:",inline"` // what only some heads have
}

// ReadManifest reads and checks model.yaml of a model folder. It opens no graph.
func ReadManifest(dir string) (Manifest, error) {
	path := filepath.Join(dir, ManifestFile)
	data, err := readManifestFile(dir)
	if err != nil {
		return Manifest{}, err
	}
	m, err := decodeManifest(data, yaml.Strict())
	if err != nil {
		return m, fmt.Errorf("%s: %w", path, err)
	}
	if wrong := m.check(); len(wrong) > 0 {
		return m, fmt.Errorf("%s: %w", path, wrong[0])
	}
	return m, nil
}

func readManifestFile(dir string) ([]byte, error) {
	path := filepath.Join(dir, ManifestFile)
	data, err := bounded.ReadFile(path, bounded.Limits{})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(dir); err != nil {
			return nil, fmt.Errorf("model folder %s does not exist", dir)
		}
		return nil, fmt.Errorf("%s is no model folder: it has no %s", dir, ManifestFile)
	case err != nil:
		return nil, fmt.Errorf("model folder %s: %w", dir, err)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, fmt.Errorf("%s is empty", path)
	}
	if err := bounded.CheckYAML(data, bounded.Limits{}); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}

func decodeManifest(data []byte, options ...yaml.DecodeOption) (m Manifest, err error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data), options...)
	if err := bounded.Parsed(func() error { return decoder.Decode(&m) }); err != nil {
		line, _, _ := strings.Cut(yaml.FormatError(err, false, false), "\n")
		return m, errors.New(line)
	}
	var more any
	if bounded.Parsed(func() error { return decoder.Decode(&more) }) == nil && more != nil {
		return m, errors.New("the file holds a second YAML document: put the two together")
	}
	return m, nil
}

// check is all that is wrong with a manifest. It fills in defaults.
func (m *Manifest) check() (all []error) {
	add := func(err error) {
		if err != nil {
			all = append(all, err)
		}
	}
	for _, field := range []struct{ name, value string }{
		{"name", m.Name}, {"head", m.Head}, {"licence", m.Licence}, {"sha256", m.SHA256},
	} {
		if field.value == "" {
			add(fmt.Errorf("%s is missing", field.name))
		}
	}
	if m.Transform == "" {
		m.Transform = "none"
	}
	h := headNamed(m.Head)
	if m.Head != "" {
		add(oneOf("head", m.Head, Heads()...))
	}
	add(oneOf("transform", m.Transform, "none", "exp"))
	if m.Transform == "exp" && h != nil && !h.can(ScorePassages) {
		add(fmt.Errorf("transform is exp, and head %s has none: it belongs to heads that score single passages", m.Head))
	}
	add(m.checkSentences(h))
	if !(m.CPUms >= 0) {
		add(fmt.Errorf("cpu_ms is %v, expected milliseconds of 0 or more", m.CPUms))
	}
	if m.Quoted != nil && (*m.Quoted != 0 && *m.Quoted != 1 || m.Head != quotabilityName && m.Head != rankName) {
		add(fmt.Errorf("quoted is %d, expected 0 or 1, with head %s or %s", *m.Quoted, quotabilityName, rankName))
	}
	add(oneOf("precision", m.Precision, "fp32", "fp16", "int8"))
	if m.Weights != "" {
		add(checkFileName("weights", m.Weights))
		if h != nil && h.graph.part() == "features" {
			add(fmt.Errorf("weights is for heads that read text, not for %s", m.Head))
		}
	}
	m.SHA256 = strings.ToLower(m.SHA256)
	if raw, err := hex.DecodeString(m.SHA256); m.SHA256 != "" && (err != nil || len(raw) != 32) {
		add(errors.New("sha256 is not 64 hexadecimal digits"))
	}
	if m.Opset <= 0 {
		add(errors.New("opset is missing"))
	}
	if m.Training != nil {
		add(m.Training.check())
	}
	if h == nil {
		return all // the rest depends on it
	}
	if m.Plus != nil {
		add(m.Plus.check(m, h))
	}
	err := h.checkParts(m.Parts)
	if add(err); err == nil {
		add(h.graph.check(m))
	}
	return all
}

func oneOf(field, value string, allowed ...string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	last := len(allowed) - 1
	return fmt.Errorf("%s is %q, expected %s or %s", field, value, strings.Join(allowed[:last], ", "), allowed[last])
}
