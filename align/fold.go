package align

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A folded text is its letters and digits alone, as small symbols: no case, no
// accents, no punctuation, no white space. A word broken over a line is one
// word again, because the break is no letter.
//
// pos gives for every symbol the byte at which its character begins, so that
// spans can be given back in the text as it was.
type folded struct {
	sym []byte   // symbols 1..127; the bit wordStart is set on a word's first symbol
	pos []uint32 // byte of the character in the text; pos[len(sym)] is where folding ended
}

const (
	wordStart = 0x80 // flag of a word's first symbol
	symbol    = 0x7f // mask of the symbol itself
	padding   = 32   // zero bytes after the symbols, so that windows can be read whole

	longToken = 24 // symbols after which a token without spaces is cut by content
)

// Classes of ASCII bytes that are no letters, in the table ascii.
const (
	classBreak      = 0x80 + iota // ends a word
	classApostrophe               // stands within words: no break
	classHyphen                   // breaks, unless the line ends
	classOther                    // not ASCII: decode
)

var ascii = func() (t [256]byte) {
	for b := range t {
		switch {
		case b >= 'a' && b <= 'z':
			t[b] = byte(b-'a') + 1
		case b >= 'A' && b <= 'Z':
			t[b] = byte(b-'A') + 1
		case b >= '0' && b <= '9':
			t[b] = byte(b-'0') + 27
		case b == '\'':
			t[b] = classApostrophe
		case b == '-':
			t[b] = classHyphen
		case b >= utf8.RuneSelf:
			t[b] = classOther
		default:
			t[b] = classBreak
		}
	}
	return t
}()

// expansion is what a character beyond ASCII folds to: up to three symbols; n is
// 0 for characters that vanish and breaks words if breaks is set.
type expansion struct {
	s      [3]byte
	n      uint8
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
var special = map[rune]string{'æ': "ae", 'œ': "oe", 'ß': "ss", 'ø': "o", 'đ': "d", 'ł': "l", 'ð': "d", 'þ': "th", 'ı': "i", 'ħ': "h", 'ſ': "s", 'ς': "σ"}

func expand(r rune) expansion {
	switch {
	case r == 0x2019 || r == 0x02bc || r == 0x00ad || r == 0x200b || r == 0x200c || r == 0x200d || r == 0x2060 || r == 0xfeff, unicode.Is(unicode.Mn, r):
		return expansion{}
	case !unicode.IsLetter(r) && !unicode.IsDigit(r):
		return expansion{breaks: true}
	}
	var e expansion
	text := string(unicode.ToLower(r))
	if s, ok := special[unicode.ToLower(r)]; ok {
		text = s
	} else if d := norm.NFKD.PropertiesString(text).Decomposition(); d != nil {
		text = string(d)
	}
	for _, c := range text {
		c = unicode.ToLower(c)
		if s, ok := special[c]; ok && s != text {
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
		if int(e.n) < len(e.s) {
			e.s[e.n] = b
			e.n++
		}
	}
	switch {
	case c < utf8.RuneSelf:
		if s := ascii[c]; s < 0x80 {
			put(s)
		}
	case c >= 0x3b1 && c <= 0x3c9:
		put(byte(37 + c - 0x3b1)) // 37..61
	case c >= 0x430 && c <= 0x44f:
		put(byte(62 + c - 0x430)) // 62..93
	case unicode.Is(unicode.Lo, c) && c > 0x2e80:
		e.whole = true
		put(byte(94 + c%34))
		put(byte(94 + c/34%34))
	default:
		put(byte(94 + c%34)) // 94..127
	}
}

// reset empties f for a text of n bytes.
func (f *folded) reset(n int) {
	if cap(f.sym) < n+padding {
		f.sym = make([]byte, 0, n+n/8+padding)
		f.pos = make([]uint32, 0, n+n/8+padding)
	}
	f.sym, f.pos = f.sym[:0], f.pos[:0]
}

// fold reads text[from:to] into f. Positions count from the text's beginning.
func (f *folded) fold(text string, from, to int) {
	f.reset(to - from)
	sym, pos := f.sym, f.pos
	start := byte(wordStart) // flag of the next symbol
	token := 0               // symbols since the last word start
	for i := from; i < to; {
		c := ascii[text[i]]
		if c < 0x80 {
			token++
			if start != 0 {
				token = 0
			} else if token >= longToken && (c+sym[len(sym)-1]*7+sym[len(sym)-2]*31)&3 == 0 {
				start, token = wordStart, 0
			}
			sym = append(sym, c|start)
			pos = append(pos, uint32(i))
			start = 0
			i++
			continue
		}
		switch c {
		case classBreak:
			start = wordStart
			i++
		case classApostrophe:
			i++
		case classHyphen:
			i++
			if j := lineBreak(text, i, to); j > 0 {
				i = j
			} else {
				start = wordStart
			}
		default:
			r, size := utf8.DecodeRuneInString(text[i:to])
			var e expansion
			if r < smallRunes {
				e = small[r]
			} else {
				e = expand(r)
			}
			if e.breaks {
				start = wordStart
			}
			if e.whole {
				start = wordStart
			}
			for _, s := range e.s[:e.n] {
				sym = append(sym, s|start)
				pos = append(pos, uint32(i))
				start = 0
				token++
			}
			i += size
		}
	}
	pos = append(pos, uint32(to))
	n := len(sym)
	for range padding {
		sym = append(sym, 0)
	}
	f.sym, f.pos = sym[:n], pos
}

// lineBreak is the byte after the white space at i, if that holds a line's end
// and a letter follows; 0 otherwise.
func lineBreak(text string, i, to int) int {
	broken := false
	for ; i < to; i++ {
		switch text[i] {
		case '\n', '\r':
			broken = true
		case ' ', '\t':
		default:
			if broken {
				return i
			}
			return 0
		}
	}
	return 0
}

// end is the byte after the character that symbol i-1 came from.
func (f *folded) end(text string, i int) int {
	p := int(f.pos[i-1])
	_, size := utf8.DecodeRuneInString(text[p:])
	return p + size
}

// Letters is the number of letters and digits of text after folding, the unit in
// which search spaces are counted.
func Letters(text string) int {
	var f folded
	f.fold(text, 0, len(text))
	return len(f.sym)
}
