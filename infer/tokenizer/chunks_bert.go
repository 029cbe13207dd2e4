package tokenizer

import "unicode/utf8"

// bertChunks cuts for BertNormalizer and BertPreTokenizer: at white space, and
// around punctuation that the normaliser leaves alone. All the normaliser does
// stays within such a chunk: marks are put in order only behind a letter.
type bertChunks struct{}

func newBertChunks(t *Tokenizer) chunker {
	_, normal := t.normalizer.(bertNormalizer)
	_, split := t.presplit.(bertWords)
	if !normal || !split || len(t.normalised.tokens) > 0 {
		return nil
	}
	return bertChunks{}
}

func (bertChunks) takes(string) bool { return true }

// bertKind is what an ASCII byte is to the cut.
type bertKind uint8

const (
	bertLetter bertKind = iota
	bertSpace
	bertPunctuation
)

var bertKinds = func() (kinds [utf8.RuneSelf]bertKind) {
	for c := range kinds {
		switch r := rune(c); {
		case r == ' ' || '\t' <= r && r <= '\n' || r == '\r':
			kinds[c] = bertSpace
		case '!' <= r && r <= '/' || ':' <= r && r <= '@' || '[' <= r && r <= '`' || '{' <= r && r <= '~':
			kinds[c] = bertPunctuation
		}
	}
	return kinds
}()

// lonePunctuation says whether a character is a word by itself, whatever stands around it.
func lonePunctuation(r rune) bool {
	return classOf(r)&(isPunctuation|isControl|isCleanSpace|isChinese|isNonspacing|hasNFD) == isPunctuation
}

func (bertChunks) next(text string, i int) (begin, end int, _ bool) {
	for i < len(text) && text[i] < utf8.RuneSelf && bertKinds[text[i]] == bertSpace {
		i++
	}
	begin = i
	for i < len(text) {
		if b := text[i]; b < utf8.RuneSelf {
			switch bertKinds[b] {
			case bertLetter:
				i++
				continue
			case bertPunctuation:
				if i == begin {
					i++
				}
			}
			return begin, i, false
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if lonePunctuation(r) {
			if i == begin {
				i += size
			}
			return begin, i, false
		}
		i += size
	}
	return begin, i, false
}

func (bertChunks) encode(t *Tokenizer, c *encoder, chunk string, _ bool, s *sequence) {
	a := newAligned(chunk, 0)
	t.normalizer.normalize(a)
	if s.over = a.over; a.over != nil || a.len() == 0 {
		return
	}
	for _, w := range t.presplit.split([]*aligned{a}) {
		t.word(c, w, s)
	}
}
