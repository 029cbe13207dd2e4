package tokenizer

import (
	"unicode/utf8"

	"github.com/commonplace/commonplace/infer/tokenizer/subword"
)

// A shortcut cuts the raw text into chunks whose ids do not depend on what
// stands around them, and remembers what the long way made of each chunk. What a
// family of tokenizers allows as a cut is in chunks_*.go; everything else about
// it stays in the long way.
type shortcut struct {
	chunker chunker
	prefix  bool // a space is put before a text that does not begin with one
}

// chunker knows where a family's texts can be cut.
type chunker interface {
	// takes says whether the text as a whole can be cut.
	takes(text string) bool
	// next finds the first chunk at or after byte i. It begins at begin, which
	// is len(text) when there is none; bytes before it make no ids, but for
	// one character of white space where spaced says that the chunk has it.
	next(text string, i int) (begin, end int, spaced bool)
	// encode adds the ids of a chunk that begins at code point 0; where it is
	// spaced, a space at code point -1 belongs to it.
	encode(t *Tokenizer, c *encoder, chunk string, spaced bool, s *sequence)
}

// newShortcut is the quick way for a tokenizer's family, nil where there is none.
func newShortcut(t *Tokenizer) *shortcut {
	var c chunker
	for _, family := range []func(*Tokenizer) chunker{newBertChunks, newByteChunks, newSpaceChunks} {
		if c = family(t); c != nil {
			break
		}
	}
	if c == nil {
		return nil
	}
	s := &shortcut{chunker: c}
	if b, ok := t.presplit.(byteLevel); ok {
		s.prefix = b.prefix
	}
	return s
}

// sequence appends the ids of a text; false says that it must go the long way.
func (f *shortcut) sequence(t *Tokenizer, c *encoder, text string, s *sequence) bool {
	if t.raw.search.finds(text) || t.normalised.search.finds(text) || !f.chunker.takes(text) {
		return false
	}
	point, at := int32(0), 0 // code point that begins at byte at
	if f.prefix && text != "" && text[0] != ' ' {
		text, point = " "+text, -1
	}
	for {
		begin, end, spaced := f.chunker.next(text, at)
		if begin == len(text) {
			return true
		}
		if begin > at {
			point += int32(utf8.RuneCountInString(text[at:begin]))
		}
		chunk := text[begin:end]
		words := &c.words
		if spaced {
			words = &c.spaced
		}
		k, ok := words.get(chunk)
		if !ok {
			if k = f.remember(t, c, words, chunk, spaced); c.chunk.over != nil {
				s.over = c.chunk.over
				return true
			}
		}
		if made := len(s.ids) + len(k.pieces); made > mostRunes && made > len(text) {
			s.over = errGrown
			return true
		}
		for _, p := range k.pieces {
			begin, end := point+p.Begin, point+p.End
			if begin < 0 { // the space that was put in stands where the first character does
				begin, end = 0, max(end, 1)
			}
			s.add(p.ID, begin, end)
		}
		point += k.points
		at = end
	}
}

// remember encodes a chunk the long way and keeps the result.
func (f *shortcut) remember(t *Tokenizer, c *encoder, words *cache, chunk string, spaced bool) known {
	s := &c.chunk
	s.reset()
	f.chunker.encode(t, c, chunk, spaced, s)
	if s.over != nil {
		return known{}
	}
	c.pieces = c.pieces[:0]
	for i, id := range s.ids {
		c.pieces = append(c.pieces, subword.Piece{ID: id, Begin: s.begin[i], End: s.end[i]})
	}
	return words.put(chunk, c.pieces, int32(utf8.RuneCountInString(chunk)))
}
