package fold

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Expansion is what a character beyond ASCII folds to: up to three symbols; N is
// 0 for characters that vanish.
type Expansion struct {
	s      [3]byte
	N      uint8
	breaks bool // it ends a word
	whole  bool // a word of its own (scripts without spaces)
}

// smallRunes is the end of the characters that European books use; a table has their expansions.
const smallRunes = 0x2500

var small = func() []Expansion {
	t := make([]Expansion, smallRunes)
	for r := rune(utf8.RuneSelf); r < smallRunes; r++ {
		t[r] = expand(r)
	}
	return t
}()

// letterNames are letters that Unicode does not decompose, and how print replaces them.
var letterNames = map[rune]string{'æ': "ae", 'œ': "oe", 'ß': "ss", 'ø': "o", 'đ': "d", 'ł': "l", 'ð': "d", 'þ': "th", 'ı': "i", 'ħ': "h", 'ſ': "s", 'ς': "σ"}

// expand computes the expansion of a character.
func expand(r rune) Expansion {
	switch {
	case r >= 0x4e00 && r <= 0x9fff: // a sign of its own, and they are many
		var e Expansion
		e.add(r)
		return e
	case r == 0x2019 || r == 0x02bc || r == 0x00ad || r == 0x200b || r == 0x200c || r == 0x200d || r == 0x2060 || r == 0xfeff, unicode.Is(unicode.Mn, r):
		return Expansion{}
	case !unicode.IsLetter(r) && !unicode.IsDigit(r):
		return Expansion{breaks: true}
	}
	var e Expansion
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
func (e *Expansion) add(c rune) {
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

// Equal counts the symbols of e that are equal to those of sym, in order.
func (e *Expansion) Equal(sym []byte) (n int) {
	for k, x := range e.s[:e.N] {
		if x == sym[k]&Mask {
			n++
		}
	}
	return n
}

// LetterOf is the symbol of a character that is one letter, and a class (0x80 or more) for others.
func LetterOf(r rune) byte {
	if e := Expand(r); e.N == 1 {
		return e.s[0]
	}
	return classBreak
}

// Expand is the expansion of a character.
func Expand(r rune) Expansion {
	if r < smallRunes {
		return small[r]
	}
	return expand(r)
}
