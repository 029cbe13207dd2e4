// Package subword has the models that cut a word into the pieces of a vocabulary:
// WordPiece, byte-level BPE, Unigram and whole words, as a tokenizer.json describes
// them ([Read]).
package subword

// Piece is one id that a model makes of a word, and the bytes of the word that
// it stands for.
type Piece struct{ ID, Begin, End int32 }

// Model cuts one word into pieces.
type Model interface {
	// Pieces appends the pieces of a word that is not empty.
	Pieces(word string, out []Piece) []Piece
}

// wordLevel knows whole words only.
type wordLevel struct {
	vocabulary map[string]int32
	unknown    int32 // -1: words that are not known vanish
}

func (m *wordLevel) Pieces(word string, out []Piece) []Piece {
	id, ok := m.vocabulary[word]
	if !ok {
		id = m.unknown
	}
	if id < 0 {
		return out
	}
	return append(out, Piece{id, 0, int32(len(word))})
}
