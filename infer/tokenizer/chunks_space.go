package tokenizer

import (
	"strings"
	"unicode/utf8"
)

// spaceChunks cuts for Metaspace (Unigram): before runs of white space that the
// normaliser makes plain spaces. The run goes with the word behind it, or
// nowhere where the presplitter removes it.
type spaceChunks struct {
	cuts   [utf8.RuneSelf]bool       // ASCII white space that becomes a space
	plain  [utf8.RuneSelf]bool       // ASCII that the normaliser leaves as it is
	mark   string                    // that Metaspace puts before a word
	words  bool                      // white space is removed before words are marked
	wide   runeSet                   // other characters that become a space
	simple [lastSimple/64 + 1]uint64 // bits of the characters that a cut may stand beside
}

// mostTried is how many characters the normaliser may make while all characters are tried.
// One that makes more goes the long way. Those in use make a tenth.
const mostTried = 1 << 24

// lastSimple is the last Hangul syllable; what lies beyond goes the long way.
const lastSimple = 0xD7A3

func newSpaceChunks(t *Tokenizer) chunker {
	if !cutsAtSpaces(t.presplit) || !staysWithinWords(t.normalizer) || len(t.normalised.tokens) > 0 {
		return nil
	}
	if p := findPrecompiled(t.normalizer); p != nil && p.hasKeyWith(' ') {
		return nil // it could make something else of a space and what follows
	}
	_, words := t.presplit.(presplitters)
	s := &spaceChunks{words: words, mark: markOf(t.presplit)}
	made, steps := 0, stepsOf(t.normalizer)
	normal := func(text string) string {
		a := newAligned(text, 0)
		for _, n := range steps {
			n.normalize(a)
			made += 8 + a.len() // a step takes as long as a few characters
		}
		return a.String()
	}
	for _, c := range " \n\t\r" {
		s.cuts[c] = normal("a"+string(c)+"b") == normal("a b")
		if s.cuts[c] {
			s.simple[0] |= 1 << c
		}
	}
	s.cuts['\r'] = s.cuts['\r'] && normal("a\r\nb") == normal("a b")
	for r := rune('!'); r <= lastSimple; r++ {
		if made > mostTried {
			return nil
		}
		if r >= utf8.RuneSelf && normal("a"+string(r)+"b") == normal("a b") && normal("a"+string(r)+" b") == normal("a  b") {
			s.wide.add(r)
			s.simple[r/64] |= 1 << (r % 64)
			continue
		}
		if r != 0x7F && (r < 0x300 || aloneInText(r)) && classOf(r)&(isControl|isMark|isSpace) == 0 {
			n := normal("a" + string(r) + "b")
			if r < utf8.RuneSelf {
				s.plain[r] = n == "a"+string(r)+"b"
			}
			if len(n) > len("ab") && !strings.ContainsFunc(n, func(r rune) bool { return classOf(r)&isSpace != 0 }) {
				s.simple[r/64] |= 1 << (r % 64)
			}
		}
	}
	return s
}

// stepsOf is what a normaliser does, step by step.
func stepsOf(n normalizer) []normalizer {
	list, ok := n.(normalizers)
	if !ok {
		if n == nil {
			return nil
		}
		return []normalizer{n}
	}
	var steps []normalizer
	for _, one := range list {
		steps = append(steps, stepsOf(one)...)
	}
	return steps
}

// aloneInText are blocks whose letters and punctuation never join with a
// neighbour into one character as a reader sees it.
func aloneInText(r rune) bool {
	return 0x370 <= r && r < 0x530 || 0x2010 <= r && r < 0x2060 || 0x20A0 <= r && r < 0x20D0 || 0x3001 <= r && r < 0xA000 || 0xAC00 <= r && r < 0xD7A4
}

// cutsAtSpaces says whether a presplitter begins a word at every space.
func cutsAtSpaces(p presplitter) bool {
	switch p := p.(type) {
	case metaspace:
		return p.cut
	case presplitters:
		if len(p) != 2 || p[0] != presplitter(spaceSplit{}) {
			return false
		}
		m, ok := p[1].(metaspace)
		return ok && m.cut && m.prepend == "always"
	}
	return false
}

// staysWithinWords says whether a normaliser looks at no more than a word and
// the white space before it.
func staysWithinWords(n normalizer) bool {
	switch n := n.(type) {
	case nil, *precompiled, lowercase, stripAccents, compose, decompose:
		return true
	case replacement:
		switch p := n.pattern.(type) {
		case literal:
			return !strings.ContainsAny(string(p.text), " \n\t\r")
		case spaceRuns:
			return true
		}
	case normalizers:
		for _, m := range n {
			if !staysWithinWords(m) {
				return false
			}
		}
		return true
	}
	return false
}

func findPrecompiled(n normalizer) *precompiled {
	switch n := n.(type) {
	case *precompiled:
		return n
	case normalizers:
		for _, m := range n {
			if p := findPrecompiled(m); p != nil {
				return p
			}
		}
	}
	return nil
}

func (s *spaceChunks) takes(text string) bool {
	for _, r := range text {
		if r > lastSimple || s.simple[r/64]&(1<<(r%64)) == 0 {
			return false
		}
	}
	return true
}

func (s *spaceChunks) next(text string, i int) (begin, end int, spaced bool) {
	begin = i
	cuts := 0
	for ; i < len(text); cuts++ {
		n := s.cut(text, i)
		if n == 0 {
			break
		}
		i += n
	}
	if s.words {
		begin = i
	} else if cuts == 1 && i < len(text) {
		begin, spaced = i, true
	}
	for i < len(text) && s.cut(text, i) == 0 {
		i++ // the bytes of a character are never the first of a cut
	}
	return begin, i, spaced
}

// cut is the size of the white space at byte i, 0 where there is none.
func (s *spaceChunks) cut(text string, i int) int {
	b := text[i]
	if b < utf8.RuneSelf {
		if s.cuts[b] {
			return 1
		}
		return 0
	}
	if s.wide.others == nil || !utf8.RuneStart(b) {
		return 0
	}
	if r, size := utf8.DecodeRuneInString(text[i:]); s.wide.has(r) {
		return size
	}
	return 0
}

func (s *spaceChunks) encode(t *Tokenizer, c *encoder, chunk string, spaced bool, q *sequence) {
	if (spaced || s.words) && s.isPlain(chunk) {
		s.encodePlain(t, c, chunk, spaced, q)
		return
	}
	a := newAligned(chunk, 0)
	if spaced {
		a = newAligned(" "+chunk, -1)
	}
	if t.normalizer != nil {
		t.normalizer.normalize(a)
	}
	if q.over = a.over; a.over != nil || a.len() == 0 {
		return
	}
	for _, w := range t.presplit.split([]*aligned{a}) {
		t.word(c, w, q)
	}
}

func (s *spaceChunks) isPlain(chunk string) bool {
	for i := range len(chunk) {
		if b := chunk[i]; b >= utf8.RuneSelf || !s.plain[b] {
			return false
		}
	}
	return chunk != ""
}

// encodePlain adds the ids of one ASCII word that stays as it is. The mark stands
// where the space before it did, or where there is none, at the first character.
func (s *spaceChunks) encodePlain(t *Tokenizer, c *encoder, chunk string, spaced bool, q *sequence) {
	c.found = t.model.Pieces(s.mark+chunk, c.found[:0])
	size, begin, end := int32(len(s.mark)), int32(0), int32(1)
	if spaced {
		begin, end = -1, 0
	}
	for _, p := range c.found {
		i, j := begin, end
		if p.Begin >= size {
			i = p.Begin - size
		}
		if p.End > size {
			j = p.End - size
		}
		q.add(p.ID, i, j)
	}
}

// markOf is the mark of a presplitter that [cutsAtSpaces].
func markOf(p presplitter) string {
	if list, ok := p.(presplitters); ok {
		p = list[1]
	}
	return string(p.(metaspace).mark)
}
