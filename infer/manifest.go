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
	Name        string   `yaml:"name"`        // the model's name in tables; the folder's own name by custom
	Head        string   `yaml:"head"`        // what the graph's output means; one of [Heads]
	Description string   `yaml:"description"` // one line
	Inputs      []string `yaml:"inputs"`      // names of the graph's inputs, in the order that the head documents
	Outputs     []string `yaml:"outputs"`     // names of the graph's outputs, likewise
	Transform   string   `yaml:"transform"`   // from output to score: none or exp
	Opset       int64    `yaml:"opset"`       // of ai.onnx
	Precision   string   `yaml:"precision"`   // fp32, fp16 or int8; inputs and outputs of the graph are float32 in any case
	Licence     string   `yaml:"licence"`     // SPDX expression
	Source      string   `yaml:"source"`      // where the model and its training data come from
	SHA256      string   `yaml:"sha256"`      // of model.onnx, in hex

	// How to use it, which decides nothing of what the graph gives, and so is in no fingerprint.
	Sentences int     `yaml:"sentences,omitempty" json:"-"` // heads that score single passages: a passage is the mean of so many of its best sentences, each scored by itself, or with head quotability-sequence among its neighbours; 0: as a whole
	Rest      float64 `yaml:"rest,omitempty" json:"-"`      // with sentences: what the mean of all its sentences, by their words, adds to a passage for each unit
	CPUms     float64 `yaml:"cpu_ms,omitempty" json:"-"`    // milliseconds of a CPU that a passage of 200 words takes, all in

	Plus *Plus `yaml:"plus,omitempty" json:",omitempty"` // heads that score single passages: another model to add

	Features *FeatureSet `yaml:"features,omitempty"` // head features only
	Tokens   *Tokens     `yaml:"tokens,omitempty"`   // all heads but features
	Embed    *Pooling    `yaml:"embed,omitempty"`    // head embed
	Tag      *Labels     `yaml:"tag,omitempty"`      // head tag
	YesNo    *Question   `yaml:"yes_no,omitempty"`   // head yes-no
}

// FeatureSet names the features that a model reads, in the order of its input.
type FeatureSet struct {
	Version int      `yaml:"version"` // of [features.Version]
	Names   []string `yaml:"names"`   // some or all of [features.Names]

	Terms    *Terms   `yaml:"terms,omitempty"`    // n-grams that the graph reads as well
	Computed []string `yaml:"computed,omitempty"` // names of what the graph computes itself, behind the features in its reasons
}

// Terms is the list of n-grams that a model knows.
type Terms struct {
	File   string `yaml:"file"`   // in the model's folder, for [features.ParseVocabulary]
	SHA256 string `yaml:"sha256"` // of it, in hex
}

// Tokens says how texts become the graph's input.
type Tokens struct {
	Max        int       `yaml:"max"`        // ids of one input, special tokens included
	Truncation string    `yaml:"truncation"` // longest-first, only-first or only-second; by default only-second for pairs
	Begin      TokenList `yaml:"begin"`      // quotability-sequence: the token before all passages; seq2seq, yes-no: what the decoder is given first
	End        string    `yaml:"end"`        // quotability-sequence: token after each passage; seq2seq: last token of a target
}

// TokenList is one token or several.
type TokenList []string

// UnmarshalYAML takes a lone token as a list of one.
func (l *TokenList) UnmarshalYAML(decode func(any) error) error {
	var one string
	if err := decode(&one); err == nil {
		*l = TokenList{one}
		return nil
	}
	return decode((*[]string)(l))
}

// Pooling says how an embedding is made of the graph's output.
type Pooling struct {
	From      string `yaml:"from"`      // mean (over the tokens), first (token), or none: the graph pools
	Normalize bool   `yaml:"normalize"` // to length 1
}

// Labels says what a tagger's logits stand for.
type Labels struct {
	Names       []string    `yaml:"names"`       // O, B and I in the order of the logits
	Transitions [][]float64 `yaml:"transitions"` // CRF score from label (row) to label; none: only what BIO forbids
	Start       []float64   `yaml:"start"`       // CRF score of beginning with a label
	Stop        []float64   `yaml:"stop"`        // CRF score of ending with a label
}

// Question is the prompt of a yes-no model.
type Question struct {
	Prompt string `yaml:"prompt"` // with {context} and {passage}
	Yes    string `yaml:"yes"`    // token that means yes
	No     string `yaml:"no"`     // token that means no
}

// Heads that this version can run, with the inputs and outputs of their graphs.
// Text inputs are int64 [n, tokens] each; token_type_ids may be left out.
//
//	features              features [n, k] (terms, times [n, 512])  -> [n, 1] (reasons [n, k + computed], [n, 512])
//	quotability           ids, mask, types                         -> [n, 1]
//	quotability-sequence  ids, mask, types                         -> [n, tokens, 1]
//	rank                  ids, mask, types                         -> [n, 1]
//	span                  ids, mask, types                         -> start [n, tokens], end [n, tokens]
//	tag                   ids, mask, types                         -> [n, tokens, 3]
//	embed                 ids, mask, types                         -> [n, tokens, d], or [n, d] pooled
//	yes-no                ids, mask (and decoder ids)              -> [n, tokens, vocabulary]
//	seq2seq               ids, mask, decoder ids                   -> [n, decoder tokens, vocabulary]
var Heads = []string{"features", "quotability", "quotability-sequence", "rank", "span", "tag", "embed", "yes-no", "seq2seq"}

// ReadManifest reads and checks model.yaml of a model folder. It opens no graph.
func ReadManifest(dir string) (Manifest, error) {
	var m Manifest
	path := filepath.Join(dir, ManifestFile)
	data, err := bounded.ReadFile(path, bounded.Limits{})
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
	if err := bounded.CheckYAML(data, bounded.Limits{}); err != nil {
		return m, fmt.Errorf("%s: %w", path, err)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict())
	if err := decoder.Decode(&m); err != nil {
		line, _, _ := strings.Cut(yaml.FormatError(err, false, false), "\n")
		return m, fmt.Errorf("%s: %s", path, line)
	}
	var more any
	if decoder.Decode(&more) == nil && more != nil {
		return m, fmt.Errorf("%s holds a second YAML document: put the two together", path)
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
	if m.Transform == "" {
		m.Transform = "none"
	}
	if err := oneOf("head", m.Head, Heads...); err != nil {
		return err
	}
	if err := oneOf("transform", m.Transform, "none", "exp"); err != nil {
		return err
	}
	if m.Transform == "exp" && !scoresPassages(m.Head) {
		return fmt.Errorf("transform is exp, and head %s has none: it belongs to heads that score single passages", m.Head)
	}
	switch {
	case m.Sentences < 0:
		return fmt.Errorf("sentences is %d, expected 0 (passages as a whole) or more", m.Sentences)
	case !(m.Rest >= 0) || m.Rest > 0 && m.Sentences == 0:
		return fmt.Errorf("rest is %v, expected 0 or more, and only beside sentences", m.Rest)
	case m.Sentences > 0 && !slices.Contains(scorers, m.Head):
		return fmt.Errorf("sentences is %d, and head %s does not score sentences", m.Sentences, m.Head)
	case !(m.CPUms >= 0):
		return fmt.Errorf("cpu_ms is %v, expected milliseconds of 0 or more", m.CPUms)
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
	if m.Plus != nil {
		if err := m.Plus.check(m.Head); err != nil {
			return err
		}
	}
	return m.checkHead()
}

// checkHead holds the parts that belong to one head to that head.
func (m *Manifest) checkHead() error {
	for _, part := range []struct {
		name  string
		given bool
		heads []string
	}{
		{"features", m.Features != nil, []string{"features"}},
		{"tokens", m.Tokens != nil, Heads[1:]},
		{"embed", m.Embed != nil, []string{"embed"}},
		{"tag", m.Tag != nil, []string{"tag"}},
		{"yes_no", m.YesNo != nil, []string{"yes-no"}},
	} {
		if mine := slices.Contains(part.heads, m.Head); mine != part.given {
			if mine {
				return fmt.Errorf("head %s needs %s", m.Head, part.name)
			}
			return fmt.Errorf("%s does not belong to head %s", part.name, m.Head)
		}
	}
	if m.Head == "features" {
		return m.checkFeatures()
	}
	outputs, least := 1, 2
	switch m.Head {
	case "span":
		outputs = 2
	case "seq2seq":
		least = 3
	}
	if len(m.Outputs) != outputs || len(m.Inputs) < least || len(m.Inputs) > 3 {
		return fmt.Errorf("head %s has %d to 3 inputs and %d outputs, the manifest names %d and %d", m.Head, least, outputs, len(m.Inputs), len(m.Outputs))
	}
	if m.Tokens.Max < 8 {
		return fmt.Errorf("tokens.max is %d, expected 8 or more", m.Tokens.Max)
	}
	if n := len(m.Tokens.Begin); n > 1 && (m.Head == "quotability-sequence" || n > m.Tokens.Max/2) {
		return fmt.Errorf("tokens.begin has %d tokens, too many for head %s and tokens.max %d", n, m.Head, m.Tokens.Max)
	}
	if m.Tokens.Truncation == "" {
		m.Tokens.Truncation = "longest-first"
		if slices.Contains([]string{"rank", "span", "tag"}, m.Head) {
			m.Tokens.Truncation = "only-second"
		}
	}
	if err := oneOf("tokens.truncation", m.Tokens.Truncation, "longest-first", "only-first", "only-second"); err != nil {
		return err
	}
	if m.Tokens.Truncation == "only-second" && !slices.Contains([]string{"rank", "span", "tag"}, m.Head) {
		return fmt.Errorf("tokens.truncation is only-second, and head %s reads one text", m.Head)
	}
	if m.Embed != nil {
		return oneOf("embed.from", m.Embed.From, "mean", "first", "none")
	}
	return nil
}

func (m *Manifest) checkFeatures() error {
	if m.Features.Version != features.Version {
		return fmt.Errorf("the model was fitted on version %d of the features, this program computes version %d: fit it anew with models/train.py", m.Features.Version, features.Version)
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
	inputs, says := 1, 2
	if t := m.Features.Terms; t != nil {
		inputs, says = 3, 3
		if t.File == "" || t.File != filepath.Base(t.File) {
			return fmt.Errorf("features.terms.file is %q, expected a file of the model's folder", t.File)
		}
	}
	if len(m.Inputs) != inputs || len(m.Outputs) != 1 && len(m.Outputs) != says {
		return fmt.Errorf("head features has %d inputs and 1 or %d outputs here, the manifest names %d and %d", inputs, says, len(m.Inputs), len(m.Outputs))
	}
	return nil
}

func oneOf(field, value string, allowed ...string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	last := len(allowed) - 1
	return fmt.Errorf("%s is %q, expected %s or %s", field, value, strings.Join(allowed[:last], ", "), allowed[last])
}
