package infer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/commonplace/commonplace/infer/tokenizer"

	"github.com/commonplace/commonplace/bounded"
)

// textGraph is what the graphs of heads over text have in common: the ids and the
// mask of tokens come in, and type ids or a decoder's ids; each output is float32.
type textGraph struct {
	inputs  int                             // the fewest; 0 is 2
	outputs int                             // the fewest, all of one shape; 0 is 1
	more    int                             // outputs that the manifest may name besides
	shape   func(m Manifest) []int64        // of an output: -1 the texts, then -1 the tokens of the last input, or [anyFixed]
	widest  int64                           // numbers in the last dimension of an output that is [anyFixed]; 0 is any number
	decoder func(m Manifest) bool           // whether the third input is a decoder's ids; nil is never
	both    bool                            // context and passage are one input, where by default the passage is truncated
	refuse  func(m *Manifest) error         // what else is wrong with the manifest; nil is nothing
	bindTo  func(h *textModel) (any, error) // looks up tokens, and gives [textModel.own]; nil where there is nothing to look up
}

// of is a shape that does not depend on the manifest.
func of(shape ...int64) func(Manifest) []int64 {
	return func(Manifest) []int64 { return slices.Clone(shape) }
}

func (textGraph) part() string { return "tokens" }

// Tokens says how texts become the graph's input.
type Tokens struct {
	Max         int       `yaml:"max"`                                    // ids of one input, special tokens included
	Truncation  string    `yaml:"truncation"`                             // longest-first, only-first or only-second; by default only-second for pairs
	Begin       TokenList `yaml:"begin"`                                  // quotability-sequence: the token before all passages; seq2seq, yes-no: what the decoder is given first
	Instruction string    `yaml:"instruction"`                            // seq2seq: token that every target begins with, and that is scored
	Ordinary    string    `yaml:"ordinary,omitempty" json:",omitempty"`   // seq2seq: the token in place of instruction before what is no quotation
	Mask        string    `yaml:"mask,omitempty" json:",omitempty"`       // seq2seq: token behind a context, where the target is to be; other heads that read contexts: token that [MASK] in a window means
	End         string    `yaml:"end"`                                    // quotability-sequence: token after each passage; seq2seq: last token of a target
	Positional  string    `yaml:"positional,omitempty" json:",omitempty"` // quotability, quotability-sequence: the genre whose positional tokens the passages have; empty: none
	Packed      *Packed   `yaml:"packed,omitempty" json:",omitempty"`
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

func (g textGraph) check(m *Manifest) error {
	outputs, least := max(g.outputs, 1), max(g.inputs, 2)
	if len(m.Outputs) < outputs || len(m.Outputs) > outputs+g.more || len(m.Inputs) < least || len(m.Inputs) > 3 {
		named := strconv.Itoa(outputs)
		if g.more > 0 {
			named = fmt.Sprintf("%d to %d", outputs, outputs+g.more)
		}
		return fmt.Errorf("head %s has %d to 3 inputs and %s outputs, the manifest names %d and %d", m.Head, least, named, len(m.Inputs), len(m.Outputs))
	}
	if m.Tokens.Max < 8 {
		return fmt.Errorf("tokens.max is %d, expected 8 or more", m.Tokens.Max)
	}
	if err := m.Tokens.checkBegin(m.Head, m.Tokens.Max/2); err != nil {
		return err
	}
	if m.Tokens.Truncation == "" {
		m.Tokens.Truncation = "longest-first"
		if g.both {
			m.Tokens.Truncation = "only-second"
		}
	}
	if err := oneOf("tokens.truncation", m.Tokens.Truncation, "longest-first", "only-first", "only-second"); err != nil {
		return err
	}
	if m.Tokens.Truncation == "only-second" && !g.both {
		return fmt.Errorf("tokens.truncation is only-second, and head %s reads one text", m.Head)
	}
	if m.Tokens.Mask != "" && !slices.Contains(maskHeads(), m.Head) {
		return fmt.Errorf("tokens.mask is for heads %s", strings.Join(maskHeads(), ", "))
	}
	for _, own := range [][2]string{{"instruction", m.Tokens.Instruction}, {"ordinary", m.Tokens.Ordinary}} {
		if own[1] != "" && m.Head != seq2seqName {
			return fmt.Errorf("tokens.%s is for head %s", own[0], seq2seqName)
		}
	}
	if err := checkPositional(m); err != nil {
		return err
	}
	if m.Tokens.Packed != nil {
		if err := m.Tokens.Packed.check(m.Head, g.both); err != nil {
			return err
		}
	}
	if g.refuse != nil {
		return g.refuse(m)
	}
	return nil
}

func (t *Tokens) checkBegin(name string, most int) error {
	if n := len(t.Begin); n > 1 && n > most {
		return fmt.Errorf("tokens.begin has %d tokens, too many for head %s and tokens.max %d", n, name, t.Max)
	}
	return nil
}

// textModel is a model over text: the tokenizer, the graph, and the ids of the
// tokens that its head needs.
type textModel struct {
	dir      string // the model's folder
	manifest Manifest

	tokenizerSHA256 string

	tokens *tokenizer.Tokenizer
	alone  *tokenizer.Tokenizer // for a text alone where tokens cuts the second of two
	run    textRunner
	shape  []int64 // of the outputs, as [bound] wants it
	left   bool    // what is too long is cut at its beginning
	begin  []int64 // tokens.begin
	end    int64   // tokens.end
	first  []int64 // tokens.instruction; empty without one
	packed *tokenizer.Packed
	own    any // what belongs to the head alone
}

// readTokenizer reads the tokenizer of a model folder, and its SHA-256.
func readTokenizer(dir string) (t *tokenizer.Tokenizer, sum [sha256.Size]byte, err error) {
	raw, err := bounded.ReadFile(filepath.Join(dir, TokenizerFile), bounded.Limits{})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, sum, errors.New("it has no " + TokenizerFile)
	} else if err != nil {
		return nil, sum, err
	}
	if t, err = tokenizer.Read(bytes.NewReader(raw)); err != nil {
		return nil, sum, fmt.Errorf("%s: %w", TokenizerFile, err)
	}
	return t, sha256.Sum256(raw), nil
}

func (g textGraph) bind(dir string, m Manifest, inputs, outputs []ort.InputOutputInfo) (runner, error) {
	t, sum, err := readTokenizer(dir)
	if err != nil {
		return nil, err
	}
	left := t.Truncation != nil && t.Truncation.Left
	both := tokenizer.Truncation{Max: m.Tokens.Max, Left: left}
	truncation := both
	truncation.Least = m.Tokens.Max / 4
	switch m.Tokens.Truncation {
	case "only-first":
		truncation.Strategy = tokenizer.OnlyFirst
	case "only-second":
		truncation.Strategy = tokenizer.OnlySecond
	}
	h := &textModel{dir: dir, manifest: m, left: left, tokenizerSHA256: hex.EncodeToString(sum[:]), tokens: t.With(&truncation, nil), alone: t.With(&both, nil)}
	h.run = textRunner{
		inputs: len(m.Inputs), outputs: len(m.Outputs), pad: padID(t),
		shapes: shapes{budget: cpuBudget, max: m.Tokens.Max}, window: cpuWindow,
	}
	h.run.decoder = g.decoder != nil && g.decoder(m)
	if h.shape, err = g.checkPorts(m, inputs, outputs); err != nil {
		return nil, err
	}
	if m.Tokens.Mask != "" {
		if _, err := h.find("tokens.mask", m.Tokens.Mask); err != nil {
			return nil, err
		}
	}
	if m.Tokens.Positional != "" {
		if err := h.bindPositional(); err != nil {
			return nil, err
		}
	}
	if m.Tokens.Packed != nil {
		if err := h.bindPacked(*m.Tokens.Packed); err != nil {
			return nil, err
		}
	}
	if g.bindTo != nil {
		if h.own, err = g.bindTo(h); err != nil {
			return nil, err
		}
	}
	return h, nil
}

func (h *textModel) open(s *ort.DynamicAdvancedSession, device string, o Options, counts *counters) {
	run := &h.run
	run.counts, run.graph = counts, (&bound{s, h.manifest.Inputs, h.manifest.Outputs, h.shape}).run
	run.encoders = runtime.GOMAXPROCS(0)
	if device != "cpu" {
		run.shapes.budget, run.window, run.splits = gpuTokens(h.shape), gpuWindow, true
	}
	if h.manifest.Precision == "int8" { // its scales are over all rows of a run: one text must not move another's
		run.shapes.budget = 1
	}
	run.open(o.workers(device))
}

func (h *textModel) window() int { return 2 * h.run.window }

func (h *textModel) close() { h.run.close() }

// padID is the token that fills inputs up; what it is matters to models that
// count their positions by it.
func padID(t *tokenizer.Tokenizer) int64 {
	if t.Padding != nil {
		return t.Padding.ID
	}
	for _, name := range []string{"[PAD]", "<pad>"} {
		if id, ok := t.ID(name); ok {
			return id
		}
	}
	return 0
}

// checkPorts holds the graph to what the head needs and returns the shape of its
// outputs.
func (g textGraph) checkPorts(m Manifest, inputs, outputs []ort.InputOutputInfo) ([]int64, error) {
	takes, gives := g.ports(m)
	if len(inputs) != len(m.Inputs) {
		return nil, fmt.Errorf("the graph has %d inputs (%s), the manifest names %d", len(inputs), portNames(inputs), len(m.Inputs))
	}
	if err := checkPorts("input", inputs, m.Inputs, takes); err != nil {
		return nil, err
	}
	if err := checkPorts("output", outputs, m.Outputs, gives); err != nil {
		return nil, err
	}
	shape := g.shape(m)
	k := slices.IndexFunc(outputs, func(o ort.InputOutputInfo) bool { return o.Name == m.Outputs[0] })
	if i := slices.Index(shape, anyFixed); i > 0 && outputs[k].Dimensions[i] > 0 {
		shape[i] = outputs[k].Dimensions[i]
	}
	return shape, nil
}

// within is as many ids as there is room for, of the end that is kept.
func (h *textModel) within(ids []int64, room int) []int64 {
	if len(ids) > room && h.left {
		return ids[len(ids)-room:]
	}
	return ids[:min(len(ids), room)]
}

// find is the id of a token that a field of the manifest names.
func (h *textModel) find(field, token string) (int64, error) {
	id, ok := h.tokens.ID(token)
	if !ok {
		return 0, fmt.Errorf("%s is %q, which is no token of %s", field, token, TokenizerFile)
	}
	return id, nil
}

// findBegin looks up tokens.begin, which must be there.
func (h *textModel) findBegin() error {
	if len(h.manifest.Tokens.Begin) == 0 {
		return errors.New("tokens.begin is missing")
	}
	for _, token := range h.manifest.Tokens.Begin {
		id, err := h.find("tokens.begin", token)
		if err != nil {
			return err
		}
		h.begin = append(h.begin, id)
	}
	return nil
}

// findBeginEnd looks up tokens.begin and tokens.end.
func (h *textModel) findBeginEnd() (any, error) {
	err := h.findBegin()
	if err == nil {
		h.end, err = h.find("tokens.end", h.manifest.Tokens.End)
	}
	if token := h.manifest.Tokens.Instruction; err == nil && token != "" {
		h.first = make([]int64, 1)
		h.first[0], err = h.find("tokens.instruction", token)
	}
	return nil, err
}

// finite says whether a number can be a score.
func finite(values ...float32) bool {
	return !slices.ContainsFunc(values, func(v float32) bool { return v-v != 0 })
}
