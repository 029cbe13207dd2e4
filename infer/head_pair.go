package infer

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/commonplace/commonplace/infer/tokenizer"
)

// Pair is a context (the query) and a passage of a candidate source, or for
// seq2seq a context and a candidate quotation.
type Pair struct{ Context, Passage string }

// PairScore is what a model says of a pair.
type PairScore struct {
	Score     float64
	Truncated bool
}

// ScorePairs gives each pair a number: the logit (rank), the probability of yes
// against no as the next token (yes-no), or the mean log-probability of the
// passage's tokens (seq2seq). The softmax over one source's passages, and fusions
// with other scores, are the caller's.
func (m *Model) ScorePairs(ctx context.Context, pairs []Pair) ([]PairScore, error) {
	h := m.text
	var encode func(it *item, p Pair) error
	var decode func(it *item, r row) (float64, error)
	switch m.manifest.Head {
	case "rank":
		encode = func(it *item, p Pair) error { return h.tokens.EncodeTo(&it.encoded, p.Context, p.Passage) }
		decode = func(_ *item, r row) (float64, error) { return float64(r.values[0][0]), nil }
	case "yes-no":
		encode, decode = h.encodeQuestion, h.decodeYes
	case "seq2seq":
		encode, decode = h.encodeTarget, decodeTarget
	default:
		return nil, m.lacks("score pairs")
	}
	out := make([]PairScore, len(pairs))
	err := h.run.each(ctx, len(pairs),
		func(it *item) error { return encode(it, pairs[it.at]) },
		func(it *item, r row) error {
			score, err := decode(it, r)
			if err != nil {
				return err
			}
			if math.IsNaN(score) || math.IsInf(score, 0) {
				return fmt.Errorf("model %s gives the score %v", m.manifest.Name, score)
			}
			out[it.at] = PairScore{score, it.encoded.Truncated}
			return nil
		})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// encodeQuestion fills the prompt. What is too long is cut from the context and
// the passage, the longer first, so that the question itself always stands whole.
func (h *textHead) encodeQuestion(it *item, p Pair) error {
	if h.run.decoder {
		it.target = append(it.target[:0], h.begin)
	}
	if err := h.ask(it, p); err != nil || !it.encoded.Truncated {
		return err
	}
	if err := h.ask(it, Pair{}); err != nil {
		return err
	}
	room := h.manifest.Tokens.Max - it.encoded.Len()
	context, passage := h.tokens.Bare(p.Context), h.tokens.Bare(p.Passage)
	for ; room > 0; room-- { // words that meet the prompt's may take a token more
		c, n := shares(context.Len(), passage.Len(), room)
		if err := h.ask(it, Pair{upTo(p.Context, context, c), upTo(p.Passage, passage, n)}); err != nil {
			return err
		}
		if !it.encoded.Truncated {
			break
		}
	}
	it.encoded.Truncated = true
	return nil
}

func (h *textHead) ask(it *item, p Pair) error {
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

// upTo is the beginning of a text, as far as its first n tokens reach.
func upTo(text string, tokens tokenizer.Encoding, n int) string {
	if n >= tokens.Len() {
		return text
	}
	if n == 0 {
		return ""
	}
	return string([]rune(text)[:tokens.Spans[n-1].End])
}

// decodeYes is p(yes) / (p(yes) + p(no)) of the token after the last one.
func (h *textHead) decodeYes(it *item, r row) (float64, error) {
	at := it.encoded.Len() - 1
	if h.run.decoder {
		at = 0
	}
	logits, err := r.logits(at, max(h.yes, h.no))
	if err != nil {
		return 0, err
	}
	return 1 / (1 + math.Exp(float64(logits[h.no])-float64(logits[h.yes]))), nil
}

// logits are what the graph says of the token after the one at a place; it must
// know the token id.
func (r row) logits(at int, id int64) ([]float32, error) {
	vocabulary := r.dims[0][len(r.dims[0])-1]
	if id >= vocabulary {
		return nil, fmt.Errorf("the graph has logits for %d tokens and none for token %d of %s", vocabulary, id, TokenizerFile)
	}
	return r.values[0][at*int(vocabulary) : (at+1)*int(vocabulary)], nil
}

// encodeTarget gives the context to the encoder and the passage, behind the
// first token, to the decoder.
func (h *textHead) encodeTarget(it *item, p Pair) error {
	ids := h.tokens.Bare(p.Passage).IDs
	cut := len(ids)+1 > h.manifest.Tokens.Max
	if cut {
		ids = ids[:h.manifest.Tokens.Max-1]
	}
	it.target = append(append(it.target[:0], h.begin), ids...)
	it.target = append(it.target, h.end)
	err := h.tokens.EncodeTo(&it.encoded, p.Context)
	it.encoded.Truncated = it.encoded.Truncated || cut
	return err
}

// decodeTarget is the mean log-probability of each token of the target after
// the ones before it; the last one ends the target and is no input's turn.
func decodeTarget(it *item, r row) (float64, error) {
	sum := 0.0
	for t, next := range it.target[1:] {
		logits, err := r.logits(t, next)
		if err != nil {
			return 0, err
		}
		sum += float64(logits[next]) - logSumExp32(logits)
	}
	return sum / float64(len(it.target)-1), nil
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
