package tokenizer

import (
	"strings"
	"unicode/utf8"

	"github.com/commonplace/commonplace/infer/tokenizer/subword"
)

// encoder is the memory of one call; a tokenizer keeps a pool of them.
type encoder struct {
	sequences [2]sequence
	found     []subword.Piece // of a word, in bytes
	words     cache           // chunks of text
	spaced    cache           // those with a space before them
	chunk     sequence
	pieces    []subword.Piece // of a chunk, in code points
}

// cache remembers chunks of text in two generations: when the younger is full it
// becomes the older, and what is asked for again comes back. So its memory is
// bounded and common words stay.
type cache struct {
	young, old map[string]known
	arena      []subword.Piece
}

// known is what a chunk becomes: ids with their code points in the chunk, and
// how many code points it has.
type known struct {
	pieces []subword.Piece
	points int32
}

const (
	cacheWords   = 1 << 16 // of one generation
	cacheLongest = 64      // bytes; longer chunks are rarely seen twice
)

func (c *cache) get(chunk string) (known, bool) {
	k, ok := c.young[chunk]
	if !ok && c.old != nil {
		if k, ok = c.old[chunk]; ok {
			k = c.put(chunk, k.pieces, k.points)
		}
	}
	return k, ok
}

func (c *cache) put(chunk string, pieces []subword.Piece, points int32) known {
	if len(chunk) > cacheLongest {
		return known{pieces, points}
	}
	if c.young == nil || len(c.young) >= cacheWords {
		c.young, c.old, c.arena = make(map[string]known, 1<<10), c.young, nil
	}
	if cap(c.arena)-len(c.arena) < len(pieces) {
		c.arena = make([]subword.Piece, 0, 1<<12+len(pieces))
	}
	from := len(c.arena)
	c.arena = append(c.arena, pieces...)
	k := known{c.arena[from:len(c.arena):len(c.arena)], points}
	c.young[strings.Clone(chunk)] = k
	return k
}

// sequence appends the ids of one text.
func (t *Tokenizer) sequence(c *encoder, text string, s *sequence) {
	if t.fast != nil && t.fast.sequence(t, c, text, s) {
		return
	}
	t.slow(c, newAligned(text, 0), s)
}

// slow does each step of the file in turn.
func (t *Tokenizer) slow(c *encoder, a *aligned, s *sequence) {
	made := 0 // characters of all parts
	for _, p := range t.raw.split(a) {
		if p.token != nil {
			s.addToken(p)
			continue
		}
		if t.normalizer != nil {
			t.normalizer.normalize(p.text)
		}
		made += p.text.len()
		if s.over = p.text.over; s.over == nil && made > mostRunes && made > a.len() {
			s.over = errGrown
		}
		if s.over != nil {
			return
		}
		if p.text.len() == 0 {
			continue
		}
		for _, q := range t.normalised.split(p.text) {
			if q.token != nil {
				s.addToken(q)
				continue
			}
			words := []*aligned{q.text}
			if t.presplit != nil {
				words = t.presplit.split(words)
			}
			for _, w := range words {
				if s.over = w.over; s.over != nil {
					return
				}
				t.word(c, w, s)
			}
		}
	}
}

// addToken adds an added token as it was found.
func (s *sequence) addToken(p part) {
	n := p.text.len()
	lead, trail := 0, 0
	for lead < n && isTokenSpace(p.text.runes[lead]) {
		lead++
	}
	for trail < n && isTokenSpace(p.text.runes[n-1-trail]) {
		trail++
	}
	s.spaces = append(s.spaces, spaces{int32(len(s.ids)), int32(lead), int32(trail)})
	s.add(p.token.ID, p.text.begin[0], p.text.end[n-1])
}

func isTokenSpace(r rune) bool { return r == byteAlphabet[' '] || classOf(r)&isSpace != 0 }

// word adds the pieces of one word.
func (t *Tokenizer) word(c *encoder, w *aligned, s *sequence) {
	if w.len() == 0 {
		return
	}
	text := w.String()
	c.found = t.model.Pieces(text, c.found[:0])
	if len(text) == w.len() {
		for _, p := range c.found {
			s.add(p.ID, w.begin[p.Begin], w.end[p.End-1])
		}
		return
	}
	// From bytes to characters; pieces come in order, and may lie within one.
	char, at := 0, 0 // character that begins at byte at
	for _, p := range c.found {
		for {
			size := utf8.RuneLen(w.runes[char])
			if at+size > int(p.Begin) {
				break
			}
			at += size
			char++
		}
		last, end := char, at+utf8.RuneLen(w.runes[char])
		for end < int(p.End) {
			last++
			end += utf8.RuneLen(w.runes[last])
		}
		s.add(p.ID, w.begin[char], w.end[last])
	}
}
