package fold

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// expansion is what a character beyond ASCII folds to: up to three symbols; n is
// 0 for characters that vanish and breaks words if breaks is set.
type expansion struct {
	s      [3]byte
	N      uint8
	breaks bool
	whole  bool // a word of its own (scripts without spaces)
}

// small holds the expansions of the characters that European books use.
const smallRunes = 0x2500

var small = func() []expansion {
	t := make([]expansion, smallRunes)
	for r := rune(utf8.RuneSelf); r < smallRunes; r++ {
		t[r] = expand(r)
	}
	return t
}()

// letters that Unicode does not decompose, and how print replaces them.
var letterNames = map[rune]string{'æ': "ae", 'œ': "oe", 'ß': "ss", 'ø': "o", 'đ': "d", 'ł': "l", 'ð': "d", 'þ': "th", 'ı': "i", 'ħ': "h", 'ſ': "s", 'ς': "σ"}

func expand(r rune) expansion {
	switch {
	case r >= 0x4e00 && r <= 0x9fff: // a sign of its own, and they are many
		var e expansion
		e.add(r)
		return e
	case r == 0x2019 || r == 0x02bc || r == 0x00ad || r == 0x200b || r == 0x200c || r == 0x200d || r == 0x2060 || r == 0xfeff, unicode.Is(unicode.Mn, r):
		return expansion{}
	case !unicode.IsLetter(r) && !unicode.IsDigit(r):
		return expansion{breaks: true}
	}
	var e expansion
	text := string(unicode.ToLower(r))
	if s, ok := letterNames[unicode.ToLower(r)]; ok {
		text = s
	} else if d := norm.NFKD.PropertiesString(text).Decomposition(); d != nil {
		text = string(d)
	}
	for _, c := range text {
		c = unicode.ToLower(c)
		if s, ok := letterNames[c]; ok && s != text {
			for _, c := range s {
				e.add(c)
			}
			continue
		}
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			e.add(c)
		}
	}
	return e
}

// add gives c its symbol: Latin and digits, Greek and Cyrillic have their own,
// other scripts share 34; where a script writes words in one character it takes two.
func (e *expansion) add(c rune) {
	put := func(b byte) {
		if int(e.N) < len(e.s) {
			e.s[e.N] = b
			e.N++
		}
	}
	switch {
	case c < utf8.RuneSelf:
		if s := ASCII[c]; s < 0x80 {
			put(s)
		}
	case c >= 0x3b1 && c <= 0x3c9:
		put(byte(37 + c - 0x3b1)) // 37..61
	case c >= 0x430 && c <= 0x44f:
		put(byte(62 + c - 0x430)) // 62..93
	case unicode.Is(unicode.Lo, c) && c > 0x2e80:
		e.whole = true
		put(byte(sharedSymbol + c%34))
		put(byte(sharedSymbol + c/34%34))
	default:
		put(byte(sharedSymbol + c%34)) // 94..127
	}
}

// Equal counts the symbols of e that stand in sym at their place.
func (e *expansion) Equal(sym []byte) (n int) {
	for k, x := range e.s[:e.N] {
		if x == sym[k]&Mask {
			n++
		}
	}
	return n
}

// LetterOf is the symbol of a character that is one letter, and classBreak for others.
func LetterOf(r rune) byte {
	if e := Expand(r); e.N == 1 {
		return e.s[0]
	}
	return classBreak
}

func Expand(r rune) expansion {
	if r < smallRunes {
		return small[r]
	}
	return expand(r)
}
