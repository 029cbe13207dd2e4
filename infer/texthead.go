package infer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/commonplace/commonplace/infer/tokenizer"

	"github.com/commonplace/commonplace/bounded"
)

// textHead is a head over text: the tokenizer, the graph, and the ids of the
// tokens that the head needs.
type textHead struct {
	manifest Manifest

	tokenizerSHA256 string

	tokens  *tokenizer.Tokenizer
	alone   *tokenizer.Tokenizer // for a text alone where tokens cuts the second of two
	run     textRunner
	shape   []int64 // of the outputs, as [bound] wants it
	left    bool    // what is too long is cut at its beginning
	begin   []int64 // tokens.begin
	end     int64   // tokens.end
	yes, no int64
	width   atomic.Int64 // of vectors, once there was one
	viterbi *viterbi     // head tag
}

func newTextHead(dir string, m Manifest, inputs, outputs []ort.InputOutputInfo) (*textHead, error) {
	raw, err := bounded.ReadFile(filepath.Join(dir, TokenizerFile), bounded.Limits{})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("it has no " + TokenizerFile)
	} else if err != nil {
		return nil, err
	}
	t, err := tokenizer.Read(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", TokenizerFile, err)
	}
	sum := sha256.Sum256(raw)
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
	h := &textHead{manifest: m, left: left, tokenizerSHA256: hex.EncodeToString(sum[:]), tokens: t.With(&truncation, nil), alone: t.With(&both, nil)}
	h.run = textRunner{
		inputs: len(m.Inputs), outputs: len(m.Outputs), pad: padID(t),
		shapes: shapes{budget: cpuBudget, max: m.Tokens.Max}, window: cpuWindow,
	}
	h.run.decoder = m.Head == "seq2seq" || m.Head == "yes-no" && len(m.Inputs) == 3
	if h.shape, err = h.checkGraph(inputs, outputs); err != nil {
		return nil, err
	}
	return h, h.findTokens()
}

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

// checkGraph holds the graph to what the head needs and returns the shape of its
// outputs.
func (h *textHead) checkGraph(inputs, outputs []ort.InputOutputInfo) ([]int64, error) {
	m := h.manifest
	if len(inputs) != len(m.Inputs) {
		return nil, fmt.Errorf("the graph has %d inputs (%s), the manifest names %d", len(inputs), portNames(inputs), len(m.Inputs))
	}
	ids := port{ort.TensorElementDataType(ort.TensorElementDataTypeInt64), []int64{-1, -1}}
	if err := checkPorts("input", inputs, m.Inputs, []port{ids, ids, ids}); err != nil {
		return nil, err
	}
	float := ort.TensorElementDataType(ort.TensorElementDataTypeFloat)
	shape := []int64{-1, -1, anyFixed}
	switch m.Head {
	case "quotability", "rank":
		shape = []int64{-1, 1}
	case "quotability-sequence":
		shape = []int64{-1, -1, 1}
	case "span":
		shape = []int64{-1, -1}
	case "tag":
		shape = []int64{-1, -1, 3}
	case "embed":
		if m.Embed.From == "none" {
			shape = []int64{-1, anyFixed}
		}
	}
	if err := checkPorts("output", outputs, m.Outputs, []port{{float, shape}, {float, shape}}); err != nil {
		return nil, err
	}
	k := slices.IndexFunc(outputs, func(o ort.InputOutputInfo) bool { return o.Name == m.Outputs[0] })
	if i := slices.Index(shape, anyFixed); i > 0 && outputs[k].Dimensions[i] > 0 {
		shape[i] = outputs[k].Dimensions[i]
	}
	return shape, nil
}

// within is as many ids as there is room for, of the end that is kept.
func (h *textHead) within(ids []int64, room int) []int64 {
	if len(ids) > room && h.left {
		return ids[len(ids)-room:]
	}
	return ids[:min(len(ids), room)]
}

// findTokens looks up the tokens that the head needs, and its labels.
func (h *textHead) findTokens() error {
	m := h.manifest
	var err error
	find := func(field, token string) (id int64) {
		found, ok := h.tokens.ID(token)
		if !ok && err == nil {
			err = fmt.Errorf("%s is %q, which is no token of %s", field, token, TokenizerFile)
		}
		return found
	}
	findBegin := func() {
		for _, token := range m.Tokens.Begin {
			h.begin = append(h.begin, find("tokens.begin", token))
		}
		if len(h.begin) == 0 {
			err = errors.New("tokens.begin is missing")
		}
	}
	switch m.Head {
	case "quotability-sequence", "seq2seq":
		findBegin()
		h.end = find("tokens.end", m.Tokens.End)
	case "yes-no":
		h.yes, h.no = find("yes_no.yes", m.YesNo.Yes), find("yes_no.no", m.YesNo.No)
		if h.run.decoder {
			findBegin()
		}
		if !strings.Contains(m.YesNo.Prompt, "{passage}") {
			return errors.New("yes_no.prompt has no {passage}")
		}
		var question item
		if err := h.ask(&question, Pair{}); err != nil || question.encoded.Truncated {
			return fmt.Errorf("yes_no.prompt alone fills tokens.max, %d: it leaves no room for context and passage (%v)", m.Tokens.Max, err)
		}
	case "tag":
		h.viterbi, err = newViterbi(m.Tag)
	}
	return err
}

// finite says whether a number can be a score.
func finite(values ...float32) bool {
	return !slices.ContainsFunc(values, func(v float32) bool { return v-v != 0 })
}
