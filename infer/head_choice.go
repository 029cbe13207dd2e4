package infer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/commonplace/commonplace/infer/tokenizer"
)

var choiceHead = head{
	name:  "choice",
	doc:   headDoc{"context, then the token `choice.mask`", "`[n, quotations]`", "a logit per pair of a context and a quotation of the closed list", "`choice: {file, sha256, mask}`"},
	part:  "choice",
	graph: textGraph{shape: of(-1, anyFixed), bindTo: bindChoice, refuse: func(m *Manifest) error { return m.Choice.check() }},
	pairs: &pairing{encode: (*textModel).encodeMasked, all: (*textModel).choose},
}

// Choice is the closed list of a model that says which of its quotations stands at
// <mask> (When and what to quote, section 4).
type Choice struct {
	File   string `yaml:"file"`   // a JSON string a line, in the order of the logits
	SHA256 string `yaml:"sha256"` // of that file, in hex
	Mask   string `yaml:"mask"`   // token behind a context
}

func (c *Choice) check() error {
	if c.Mask == "" {
		return errors.New("choice.mask is missing")
	}
	return checkFileName("choice.file", c.File)
}

// choices are the numbers of the quotations by their texts.
type choices map[string]int

func bindChoice(h *textModel) (any, error) {
	c := h.manifest.Choice
	if _, err := h.find("choice.mask", c.Mask); err != nil {
		return nil, err
	}
	// The mask stands last: what is too long loses its beginning.
	h.tokens = h.tokens.With(&tokenizer.Truncation{Max: h.manifest.Tokens.Max, Left: true}, nil)
	data, err := readNamed(h.dir, c.File, c.SHA256)
	if err != nil {
		return nil, err
	}
	list, n := choices{}, 0
	for line := range bytes.Lines(data) {
		var text string
		if err := json.Unmarshal(line, &text); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", c.File, n+1, err)
		}
		if _, twice := list[text]; twice {
			return nil, fmt.Errorf("%s, line %d: the quotation is there twice", c.File, n+1)
		}
		list[text], n = n, n+1
	}
	if logits := h.shape[1]; logits > 0 && logits != int64(n) {
		return nil, fmt.Errorf("%s has %d quotations and the graph %d logits", c.File, n, logits)
	}
	return list, nil
}

// choose runs the graph once for each context, whatever the number of its pairs.
func (h *textModel) choose(ctx context.Context, pairs []Pair, out []PairScore) error {
	list, of := h.own.(choices), map[string][]int{}
	var contexts []string
	for i, p := range pairs {
		if _, listed := list[p.Passage]; !listed {
			return &InputError{i, fmt.Errorf("the quotation is not on the list of model %s: it was trained on another", h.manifest.Name)}
		}
		if of[p.Context] == nil {
			contexts = append(contexts, p.Context)
		}
		of[p.Context] = append(of[p.Context], i)
	}
	err := h.run.each(ctx, len(contexts),
		func(it *item) error { return h.encodeMasked(it, Pair{Context: contexts[it.at]}) },
		func(it *item, r row) error {
			if len(r.values[0]) != len(list) || !finite(r.values[0]...) {
				return fmt.Errorf("model %s gives %d logits for %d quotations, or one that is not finite", h.manifest.Name, len(r.values[0]), len(list))
			}
			for _, i := range of[contexts[it.at]] {
				out[i] = PairScore{float64(r.values[0][list[pairs[i].Passage]]), it.encoded.Truncated}
			}
			return nil
		})
	if at := (*InputError)(nil); errors.As(err, &at) {
		return &InputError{of[contexts[at.Place]][0], at.Err}
	}
	return err
}

func (h *textModel) encodeMasked(it *item, p Pair) error {
	return h.tokens.EncodeTo(&it.encoded, p.Context+" "+h.manifest.Choice.Mask)
}
