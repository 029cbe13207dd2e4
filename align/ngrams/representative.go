package ngrams

import (
	"encoding/binary"

	"github.com/commonplace/commonplace/align/fold"
)

// Key is the document's key, never 0. Two documents of one key both hold
// what either would, which does no harm.
func Key(id string) uint16 {
	h := uint64(len(id))
	for i := range len(id) {
		h = fold.Mix(h ^ uint64(id[i])<<32)
	}
	return max(1, uint16(h>>48))
}

// Sampled is 1 for long seeds at which a window is looked at, one in four, and 0 for the others.
func Sampled(long uint64) int { return int(long & (long >> 1) & 1) }

// WindowHash is the hash of the window at symbol i, where the long seed has the hash long.
func WindowHash(sym []byte, i int, long uint64) uint64 {
	const mask = 0x7f7f7f7f7f7f7f7f
	a := binary.LittleEndian.Uint64(sym[i+fold.LongSeed:]) & mask
	b := binary.LittleEndian.Uint64(sym[i+fold.LongSeed+8:]) & mask
	c := uint64(binary.LittleEndian.Uint32(sym[i+fold.LongSeed+16:])) & (mask >> 32)
	return fold.Mix(fold.Mix(fold.Mix(long^a)^b) ^ c)
}

// window is the hash of a window, at first that of its long seed, and its first symbol.
type window struct {
	hash uint64
	at   int
}

// represent notes that a document of this key has the windows.
func (s *Counts) represent(sym []byte, windows []window, key uint16) {
	touched := uint32(0)
	for k := range windows {
		w := &windows[k]
		w.hash = WindowHash(sym, w.at, w.hash)
		touched |= uint32(s.representatives[w.hash>>(64-representativeBits)])
	}
	s.touched |= touched
	for _, w := range windows {
		c := &s.representatives[w.hash>>(64-representativeBits)]
		*c = max(*c, key)
	}
}

// Represents says whether the document of this key represents all that have the window.
func (s *Counts) Represents(key uint16, window uint64) bool {
	return s.representatives[window>>(64-representativeBits)] == key
}
