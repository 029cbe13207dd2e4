package tokenizer

import "unicode/utf8"

// byteChunks cuts for byte-level BPE without a normaliser: by GPT-2's
// expression, whose every match is matched again when it stands alone.
type byteChunks struct{}

func newByteChunks(t *Tokenizer) chunker {
	b, ok := t.presplit.(byteLevel)
	if !ok || !b.expression || t.normalizer != nil {
		return nil
	}
	return byteChunks{}
}

func (byteChunks) takes(string) bool { return true }

const gptKinds = isLetter | isNumber | isSpace

func (byteChunks) next(text string, i int) (begin, end int, _ bool) {
	if i == len(text) {
		return i, i, false
	}
	begin = i
	if text[i] == '\'' && i+1 < len(text) {
		switch text[i+1] {
		case 's', 't', 'm', 'd':
			return begin, i + 2, false
		case 'r', 'v':
			if i+2 < len(text) && text[i+2] == 'e' {
				return begin, i + 3, false
			}
		case 'l':
			if i+2 < len(text) && text[i+2] == 'l' {
				return begin, i + 3, false
			}
		}
	}
	kind, size := kindAt(text, i)
	if text[i] == ' ' && i+1 < len(text) {
		if k, n := kindAt(text, i+1); k != isSpace {
			kind, size = k, n
			i++
		}
	}
	last := i // where the last character begins
	i += size
	for i < len(text) {
		k, n := kindAt(text, i)
		if k != kind {
			if kind == isSpace && last > begin {
				return begin, last, false // \s+(?!\S): the last one belongs to the word behind
			}
			break
		}
		last = i
		i += n
	}
	return begin, i, false
}

// kindAt is the kind of the character at byte i for GPT-2's expression, and its size.
func kindAt(text string, i int) (class, int) {
	if b := text[i]; b < utf8.RuneSelf {
		return characters.ascii[b] & gptKinds, 1
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	return classOf(r) & gptKinds, size
}

func (byteChunks) encode(t *Tokenizer, c *encoder, chunk string, _ bool, s *sequence) {
	a := newAligned(chunk, 0)
	toByteAlphabet(a)
	t.word(c, a, s)
}
