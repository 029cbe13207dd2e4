// Package ngrams counts the words, pairs and triples of words and the seeds of a collection,
// and computes from the counts how surprising each word of a text is.
//
// [Counts] is the table of counts. [Counts.Surprisal] is the language model;
// [Counts.ContextBits] and [Counts.ReadWords] apply it to a text.
package ngrams

import (
	"errors"
	"math"
	"math/bits"
	"sync"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/hugepage"
)

// Counts are counts over a collection of sources: how often words, pairs and
// triples of words and seeds occur. Documents can be counted separately and merged in
// any order with the same result. The size is fixed (81 MB in memory): in a large
// collection rare words share a cell, and so seem a little more common than they are.
//
// Several goroutines may read Counts at once, but only one may count.
type Counts struct {
	Documents, Letters, Words int64
	OldestFirst               bool // the oldest document represents boilerplate; set before the first is counted
	unigrams                  []uint32
	ngrams                    []uint32 // pairs and triples of words, each in two cells
	seeds                     []uint16 // windows of letters at word starts; a full cell stays full
	representatives           []uint32 // of long windows, the key of the document that represents them (representative.go)
	weights                   []uint8  // surprisal of words without context, in weightUnit, above a bit that is set if the word is rare; made when first needed
	knownWords                []uint64 // a bit for each word, set if it occurs; made with weights
	weigh                     sync.Once
	scratch                   fold.Text
	touched                   uint32 // the result of reads ahead, so that the compiler does not drop them
}

// Sizes of the tables, as powers of two.
const (
	unigramBits        = 20
	ngramBits          = 24
	seedBits           = 22
	representativeBits = 20
)

// New are the counts of an empty collection.
func New() *Counts {
	return &Counts{unigrams: hugepage.Table[uint32](1 << unigramBits), ngrams: hugepage.Table[uint32](1 << ngramBits), seeds: hugepage.Table[uint16](1 << seedBits), representatives: hugepage.Table[uint32](1 << representativeBits)}
}

// Count adds one document.
func (s *Counts) Count(d *commonplace.Document) {
	f := &s.scratch
	f.Fold(d.Text, 0, len(d.Text))
	s.Documents++
	s.Letters += int64(len(f.Sym))
	sym := f.Sym[:len(f.Sym)+fold.Padding]
	var b counted
	key := s.Key(d)
	var u, v uint64 // hashes of the two words before
	var sample sampler
	for i := 0; i < len(f.Sym); {
		n, sampled := 0, 0
		for ; n < Batch && i < len(f.Sym); n++ {
			w, letters := fold.WordHash(sym, i)
			long := b.add(n, sym, i, u, v, w)
			if begin, begins := sample.add(long, i); begins {
				b.windows[sampled] = begin
				sampled++
			}
			u, v = v, w
			i += letters
		}
		s.add(b.words[:n], b.seeds[:2*n], b.grams[:2*n])
		s.represent(sym, b.windows[:sampled], key)
	}
	if cap(f.Sym) > 64<<20 {
		s.scratch = fold.Text{}
	}
}

// counted is what a batch of words adds to the counts.
type counted struct {
	words        [Batch]uint64
	windows      [Batch]window
	seeds, grams [2 * Batch]uint64
}

// add records the n-th word, at symbol i, with the hashes of itself and the two before, and returns its long seed.
func (b *counted) add(n int, sym []byte, i int, u, v, w uint64) (long uint64) {
	b.words[n] = w
	b.seeds[2*n], long = fold.SeedHashes(sym, i)
	b.seeds[2*n+1] = long
	b.grams[2*n], b.grams[2*n+1] = PairHash(v, w), TripleHash(u, v, w)
	return long
}

// add counts a batch. Hashing and counting are separate loops, so that the random
// reads of memory overlap. Reads overlap better than writes, so reading comes first.
func (s *Counts) add(words, seeds, grams []uint64) {
	touched := uint32(0)
	for _, h := range grams {
		touched |= s.ngrams[h>>(64-ngramBits)&^15]
	}
	for _, h := range seeds {
		touched |= uint32(s.seeds[h>>(64-seedBits)])
	}
	s.touched |= touched
	for _, h := range words {
		s.unigrams[h>>(64-unigramBits)]++
	}
	for _, h := range seeds {
		s.countSeed(h)
	}
	for _, h := range grams {
		s.countGram(h)
	}
	s.Words += int64(len(words))
}

func (s *Counts) countSeed(h uint64) {
	if c := &s.seeds[h>>(64-seedBits)]; *c < math.MaxUint16 {
		*c++
	}
}

// countGram counts a pair or triple. Each is counted in two cells of one cache line; the smaller
// count is nearer the truth (Cormode and Muthukrishnan 2005).
func (s *Counts) countGram(h uint64) {
	a, b := gramCells(h)
	s.ngrams[a]++
	s.ngrams[b]++
}

// Gram is the count of a pair or triple.
func (s *Counts) Gram(h uint64) uint32 {
	a, b := gramCells(h)
	return min(s.ngrams[a], s.ngrams[b])
}

// gramCells are two different cells of the cache line for h.
func gramCells(h uint64) (a, b uint64) {
	line := h >> (64 - ngramBits) &^ 15
	i := h & 15
	return line | i, line | (i^(1+h>>4&0xffff%15))&15
}

// PairHash is the hash of a pair of words, from the hashes of the words.
func PairHash(v, w uint64) uint64 { return fold.Mix(bits.RotateLeft64(v, 17) ^ w ^ 0x517cc1b727220a95) }

// TripleHash is the hash of a triple of words.
func TripleHash(u, v, w uint64) uint64 {
	return fold.Mix(bits.RotateLeft64(u, 31) ^ bits.RotateLeft64(v, 13)*3 ^ w ^ 0x2545f4914f6cdd1d)
}

// Merge adds the counts of t; any order gives the same counts.
func (s *Counts) Merge(t *Counts) error {
	if t.OldestFirst != s.OldestFirst {
		return errors.New("align: stats that count the oldest document first cannot be merged with others")
	}
	if len(t.unigrams) != len(s.unigrams) || len(t.ngrams) != len(s.ngrams) || len(t.seeds) != len(s.seeds) {
		return errors.New("align: stats of different sizes cannot be merged; count both with the same version")
	}
	s.Documents += t.Documents
	s.Letters += t.Letters
	s.Words += t.Words
	for i, c := range t.unigrams {
		s.unigrams[i] += c
	}
	for i, c := range t.ngrams {
		s.ngrams[i] += c
	}
	for i, c := range t.seeds {
		s.seeds[i] = uint16(min(uint32(s.seeds[i])+uint32(c), math.MaxUint16))
	}
	for i, c := range t.representatives {
		s.representatives[i] = max(s.representatives[i], c)
	}
	return nil
}
