package subword

import (
	"fmt"
	"unicode/utf8"
)

// bpe joins the pair of neighbouring pieces with the lowest rank until none is
// left (Sennrich et al., 2016).
type bpe struct {
	vocabulary  map[string]int32
	merges      map[uint64]merge // by left id << 32 | right id
	unknown     int32            // -1: characters that are not known vanish
	fuse        bool             // neighbouring unknown characters are one
	prefix      string           // of pieces that go on
	suffix      string           // of pieces that end a word
	fallback    bool             // unknown characters as their bytes, <0x00>
	wholeWords  bool             // a word of the vocabulary is taken as it is
	fallbackIDs [256]int32       // -1: not in the vocabulary
}

type merge struct{ rank, id int32 }

func pair(a, b int32) uint64 { return uint64(uint32(a))<<32 | uint64(uint32(b)) }

func (m *bpe) addMerges(merges [][2]string) error {
	m.merges = make(map[uint64]merge, len(merges))
	for rank, ab := range merges {
		a, oka := m.vocabulary[ab[0]]
		b, okb := m.vocabulary[ab[1]]
		if len(ab[1]) < len(m.prefix) {
			return fmt.Errorf("merge %d, %q, does not have the prefix %q", rank, ab, m.prefix)
		}
		id, ok := m.vocabulary[ab[0]+ab[1][len(m.prefix):]]
		if !oka || !okb || !ok {
			return fmt.Errorf("merge %d, %q, has parts that are not in the vocabulary", rank, ab)
		}
		m.merges[pair(a, b)] = merge{int32(rank), id}
	}
	m.setFallback()
	return nil
}

func (m *bpe) setFallback() {
	for b := range m.fallbackIDs {
		id, ok := m.vocabulary[fmt.Sprintf("<0x%02X>", b)]
		if !ok {
			id = -1
		}
		m.fallbackIDs[b] = id
	}
}

func (m *bpe) Pieces(word string, out []Piece) []Piece {
	if m.wholeWords {
		if id, ok := m.vocabulary[word]; ok {
			return append(out, Piece{id, 0, int32(len(word))})
		}
	}
	before := len(out)
	out = m.characters(word, out)
	return m.join(out, before)
}

// characters appends the pieces to begin with, one for each character.
func (m *bpe) characters(word string, out []Piece) []Piece {
	before, open := len(out), false // open: the last piece is unknown and may grow
	for i := 0; i < len(word); {
		_, size := utf8.DecodeRuneInString(word[i:])
		token := word[i : i+size]
		if i > 0 && m.prefix != "" {
			token = m.prefix + token
		}
		if i+size == len(word) && m.suffix != "" {
			token += m.suffix
		}
		begin, end := int32(i), int32(i+size)
		i += size
		if id, ok := m.vocabulary[token]; ok {
			out, open = append(out, Piece{id, begin, end}), false
			continue
		}
		if m.fallback {
			if pieces, ok := m.bytePieces(token, begin, out); ok {
				out = pieces
				continue
			}
		}
		if m.unknown < 0 {
			continue
		}
		if open && m.fuse && len(out) > before {
			out[len(out)-1].End = end
			continue
		}
		out, open = append(out, Piece{m.unknown, begin, end}), true
	}
	return out
}

// bytePieces are the pieces of a character's bytes, when all are known.
func (m *bpe) bytePieces(token string, begin int32, out []Piece) ([]Piece, bool) {
	for k := range len(token) {
		id := m.fallbackIDs[token[k]]
		if id < 0 {
			return nil, false
		}
		out = append(out, Piece{id, begin + int32(k), begin + int32(k) + 1})
	}
	return out, true
}

// join merges out[first:] in place: the lowest rank first, the leftmost of equals.
func (m *bpe) join(out []Piece, first int) []Piece {
	const short = 64
	if len(out)-first > short {
		return m.joinLong(out, first)
	}
	var ranks [short]merge // of each piece with the next; rank -1: none
	for i := first; i+1 < len(out); i++ {
		ranks[i-first] = m.rank(out[i].ID, out[i+1].ID)
	}
	w := out[first:]
	for {
		best := -1
		for i := range len(w) - 1 {
			if r := ranks[i].rank; r >= 0 && (best < 0 || r < ranks[best].rank) {
				best = i
			}
		}
		if best < 0 {
			return out[:first+len(w)]
		}
		w[best] = Piece{ranks[best].id, w[best].Begin, w[best+1].End}
		copy(w[best+1:], w[best+2:])
		copy(ranks[best:], ranks[best+1:len(w)])
		w = w[:len(w)-1]
		if best > 0 {
			ranks[best-1] = m.rank(w[best-1].ID, w[best].ID)
		}
		if best+1 < len(w) {
			ranks[best] = m.rank(w[best].ID, w[best+1].ID)
		} else {
			ranks[best] = merge{rank: -1}
		}
	}
}

func (m *bpe) rank(a, b int32) merge {
	if r, ok := m.merges[pair(a, b)]; ok {
		return r
	}
	return merge{rank: -1}
}
