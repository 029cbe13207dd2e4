package subword

import "unicode/utf8"

// wordPiece takes the longest known piece, then the longest that goes on from
// there; where none does, the whole word is unknown.
type wordPiece struct {
	vocabulary map[string]int32
	going      map[string]int32 // pieces that go on, without their prefix
	unknown    int32
	longest    int // bytes of the longest piece
	maximum    int // characters of a word, above which it is unknown
}

func newWordPiece(vocabulary map[string]int32, prefix string, unknown int32, maximum int) *wordPiece {
	m := &wordPiece{vocabulary: vocabulary, going: map[string]int32{}, unknown: unknown, maximum: maximum}
	for token, id := range vocabulary {
		if len(token) >= len(prefix) && token[:len(prefix)] == prefix {
			m.going[token[len(prefix):]] = id
		}
		m.longest = max(m.longest, len(token))
	}
	return m
}

func (m *wordPiece) Pieces(word string, out []Piece) []Piece {
	before := len(out)
	unknown := func() []Piece { return append(out[:before], Piece{m.unknown, 0, int32(len(word))}) }
	if len(word) > m.maximum && utf8.RuneCountInString(word) > m.maximum {
		return unknown()
	}
	for begin := 0; begin < len(word); {
		known := m.going
		if begin == 0 {
			known = m.vocabulary
		}
		end := min(len(word), begin+m.longest)
		id, ok := int32(0), false
		for ; end > begin; end-- {
			if end < len(word) && !utf8.RuneStart(word[end]) {
				continue
			}
			if id, ok = known[word[begin:end]]; ok {
				break
			}
		}
		if !ok {
			return unknown()
		}
		out = append(out, Piece{id, int32(begin), int32(end)})
		begin = end
	}
	return out
}
