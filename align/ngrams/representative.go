package ngrams

import (
	"encoding/binary"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/pairs"
)

// Boilerplate that very many sources have, such as a licence or a running head, would
// fill the index. Its seeds are too frequent for it; but where they follow each
// other, one document of the collection represents all others: the one with the greatest
// key, by its id or, where only older documents are sources ([Counts.OldestFirst]), the
// oldest one. The counts find it, for windows of 32 letters. So the index entries of a
// document depend on the document and the counts only, not on the other documents of its part.
// Copies that differ a little have several representatives, window by window; merging
// recognises them as one text.

// Key is the key of a document, never 0. Two documents with one key both represent
// the windows of either, which does no harm while they are few: so documents of one day
// have different keys too.
func (s *Counts) Key(d *commonplace.Document) uint32 {
	h := uint64(len(d.ID))
	for i := range len(d.ID) {
		h = fold.Mix(h ^ uint64(d.ID[i])<<32)
	}
	if !s.OldestFirst {
		return max(1, uint32(h>>48))
	}
	return age(d.Date)<<(32-ageBits) | max(1, uint32(h>>(32+ageBits)))
}

// ageBits are enough for the days from the year 1 to 2441, and for the weeks of three
// thousand years before.
const ageBits = 20

// age is the greater, the older a document is by the first day that its date can mean; 0
// if it has no date.
func age(date string) uint32 {
	first, _, known := pairs.Days(date)
	if !known {
		return 0
	}
	const yearOne, weeksBefore = -719162, 3000 * 52 // in days since 1970, and BC
	at := first - yearOne
	if at < 0 {
		at = (at - 6) / 7
	}
	return uint32(1<<ageBits - 1 - min(max(at+weeksBefore, 0), 1<<ageBits-2))
}

// A window begins at the least long seed of each sampleOf successive ones: at one word in
// four (winnowing: Schleimer, Wilkerson and Aiken 2003). So copies of a text have the same
// windows, and sampleOf successive seeds have one at least. A reader of the counts looks at
// all words, so it also reads files with windows at other words.
const sampleOf = 7

// sampler chooses the words at which windows begin.
type sampler struct {
	last  [sampleOf + 1]window // the last words; word n is at n modulo the length
	seen  int                  // words so far
	least int                  // the word with the least of the last sampleOf seeds, the first if several are equal
}

func (s *sampler) word(n int) *window { return &s.last[n%len(s.last)] }

// add adds a word with its long seed, at a symbol. It reports whether a window begins at
// the least of the last seeds, that is, whether that is another one than before.
func (s *sampler) add(long uint64, at int) (begin window, begins bool) {
	*s.word(s.seen) = window{long, at}
	was := s.least
	if long < s.word(was).hash {
		s.least = s.seen
	} else if s.seen-was == sampleOf {
		s.least++
		for n := was + 2; n <= s.seen; n++ {
			if s.word(n).hash < s.word(s.least).hash {
				s.least = n
			}
		}
	}
	s.seen++
	return *s.word(s.least), s.seen == sampleOf || s.seen > sampleOf && s.least != was
}

// WindowLetters is the length of a window.
const WindowLetters = fold.LongSeed + 20

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
func (s *Counts) represent(sym []byte, windows []window, key uint32) {
	touched := uint32(0)
	for k := range windows {
		w := &windows[k]
		w.hash = WindowHash(sym, w.at, w.hash)
		touched |= s.representatives[w.hash>>(64-representativeBits)]
	}
	s.touched |= touched
	for _, w := range windows {
		c := &s.representatives[w.hash>>(64-representativeBits)]
		*c = max(*c, key)
	}
}

// Represents reports whether the document with this key represents all that have the window of this hash.
func (s *Counts) Represents(key uint32, hash uint64) bool {
	return s.representatives[hash>>(64-representativeBits)] == key
}
