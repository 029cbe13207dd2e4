package ngrams

import (
	"encoding/binary"

	"github.com/commonplace/commonplace/align/fold"
)

// Boilerplate that very many sources have, such as a licence or a running head, would
// fill the index. Its seeds are too frequent for it; but where they follow each
// other, one document of the collection represents all others: the one whose id has the
// greatest key. The counts find it, for windows of 32 letters. So the index entries of a
// document depend on the document and the counts only, not on the other documents of its part.
// Copies that differ a little have several representatives, window by window; merging
// recognises them as one text.

// Key is the key of a document, never 0. Two documents with one key both represent
// the windows of either, which does no harm.
func Key(id string) uint16 {
	h := uint64(len(id))
	for i := range len(id) {
		h = fold.Mix(h ^ uint64(id[i])<<32)
	}
	return max(1, uint16(h>>48))
}

// Sampled is 1 for long seeds at which a window is read, one in four, and 0 for the others.
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

// represent records that a document with this key has the windows.
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

// Represents reports whether the document with this key represents all that have the window of this hash.
func (s *Counts) Represents(key uint16, hash uint64) bool {
	return s.representatives[hash>>(64-representativeBits)] == key
}
