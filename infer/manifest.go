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

	"github.com/commonplace/commonplace/infer/features"
)

// Names of a model folder's files.
const (
	GraphFile    = "model.onnx"
	ManifestFile = "model.yaml"
)

// Manifest is model.yaml: what a model folder says of itself.
type Manifest struct {
	Name        string   `yaml:"name"`        // the model's name in tables; the folder's own name by custom
	Head        string   `yaml:"head"`        // what the graph's output means; see [Heads]
	Description string   `yaml:"description"` // one line
	Inputs      []string `yaml:"inputs"`      // names of the graph's inputs, in the order that the head documents
	Outputs     []string `yaml:"outputs"`     // names of the graph's outputs, likewise
	Transform   string   `yaml:"transform"`   // from output to score: none or exp
	Opset       int64    `yaml:"opset"`       // of ai.onnx
	Precision   string   `yaml:"precision"`   // fp32, fp16 or int8
	Licence     string   `yaml:"licence"`     // SPDX expression
	Source      string   `yaml:"source"`      // where the model and its training data come from
	SHA256      string   `yaml:"sha256"`      // of model.onnx, in hex

	Features *FeatureSet `yaml:"features,omitempty"` // head features only
}

// FeatureSet names the features that a model reads, in the order of its input.
type FeatureSet struct {
	Version int      `yaml:"version"` // of [features.Version]
	Names   []string `yaml:"names"`   // some or all of [features.Names]
}

// Heads that this version can run.
var Heads = []string{"features"}

// ReadManifest reads and checks model.yaml of a model folder. It opens no graph.
func ReadManifest(dir string) (Manifest, error) {
	var m Manifest
	path := filepath.Join(dir, ManifestFile)
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(dir); err != nil {
			return m, fmt.Errorf("model folder %s does not exist", dir)
		}
		return m, fmt.Errorf("%s is no model folder: it has no %s", dir, ManifestFile)
	case err != nil:
		return m, fmt.Errorf("model folder %s: %w", dir, err)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return m, fmt.Errorf("%s is empty", path)
	}
	if err := yaml.UnmarshalWithOptions(data, &m, yaml.Strict()); err != nil {
		line, _, _ := strings.Cut(yaml.FormatError(err, false, false), "\n")
		return m, fmt.Errorf("%s: %s", path, line)
	}
	if err := m.check(); err != nil {
		return m, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

func (m *Manifest) check() error {
	for _, field := range []struct{ name, value string }{
		{"name", m.Name}, {"head", m.Head}, {"licence", m.Licence}, {"sha256", m.SHA256},
	} {
		if field.value == "" {
			return fmt.Errorf("%s is missing", field.name)
		}
	}
	if err := oneOf("head", m.Head, Heads...); err != nil {
		return err
	}
	if m.Transform == "" {
		m.Transform = "none"
	}
	if err := oneOf("transform", m.Transform, "none", "exp"); err != nil {
		return err
	}
	if err := oneOf("precision", m.Precision, "fp32", "fp16", "int8"); err != nil {
		return err
	}
	m.SHA256 = strings.ToLower(m.SHA256)
	if raw, err := hex.DecodeString(m.SHA256); err != nil || len(raw) != 32 {
		return errors.New("sha256 is not 64 hexadecimal digits")
	}
	if m.Opset <= 0 {
		return errors.New("opset is missing")
	}
	if m.Head == "features" {
		return m.checkFeatures()
	}
	if m.Features != nil {
		return fmt.Errorf("features belong to the head features, not to %s", m.Head)
	}
	return nil
}

func (m *Manifest) checkFeatures() error {
	if m.Features == nil {
		return errors.New("head features needs the list features")
	}
	if m.Features.Version != features.Version {
		return fmt.Errorf("the model was fitted on version %d of the features, this program computes version %d: fit it anew with models/train_features.py", m.Features.Version, features.Version)
	}
	if len(m.Features.Names) == 0 {
		return errors.New("features.names is empty")
	}
	seen := map[string]bool{}
	for _, name := range m.Features.Names {
		if !slices.Contains(features.Names, name) {
			return fmt.Errorf("there is no feature %q", name)
		}
		if seen[name] {
			return fmt.Errorf("feature %q is named twice", name)
		}
		seen[name] = true
	}
	if len(m.Inputs) != 1 || len(m.Outputs) != 1 {
		return errors.New("head features has one input and one output")
	}
	return nil
}

func oneOf(field, value string, allowed ...string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	if len(allowed) == 1 {
		return fmt.Errorf("%s is %q, this version knows %s only", field, value, allowed[0])
	}
	last := len(allowed) - 1
	return fmt.Errorf("%s is %q, expected %s or %s", field, value, strings.Join(allowed[:last], ", "), allowed[last])
}
