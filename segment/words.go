package segment

import (
	"iter"
	"math/bits"
)

// ByWords cuts every n words (RA-MTR, Appendix D, Algorithm 3: 200). A piece
// begins with its first word's first character and ends after its last word's
// last; the last piece of a text may hold fewer words.
func ByWords(n int) Cut {
	return func(text string) iter.Seq[Piece] {
		return func(yield func(Piece) bool) {
			for i := skipSpace(text, 0); i < len(text); {
				next, words := afterWords(text, i, n)
				_, end := trim(text, i, next)
				if !yield(Piece{Begin: i, End: end, Words: words}) {
					return
				}
				i = next
			}
		}
	}
}

// Words counts the words of a text as len(text.split()) does in Python.
func Words(text string) int {
	_, words := afterWords(text, 0, len(text)+1)
	return words
}

// Eight bytes are looked at together; bit 7 of each byte of a mask speaks for it.
const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// afterWords is where the word begins that follows the n words from byte i on,
// or the end of the text, and how many words there were.
func afterWords(text string, i, n int) (next, words int) {
	before := uint64(highs >> 56) // bit 7: the byte before is white space
	for i < len(text) {
		if i+8 <= len(text) {
			if x := load(text, i); x&highs == 0 {
				space := spaces(x)
				starts := ^space & highs & (space<<8 | before)
				if found := bits.OnesCount64(starts); words+found > n {
					for ; words < n; words++ {
						starts &= starts - 1
					}
					return i + bits.TrailingZeros64(starts)/8, n
				} else {
					words += found
				}
				before = space >> 56
				i += 8
				continue
			}
		}
		// Characters one by one, as far as the eight bytes reach.
		for stop := min(i+8, len(text)); i < stop; {
			if size := spaceLen(text, i); size > 0 {
				before = highs >> 56
				i += size
				continue
			}
			if before != 0 {
				if words == n {
					return i, n
				}
				words++
				before = 0
			}
			i++
		}
	}
	return len(text), words
}

// load reads eight bytes of a text from byte i on.
func load(text string, i int) uint64 {
	b := text[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// spaces marks the white space among eight ASCII characters: U+0009 to U+000D
// and U+001C to U+0020. No sum carries into the next byte, since all are below 0x80.
func spaces(x uint64) uint64 {
	low := (x + (0x80-0x09)*ones) &^ (x + (0x7f-0x0d)*ones)
	high := (x + (0x80-0x1c)*ones) &^ (x + (0x7f-0x20)*ones)
	return (low | high) & highs
}
