package subword

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// unigram takes the cut of a word whose pieces have the highest sum of
// log-probabilities (Kudo, 2018).
type unigram struct {
	trie        *trie
	scores      []float64
	unknown     int32 // -1: there is none
	unknownCost float64
	fallback    bool
	fallbackIDs [256]int32
	vocabulary  map[string]int32
}

// unknownPenalty lies under the least likely piece.
const unknownPenalty = 10

func newUnigram(tokens []string, scores []float64, unknown int32, fallback bool) *unigram {
	m := &unigram{scores: scores, unknown: unknown, fallback: fallback, vocabulary: map[string]int32{}}
	least := math.Inf(1)
	for id, token := range tokens {
		m.vocabulary[token] = int32(id)
		least = min(least, scores[id])
	}
	m.trie = newTrie(m.vocabulary)
	m.unknownCost = least - unknownPenalty
	for b := range m.fallbackIDs {
		id, ok := m.vocabulary[fmt.Sprintf("<0x%02X>", b)]
		if !ok {
			id = -1
		}
		m.fallbackIDs[b] = id
	}
	return m
}

// node is the best way to reach a byte of the word.
type node struct {
	score float64
	from  int32 // -1: not reached
	id    int32
}

func (m *unigram) Pieces(word string, out []Piece) []Piece {
	var few [128]node
	best := few[:0]
	if len(word) >= len(few) {
		best = make([]node, 0, len(word)+1)
	}
	best = best[:len(word)+1]
	for i := range best {
		best[i] = node{from: -1}
	}
	best[0].from = 0
	reach := func(from, to int, id int32, score float64) {
		if n := &best[to]; n.from < 0 || score > n.score {
			*n = node{score, int32(from), id}
		}
	}
	for i := 0; i < len(word); {
		size := characterSize(word[i])
		here := best[i].score
		single := false
		at := m.trie.root()
		for k := i; k < len(word); k++ {
			id, ok := int32(0), false
			if at, id, ok = m.trie.step(at, word[k]); !ok {
				break
			}
			if id >= 0 {
				reach(i, k+1, id, here+m.scores[id])
				single = single || k+1-i == size
			}
		}
		if !single {
			reach(i, i+size, m.unknown, here+m.unknownCost)
		}
		i += size
	}
	return m.backtrack(word, best, out)
}

// backtrack appends the best way's pieces; neighbouring unknown ones are one.
func (m *unigram) backtrack(word string, best []node, out []Piece) []Piece {
	before := len(out)
	for end := int32(len(word)); end > 0; {
		n := best[end]
		if last := len(out) - 1; n.id == m.unknown && last >= before && out[last].ID == m.unknown {
			out[last].Begin = n.from
		} else {
			out = append(out, Piece{n.id, n.from, end})
		}
		end = n.from
	}
	for i, j := before, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	if m.fallback {
		return m.bytesForUnknown(word, out, before)
	}
	return out
}

// bytesForUnknown writes unknown pieces as the tokens of their bytes, which all
// stand where the piece stood.
func (m *unigram) bytesForUnknown(word string, out []Piece, first int) []Piece {
	plain := append([]Piece(nil), out[first:]...)
	out = out[:first]
	for _, p := range plain {
		if p.ID != m.unknown {
			out = append(out, p)
			continue
		}
		mark := len(out)
		for _, b := range []byte(word[p.Begin:p.End]) {
			if m.fallbackIDs[b] < 0 {
				out = append(out[:mark], p)
				break
			}
			out = append(out, Piece{m.fallbackIDs[b], p.Begin, p.End})
		}
	}
	return out
}

// characterSize is the length of the character whose first byte is b.
func characterSize(b byte) int {
	switch {
	case b < utf8.RuneSelf:
		return 1
	case b < 0xE0:
		return 2
	case b < 0xF0:
		return 3
	}
	return 4
}
