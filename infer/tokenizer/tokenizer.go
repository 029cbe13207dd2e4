package tokenizer

import (
	"fmt"
	"sync"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer/tokenizer/subword"
)

// Tokenizer reads texts as its file says.
type Tokenizer struct {
	// Truncation and Padding are the file's own, nil where it asks for none.
	// [Tokenizer.With] sets others.
	Truncation *Truncation
	Padding    *Padding

	normalizer normalizer  // nil: none
	presplit   presplitter // nil: none
	model      subword.Model
	raw        addedTokens // looked for in the text as it is
	normalised addedTokens // looked for after normalisation
	post       postprocessor
	fast       *shortcut // nil: none for this family
	vocabulary map[string]int32
	encoders   *sync.Pool
}

// Strategy says which text of a pair is cut.
type Strategy int

const (
	LongestFirst Strategy = iota
	OnlyFirst
	OnlySecond
)

// Truncation cuts what is longer than a model takes.
type Truncation struct {
	Max      int // ids, special tokens included
	Strategy Strategy
	Left     bool // cut at the beginning

	// Least is how many ids OnlyFirst and OnlySecond leave of the text that they
	// cut, if it has so many; the other text is cut for them. With 0 the other is
	// never cut, and it is an error when it fills the input alone.
	Least int
}

// Padding fills up what is shorter than Length.
type Padding struct {
	Length     int // 0: only up to a multiple
	MultipleOf int // 0: any length
	ID, Type   int64
	Left       bool
}

// Encoding is what a model reads. All slices are of one length.
type Encoding struct {
	IDs       []int64
	Types     []int64            // 0 for the first text, 1 for the second, as the template says
	Mask      []int64            // 1, and 0 for padding
	Spans     []commonplace.Span // code points of the text that the id stands for; [0:0] for special tokens
	Sequence  []int8             // 0 first text, 1 second, -1 special token or padding
	Truncated bool               // something was cut off
}

// Len is the number of ids.
func (e *Encoding) Len() int { return len(e.IDs) }

func (e *Encoding) reset() {
	e.IDs, e.Types, e.Mask = e.IDs[:0], e.Types[:0], e.Mask[:0]
	e.Spans, e.Sequence, e.Truncated = e.Spans[:0], e.Sequence[:0], false
}

// With is the same tokenizer with another truncation and padding; nil is none.
func (t *Tokenizer) With(truncation *Truncation, padding *Padding) *Tokenizer {
	u := *t
	u.Truncation, u.Padding = truncation, padding
	return &u
}

// ID is the id of a token of the vocabulary or an added one.
func (t *Tokenizer) ID(token string) (int64, bool) {
	id, ok := t.vocabulary[token]
	return int64(id), ok
}

// Encode is the ids of one text, with special tokens, truncation and padding as
// the file asks for.
func (t *Tokenizer) Encode(text string) (Encoding, error) {
	var e Encoding
	err := t.EncodeTo(&e, text)
	return e, err
}

// EncodePair is the ids of two texts in one.
func (t *Tokenizer) EncodePair(first, second string) (Encoding, error) {
	var e Encoding
	err := t.EncodeTo(&e, first, second)
	return e, err
}

// Bare is [Tokenizer.Pieces]. Of a text that is refused there are only the first.
func (t *Tokenizer) Bare(text string) Encoding {
	e, _ := t.Pieces(text)
	return e
}

// Pieces is the ids of one text without special tokens, truncation or padding.
func (t *Tokenizer) Pieces(text string) (Encoding, error) {
	c := t.encoders.Get().(*encoder)
	defer t.encoders.Put(c)
	s := &c.sequences[0]
	s.reset()
	t.sequence(c, text, s)
	var e Encoding
	for i, id := range s.ids {
		e.put(int64(id), 0, 1, 0, commonplace.Span{Begin: int(s.begin[i]), End: int(s.end[i])})
	}
	return e, s.over
}

// EncodeTo is [Tokenizer.Encode] (one text) or [Tokenizer.EncodePair] (two) into
// the memory of an Encoding that is used again.
func (t *Tokenizer) EncodeTo(e *Encoding, texts ...string) error {
	c := t.encoders.Get().(*encoder)
	defer t.encoders.Put(c)
	e.reset()
	template := t.post.single
	if len(texts) == 2 {
		template = t.post.pair
	}
	for i, text := range texts {
		c.sequences[i].reset()
		if t.sequence(c, text, &c.sequences[i]); c.sequences[i].over != nil {
			return c.sequences[i].over
		}
	}
	var err error
	if e.Truncated, err = t.truncate(c.sequences[:len(texts)], added(template)); err != nil {
		return err
	}
	t.fill(e, c.sequences[:len(texts)], template)
	return nil
}

// fill writes sequences into a template, and fills up what is shorter than Padding asks for.
func (t *Tokenizer) fill(e *Encoding, sequences []sequence, template []slot) {
	for i := range sequences {
		for _, trim := range t.post.trims {
			trim.trim(&sequences[i])
		}
	}
	for _, s := range template {
		if s.sequence < 0 {
			for _, id := range s.ids {
				e.put(int64(id), int64(s.typeID), 1, -1, commonplace.Span{})
			}
			continue
		}
		q := &sequences[s.sequence]
		for i, id := range q.ids {
			e.put(int64(id), int64(s.typeID), 1, int8(s.sequence), commonplace.Span{Begin: int(q.begin[i]), End: int(q.end[i])})
		}
	}
	t.pad(e)
}

func (e *Encoding) put(id, typeID, mask int64, seq int8, at commonplace.Span) {
	e.IDs = append(e.IDs, id)
	e.Types = append(e.Types, typeID)
	e.Mask = append(e.Mask, mask)
	e.Spans = append(e.Spans, at)
	e.Sequence = append(e.Sequence, seq)
}

// truncate cuts the sequences so that they and the special tokens fit.
func (t *Tokenizer) truncate(s []sequence, added int) (bool, error) {
	if t.Truncation == nil {
		return false, nil
	}
	limit := t.Truncation.Max - added
	total := 0
	for i := range s {
		total += len(s[i].ids)
	}
	if total <= limit {
		return false, nil
	}
	if limit < 0 {
		return false, fmt.Errorf("tokenizer: %d ids have no room for %d special tokens", t.Truncation.Max, added)
	}
	left := t.Truncation.Left
	if len(s) == 1 && t.Truncation.Strategy == OnlySecond {
		return false, fmt.Errorf("tokenizer: the second text is to be cut and there is none")
	}
	if len(s) == 1 {
		s[0].keep(limit, left)
		return true, nil
	}
	switch t.Truncation.Strategy {
	case LongestFirst:
		n, m := longestFirst(len(s[0].ids), len(s[1].ids), limit)
		s[0].keep(n, left)
		s[1].keep(m, left)
	default:
		cut, whole := &s[0], &s[1]
		if t.Truncation.Strategy == OnlySecond {
			cut, whole = whole, cut
		}
		n := limit - len(whole.ids)
		if t.Truncation.Least > 0 {
			n = max(n, min(t.Truncation.Least, len(cut.ids), limit))
			whole.keep(min(len(whole.ids), limit-n), left)
		} else if n <= 0 {
			return false, fmt.Errorf("tokenizer: the text that is not to be cut leaves no room: %d ids, at most %d", total, limit)
		}
		cut.keep(n, left)
	}
	return true, nil
}

// longestFirst is how much is kept of two texts of n and m ids.
func longestFirst(n, m, limit int) (int, int) {
	swap := n > m
	if swap {
		n, m = m, n
	}
	if n > limit {
		m = n
	} else {
		m = max(n, limit-n)
	}
	if n+m > limit {
		n = limit / 2
		m = n + limit%2
	}
	if swap {
		n, m = m, n
	}
	return n, m
}

func (t *Tokenizer) pad(e *Encoding) {
	p := t.Padding
	if p == nil {
		return
	}
	n := max(p.Length, e.Len())
	if p.MultipleOf > 0 && n%p.MultipleOf > 0 {
		n += p.MultipleOf - n%p.MultipleOf
	}
	filled := e.Len()
	for range n - filled {
		e.put(p.ID, p.Type, 0, -1, commonplace.Span{})
	}
	if p.Left {
		rotate(e.IDs, filled)
		rotate(e.Types, filled)
		rotate(e.Mask, filled)
		rotate(e.Spans, filled)
		rotate(e.Sequence, filled)
	}
}

// rotate moves what follows the first n elements before them.
func rotate[T any](s []T, n int) {
	copy(s, append(append([]T(nil), s[n:]...), s[:n]...))
}
