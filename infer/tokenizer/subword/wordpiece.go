package subword

import "unicode/utf8"

// wordPiece takes the longest known piece, then the longest that goes on from
// there; where none does, the whole word is unknown.
type wordPiece struct {
	trie    *trie
	going   int32 // the state behind the prefix of pieces that go on; -1: no piece has it
	unknown int32
	maximum int // characters of a word, above which it is unknown
}

func newWordPiece(vocabulary map[string]int32, prefix string, unknown int32, maximum int) *wordPiece {
	m := &wordPiece{trie: newTrie(vocabulary), unknown: unknown, maximum: maximum}
	m.going = m.trie.root()
	for k := range len(prefix) {
		next, _, ok := m.trie.step(m.going, prefix[k])
		if !ok {
			m.going = -1
			break
		}
		m.going = next
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
		state := m.going
		if begin == 0 {
			state = m.trie.root()
		}
		piece := Piece{ID: -1, Begin: int32(begin)}
		for k, ok := begin, state >= 0; ok && k < len(word); k++ {
			id := int32(0)
			if state, id, ok = m.trie.step(state, word[k]); ok && id >= 0 {
				piece.ID, piece.End = id, int32(k+1)
			}
		}
		if piece.ID < 0 {
			return unknown()
		}
		out = append(out, piece)
		begin = int(piece.End)
	}
	return out
}
