package fold

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
	"unsafe"
)

// TopBits has the top bit of every byte. The functions here read a text eight bytes at a time, as one number.
const TopBits = 0x80 * eachByte

const eachByte = 0x0101010101010101

// LetterBits has the top bit of every byte of x that is a letter of ASCII; lower
// is x in lower case where it is.
func LetterBits(x uint64) (is, lower uint64) {
	lower = (x | 0x20*eachByte) &^ TopBits
	return (lower + (0x80-'a')*eachByte) &^ (lower + (0x80-'z'-1)*eachByte) &^ x & TopBits, lower
}

// SpaceBits has the top bit of every byte of x that is a space.
func SpaceBits(x uint64) uint64 {
	x ^= ' ' * eachByte
	return ^(x&^TopBits + 0x7f*eachByte | x) & TopBits
}

// EightAt is the eight bytes of a text from byte i on.
func EightAt(text *byte, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(unsafe.Pointer(text), i))[:])
}

// lettersOf counts the letters of ASCII at the beginning of eight bytes, and gives
// their symbols.
func lettersOf(x uint64) (letters int, symbols uint64) {
	is, lower := LetterBits(x)
	return bits.TrailingZeros64(^is&TopBits) / 8, lower & (0x1f * eachByte)
}

// CountRunes counts the characters that begin in text; a broken one counts as
// utf8.RuneCountInString counts it only if the text is valid, which documents are.
func CountRunes(text string) int {
	n := len(text)
	b := unsafe.Slice(unsafe.StringData(text), len(text))
	for ; len(b) >= 8; b = b[8:] {
		x := binary.LittleEndian.Uint64(b)
		n -= bits.OnesCount64(x >> 7 &^ (x >> 6) & 0x0101010101010101) // bytes 10xxxxxx go on
	}
	for _, c := range b {
		if !utf8.RuneStart(c) {
			n--
		}
	}
	return n
}
