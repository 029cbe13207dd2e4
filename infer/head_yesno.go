package infer

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/commonplace/commonplace/infer/tokenizer"
)

var yesNoHead = head{
	name: "yes-no",
	doc:  headDoc{"a prompt that contains context and passage", "`[n, tokens, vocabulary]`", "p(yes) / (p(yes) + p(no)) per pair", "`yes_no: {prompt, yes, no}`; `tokens: {begin}` with a decoder"},
	part: "yes_no",
	graph: textGraph{
		shape:   of(-1, -1, anyFixed),
		decoder: func(m Manifest) bool { return len(m.Inputs) == 3 },
		bindTo:  bindQuestion,
	},
	pairs: &pairing{encode: (*textModel).encodeQuestion, decode: decodeYes, probability: true},
}

// Question is the prompt of a yes-no model.
type Question struct {
	Prompt string `yaml:"prompt"` // with {context} and {passage}
	Yes    string `yaml:"yes"`    // token that means yes
	No     string `yaml:"no"`     // token that means no
}

// answerIDs are the ids of the tokens that mean yes and no.
type answerIDs struct{ yes, no int64 }

func bindQuestion(h *textModel) (any, error) {
	asked := h.manifest.YesNo
	yes, err := h.find("yes_no.yes", asked.Yes)
	if err != nil {
		return nil, err
	}
	no, err := h.find("yes_no.no", asked.No)
	if err != nil {
		return nil, err
	}
	if h.run.decoder {
		if err := h.findBegin(); err != nil {
			return nil, err
		}
	}
	if !strings.Contains(asked.Prompt, "{passage}") {
		return nil, errors.New("yes_no.prompt has no {passage}")
	}
	var question item
	if err := h.ask(&question, Pair{}); err != nil || question.encoded.Truncated {
		return nil, fmt.Errorf("yes_no.prompt alone fills tokens.max, %d: it leaves no room for context and passage (%v)", h.manifest.Tokens.Max, err)
	}
	return answerIDs{yes, no}, nil
}

// encodeQuestion fills the prompt. What is too long is cut from the context and
// the passage, the longer first, so that the question itself always stands whole.
func (h *textModel) encodeQuestion(it *item, p Pair) error {
	if h.run.decoder {
		it.target, it.given = append(it.target[:0], h.begin...), len(h.begin)
	}
	p.Context = h.masked(p.Context)
	if err := h.ask(it, p); err != nil || !it.encoded.Truncated {
		return err
	}
	if err := h.ask(it, Pair{}); err != nil {
		return err
	}
	room := h.manifest.Tokens.Max - it.encoded.Len()
	context, passage := h.tokens.Bare(p.Context), h.tokens.Bare(p.Passage)
	for ; room >= 0; room-- { // words that meet the prompt's may take a token more; without any it fits
		c, n := shares(context.Len(), passage.Len(), room)
		if err := h.ask(it, Pair{Context: h.part(p.Context, context, c), Passage: h.part(p.Passage, passage, n)}); err != nil {
			return err
		}
		if !it.encoded.Truncated {
			break
		}
	}
	it.encoded.Truncated = true
	return nil
}

func (h *textModel) ask(it *item, p Pair) error {
	prompt := strings.NewReplacer("{context}", p.Context, "{passage}", p.Passage).Replace(h.manifest.YesNo.Prompt)
	return h.tokens.EncodeTo(&it.encoded, prompt)
}

// shares divides room between two lengths; the longer gives way first.
func shares(a, b, room int) (int, int) {
	half := room / 2
	switch {
	case a <= half:
		return a, min(b, room-a)
	case b <= half:
		return min(a, room-b), b
	}
	return room - half, half
}

// part is the beginning of a text, as far as its first n tokens reach, or the end
// from its last n on.
func (h *textModel) part(text string, tokens tokenizer.Encoding, n int) string {
	switch {
	case n >= tokens.Len():
		return text
	case n == 0:
		return ""
	case h.left:
		return string([]rune(text)[tokens.Spans[tokens.Len()-n].Begin:])
	}
	return string([]rune(text)[:tokens.Spans[n-1].End])
}

// decodeYes is p(yes) / (p(yes) + p(no)) of the token after the last one.
func decodeYes(h *textModel, it *item, r row) (float64, error) {
	answer := h.own.(answerIDs)
	at := it.encoded.Len() - 1
	if h.run.decoder {
		at = it.given - 1
	}
	if at < 0 {
		return 0, errors.New("the prompt, context and passage make no token")
	}
	logits, err := r.logits(at, max(answer.yes, answer.no))
	if err != nil {
		return 0, err
	}
	return 1 / (1 + math.Exp(float64(logits[answer.no])-float64(logits[answer.yes]))), nil
}
