package infer

import (
	"fmt"

	"github.com/commonplace/commonplace/infer/tokenizer"
)

// Packed says that a model reads a title, the text before a quotation and a passage, each
// cut to a length of its own (Context-based quotation recommendation, "BERT Model Inputs").
// The lengths are tokens. 0 leaves a part out: so a model is trained without titles.
type Packed struct {
	BodyStart string `yaml:"body_start"` // the token between title and body
	Title     int    `yaml:"title"`      // the first so many
	Body      int    `yaml:"body"`       // the last so many
	Passage   int    `yaml:"passage"`    // the first so many
}

const maxPacked = 1 << 20 // tokens of a part: more than any model reads

func (p *Packed) check(named string, both bool) error {
	switch {
	case !both:
		return fmt.Errorf("tokens.packed does not belong to head %s: it belongs to heads that read context and passage as one input", named)
	case p.BodyStart == "":
		return fmt.Errorf("tokens.packed.body_start is missing")
	case p.Title < 0 || p.Body < 0 || p.Passage < 1 || max(p.Title, p.Body, p.Passage) > maxPacked:
		return fmt.Errorf("tokens.packed has title %d, body %d and passage %d, expected 0 to %d, and 1 or more of the passage", p.Title, p.Body, p.Passage, maxPacked)
	}
	return nil
}

// bindPacked looks up the token, and refuses what can be longer than tokens.max.
func (h *textModel) bindPacked(p Packed) error {
	between, err := h.find("tokens.packed.body_start", p.BodyStart)
	if err != nil {
		return err
	}
	h.packed = &tokenizer.Packed{Title: p.Title, Body: p.Body, Passage: p.Passage, BodyStart: between}
	if n := h.tokens.Ids(*h.packed); n > h.manifest.Tokens.Max {
		return fmt.Errorf("tokens.packed makes inputs of up to %d tokens, and tokens.max is %d", n, h.manifest.Tokens.Max)
	}
	return nil
}

// encodePair is a context and a passage as one input.
func (h *textModel) encodePair(it *item, p Pair) error {
	p.Context = h.masked(p.Context)
	if h.packed == nil {
		return h.tokens.EncodeTo(&it.encoded, p.Context, p.Passage)
	}
	if p.Title == "" && p.Body == "" {
		p.Body = p.Context
	}
	return h.tokens.EncodePacked(&it.encoded, *h.packed, p.Title, p.Body, p.Passage)
}
