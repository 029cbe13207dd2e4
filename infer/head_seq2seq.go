package infer

import (
	"errors"
	"math"

	"github.com/commonplace/commonplace/infer/tokenizer"
)

const seq2seqName = "seq2seq"

var seq2seqHead = head{
	name: seq2seqName,
	doc:  headDoc{"context; a quotation as target", "`[n, target tokens, vocabulary]`", "mean log-probability per pair; p(`<quo>`) per context", "`tokens: {begin, instruction, ordinary, end, mask}`"},
	graph: textGraph{
		inputs:  3,
		shape:   of(-1, -1, anyFixed),
		decoder: func(Manifest) bool { return true },
		bindTo:  bindTarget,
	},
	pairs: &pairing{encode: (*textModel).encodeTarget, decode: decodeTarget},
	when:  true,
}

// bindTarget looks up the tokens of targets and contexts. It gives the two instructions
// where the manifest names both.
func bindTarget(h *textModel) (any, error) {
	if _, err := h.findBeginEnd(); err != nil {
		return nil, err
	}
	tokens := h.manifest.Tokens
	if tokens.Mask != "" {
		// The mask stands last: what is too long loses its beginning.
		h.tokens = h.tokens.With(&tokenizer.Truncation{Max: tokens.Max, Left: true}, nil)
	}
	if tokens.Ordinary == "" {
		return nil, nil
	}
	if tokens.Instruction == "" || tokens.Instruction == tokens.Ordinary {
		return nil, errors.New("tokens.ordinary needs another token in tokens.instruction")
	}
	ordinary, err := h.find("tokens.ordinary", tokens.Ordinary)
	if err != nil {
		return nil, err
	}
	return instructions{h.first[0], ordinary}, nil
}

// encodeTurns gives the context to the encoder, and the mask where the next turn is to be.
func (h *textModel) encodeTurns(it *item, context string) error {
	if mask := h.manifest.Tokens.Mask; mask != "" {
		context += " " + mask
	}
	return h.tokens.EncodeTo(&it.encoded, context)
}

// encodeTarget gives the context to the encoder and the passage, behind what the
// decoder is given, to the decoder.
func (h *textModel) encodeTarget(it *item, p Pair) error {
	passage, err := h.tokens.Pieces(p.Passage)
	if err != nil {
		return err
	}
	ids := passage.IDs
	room := h.manifest.Tokens.Max - len(h.begin) - len(h.first)
	cut := len(ids) > room
	ids = h.within(ids, room)
	it.target, it.given = append(append(append(it.target[:0], h.begin...), h.first...), ids...), len(h.begin)
	it.target = append(it.target, h.end)
	err = h.encodeTurns(it, p.Context)
	it.encoded.Truncated = it.encoded.Truncated || cut
	return err
}

// decodeTarget is the mean log-probability of each token of the target after
// the ones before it (When and what to quote, equation 8). y_0 is tokens.instruction, such
// as <quo>: all candidates share it, but in the mean it weighs more in a short one. What
// the decoder is given is not scored. The last token ends the target and is no input's turn.
func decodeTarget(_ *textModel, it *item, r row) (float64, error) {
	sum := 0.0
	scored := it.target[it.given:]
	for t, next := range scored {
		logits, err := r.logits(it.given-1+t, next)
		if err != nil {
			return 0, err
		}
		sum += float64(logits[next]) - logSumExp32(logits)
	}
	return sum / float64(len(scored)), nil
}

func logSumExp32(values []float32) float64 {
	most := float64(values[0])
	for _, v := range values {
		most = max(most, float64(v))
	}
	sum := 0.0
	for _, v := range values {
		sum += math.Exp(float64(v) - most)
	}
	return most + math.Log(sum)
}
