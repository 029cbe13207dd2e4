package segment

import (
	"math/bits"
	"unicode/utf8"
)

// points counts the code points of a part of a text that is known to be valid
// UTF-8: the bytes that do not continue a character. Parts begin and end
// between characters.
func points(text string) int {
	n, i := len(text), 0
	for ; i+8 <= len(text); i += 8 {
		if x := load(text, i); x&highs != 0 {
			n -= bits.OnesCount64(x &^ (x << 1) & highs)
		}
	}
	for ; i < len(text); i++ {
		if text[i]&0xc0 == 0x80 {
			n--
		}
	}
	return n
}

// counter is the way to count code points in parts of this text, and how many
// it has in all.
func counter(text string) (counted func(string) int, all int) {
	switch all = points(text); {
	case all == len(text): // no byte continues a character
		return func(slice string) int { return len(slice) }, all
	case utf8.ValidString(text):
		return points, all
	}
	return utf8.RuneCountInString, utf8.RuneCountInString(text)
}
