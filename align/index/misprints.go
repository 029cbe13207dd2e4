package index

import (
	"encoding/binary"

	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/ngrams"
)

// A word of the derived side that the collection does not have may be misprinted,
// and then its seeds occur nowhere. So the Seeker tries to replace each letter that OCR
// or an old typeface confuses with another of the same width, one at a time. Where the
// result is a word of the collection, its seeds are looked up too.

// UnknownWords are the unknown words of one document: a word that comes again
// is a name or a term and not damaged.
type UnknownWords [1 << 12]struct {
	word  uint32
	first int32 // one more than the symbol at which it came first
}

// again reports whether the word came at another symbol before.
func (t *UnknownWords) again(hash uint64, at int32) bool {
	e := &t[hash>>(64-12)]
	if e.word == uint32(hash) && e.first != 0 {
		return e.first != at+1
	}
	e.word, e.first = uint32(hash), at+1
	return false
}

// confusable has for each symbol those that print confuses with it.
var confusable = func() (t [fold.Mask + 1][]byte) {
	for _, group := range []string{"ce", "eo", "oa", "o0", "fs", "ft", "hb", "nu", "il", "l1", "i1", "it", "vy", "gq", "s5", "b8", "rn", "ri", "kh", "ec"} {
		a, b := fold.ASCII[group[0]], fold.ASCII[group[1]]
		t[a], t[b] = append(t[a], b), append(t[b], a)
	}
	return t
}()

// Misprint is one letter of the derived side that may have been another.
type Misprint struct {
	At   int32 // symbol
	flip byte  // XOR of its symbol and the other
}

// misprints appends the letters by which word w may have been another, in their
// order; none where the collection has the word, or it is a number, or it came
// before in the text, as names and terms do.
func misprints(s *ngrams.Counts, out []Misprint, sym []byte, w ngrams.Word, seen *UnknownWords) []Misprint {
	i := int(w.At)
	if c := sym[i] & fold.Mask; !w.Rare() || c > 26 && c < 37 {
		return out
	}
	n := fold.WordLength(sym, i)
	if n < 2 || n > fold.LongToken || seen.again(w.Hash, w.At) {
		return out
	}
	// The word eight letters at a time, and its hash up to each eight.
	var eights, before [fold.LongToken / 8]uint64
	h := fold.WordSeed(n)
	for k := 0; k < n; k += 8 {
		eights[k/8], before[k/8] = fold.LettersAt(sym, i+k, n-k), h
		h = fold.Mix(h ^ eights[k/8])
	}
	for k := range n {
		c := sym[i+k] & fold.Mask
		for _, other := range confusable[c] {
			flip := other ^ c
			h := fold.Mix(before[k/8] ^ eights[k/8] ^ uint64(flip)<<(k%8*8))
			for _, x := range eights[k/8+1 : (n+7)/8] {
				h = fold.Mix(h ^ x)
			}
			if s.Known(h) {
				out = append(out, Misprint{int32(i + k), flip})
			}
		}
	}
	return out
}

// Undone are the seeds at symbol i as they were before the damage.
func (d Misprint) Undone(sym []byte, i int) (short, long uint64) {
	const mask = 0x7f7f7f7f7f7f7f7f
	a := binary.LittleEndian.Uint64(sym[i:]) & mask
	b := uint64(binary.LittleEndian.Uint32(sym[i+fold.ShortSeed:]) & (mask >> 32))
	if k := int(d.At) - i; k < fold.ShortSeed {
		a ^= uint64(d.flip) << (8 * k)
	} else {
		b ^= uint64(d.flip) << (8 * (k - fold.ShortSeed))
	}
	short = fold.Mix(a)
	return short, fold.Mix(short ^ b<<32)
}
