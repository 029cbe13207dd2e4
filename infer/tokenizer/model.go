package tokenizer

// piece is one id that a model makes of a word, and the bytes of the word that
// it stands for.
type piece struct{ id, begin, end int32 }

// model cuts one word into pieces.
type model interface {
	// pieces appends the pieces of a word that is not empty.
	pieces(word string, out []piece) []piece
}

// wordLevel knows whole words only.
type wordLevel struct {
	vocabulary map[string]int32
	unknown    int32 // -1: words that are not known vanish
}

func (m *wordLevel) pieces(word string, out []piece) []piece {
	id, ok := m.vocabulary[word]
	if !ok {
		id = m.unknown
	}
	if id < 0 {
		return out
	}
	return append(out, piece{id, 0, int32(len(word))})
}
