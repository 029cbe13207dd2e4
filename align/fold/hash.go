package fold

import (
	"encoding/binary"
	"math/bits"
	"unicode"
)

// Mix spreads x over 64 bits (the finisher of wyhash).
func Mix(x uint64) uint64 {
	hi, lo := bits.Mul64(x^0xa0761d6478bd642f, 0xe7037ed1a0b428db)
	return hi ^ lo
}

// WordLength is the number of symbols of the word that begins at symbol i.
func WordLength(sym []byte, i int) int {
	const ones, flags = 0x0101010101010101, 0x8080808080808080
	for n := 1; ; n += 8 {
		x := binary.LittleEndian.Uint64(sym[i+n:])
		// The lowest flag is at the next word's first symbol or at the padding.
		if end := (x | (x-ones)&^x) & flags; end != 0 {
			return n + bits.TrailingZeros64(end)/8
		}
	}
}

// WordHash is the hash of the word that begins at symbol i, and its length.
func WordHash(sym []byte, i int) (uint64, int) {
	n := WordLength(sym, i)
	h := WordSeed(n)
	for k := 0; k < n; k += 8 {
		h = Mix(h ^ LettersAt(sym, i+k, n-k))
	}
	return h, n
}

// WordSeed is what the hash of a word of n letters begins with.
func WordSeed(n int) uint64 { return uint64(n) * 0x9e3779b97f4a7c15 }

// LettersAt is the eight letters at symbol i, as many as are left of the word.
func LettersAt(sym []byte, i, left int) uint64 {
	x := binary.LittleEndian.Uint64(sym[i:]) & 0x7f7f7f7f7f7f7f7f
	if left < 8 {
		x &= 1<<(8*left) - 1
	}
	return x
}

// IsLetter reports whether r is a letter or a digit.
func IsLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
