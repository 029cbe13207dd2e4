// Package fold reduces texts to their letters and digits, so that two texts that differ in
// case, accents, punctuation, white space or line breaks are equal.
//
// A [Text] has one symbol of a byte for each letter, and for each symbol the byte of the
// original character. A flag marks the first symbol of each word. Words and seeds, which are
// windows of letters at word starts, are compared by their hashes ([WordHash], [SeedHashes]).
package fold

import (
	"encoding/binary"
	"slices"
	"unicode"
	"unicode/utf8"
	"unsafe"
)

// Text is a folded text: its letters and digits as small symbols. A word that is broken
// over two lines is one word, because the break is not a letter.
//
// Pos maps spans of symbols to spans of the original text.
type Text struct {
	Sym []byte   // symbols 1..127; the bit WordStart is set on a word's first symbol
	Pos []uint32 // byte of the character in the text; Pos[len(Sym)] is where folding ended
}

const (
	WordStart = 0x80 // flag of a word's first symbol
	Mask      = 0x7f // mask of the symbol itself

	// Padding is the number of zero bytes after the symbols, so that windows can be read whole.
	Padding = 32
	// LongToken is the number of symbols after which a token without spaces is divided by its content.
	LongToken = 24

	sharedSymbol = 94 // the first symbol that several letters have
)

// Classes of ASCII bytes that are not letters, in the table ASCII.
const (
	classBreak      = 0x80 + iota // ends a word
	classApostrophe               // within a word: no break
	classHyphen                   // breaks, unless the line ends
	// ClassOther is the class of bytes that are not ASCII: the character must be decoded.
	ClassOther
)

// ASCII has the symbol of each byte that is a letter or digit, and the class of others, which is 0x80 or more.
var ASCII = func() (t [256]byte) {
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
			t[b] = ClassOther
		default:
			t[b] = classBreak
		}
	}
	return t
}()

// reset empties f for a text of n bytes.
func (f *Text) reset(n int) {
	if cap(f.Sym) < n+Padding {
		f.Sym = make([]byte, 0, n+n/8+Padding)
		f.Pos = make([]uint32, 0, n+n/8+Padding)
	}
	f.Sym, f.Pos = f.Sym[:0], f.Pos[:0]
}

// reserve makes sure that n symbols and the padding fit into f after the first k.
func (f *Text) reserve(k, n int) (sym []byte, pos []uint32) {
	if need := k + n + Padding; need > cap(f.Sym) || need > cap(f.Pos) {
		f.Sym = slices.Grow(f.Sym[:k], need-k+need/8)
		f.Pos = slices.Grow(f.Pos[:k], need-k+need/8)
	}
	return f.Sym[:cap(f.Sym)], f.Pos[:cap(f.Pos)]
}

// foldStep is what a byte of ASCII does, so that folding needs no branch for letters
// and breaks: its symbol, the flag of the next symbol (unchanged where keep is set), and
// 1 if it is a letter. Special bytes are read one by one.
type foldStep struct {
	sym, flag, keep, letter uint8
}

const special = 0xff // letter of a foldStep that needs a look

var steps = func() (t [256]foldStep) {
	for b, c := range ASCII {
		switch {
		case c < 0x80:
			t[b] = foldStep{sym: c, letter: 1}
		case c == classBreak:
			t[b] = foldStep{flag: WordStart}
		case c == classApostrophe:
			t[b] = foldStep{keep: WordStart}
		default:
			t[b] = foldStep{keep: WordStart, letter: special}
		}
	}
	return t
}()

// foldWords folds text from byte i on, as long as it has only letters of ASCII and
// the characters between words, which is most of a text. sym and pos must have space
// for eight symbols more than the text can have: letters are written eight at
// a time, and the next ones overwrite those beyond the end.
func foldWords(text string, i int, sym []byte, pos []uint32, n, wordAt int, start byte) (at, symbols, lastWord int, flag byte) {
	in, out, places := unsafe.StringData(text), unsafe.SliceData(sym), unsafe.SliceData(pos)
	for i+8 <= len(text) {
		letters, eight := lettersOf(EightAt(in, i))
		binary.LittleEndian.PutUint64((*[8]byte)(unsafe.Add(unsafe.Pointer(out), n))[:], eight|uint64(start))
		p, at := (*[8]uint32)(unsafe.Add(unsafe.Pointer(places), 4*n)), uint32(i)
		p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7] = at, at+1, at+2, at+3, at+4, at+5, at+6, at+7
		if start != 0 {
			wordAt = n
		}
		n, i = n+letters, i+letters
		if letters > 0 {
			start = 0
		}
		if letters == 8 {
			if n-wordAt > LongToken-8 {
				break
			}
			continue
		}
		e := steps[*(*byte)(unsafe.Add(unsafe.Pointer(in), i))]
		if e.letter != 0 {
			break
		}
		start = start&e.keep | e.flag
		i++
		if start == 0 && n-wordAt > LongToken-8 {
			break
		}
	}
	return i, n, wordAt, start
}

// Fold folds text[from:to] into f. Positions count from the beginning of text.
func (f *Text) Fold(text string, from, to int) {
	f.reset(to - from)
	sym, pos := f.reserve(0, to-from)
	n := 0
	start := byte(WordStart) // flag of the next symbol
	word := 0                // where the last word began
	for i := from; i < to; i++ {
		if n-word <= LongToken-8 || start != 0 {
			if i, n, word, start = foldWords(text[:to], i, sym, pos, n, word, start); i == to {
				break
			}
		}
		e := steps[text[i]]
		if e.letter != special {
			if start != 0 {
				word = n
			}
			if n-word >= LongToken && e.letter != 0 && (e.sym+sym[n-1]*7+sym[n-2]*31)&3 == 0 {
				start, word = WordStart, n
			}
			sym[n] = e.sym | start
			pos[n] = uint32(i)
			n += int(e.letter)
			start = start&e.keep | e.flag
			continue
		}
		if text[i] == '-' {
			if j := lineBreak(text, i+1, to); j > 0 {
				i = j - 1
			} else {
				start = WordStart
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:to])
		var x Expansion
		if r < smallRunes {
			x = small[r]
		} else {
			x = expand(r)
		}
		if x.breaks || x.whole {
			start = WordStart
		}
		if int(x.N) > size {
			f.Sym, f.Pos = sym, pos
			sym, pos = f.reserve(n, to-i+len(x.s))
		}
		for _, s := range x.s[:x.N] {
			if start != 0 {
				word = n
			}
			sym[n] = s | start
			pos[n] = uint32(i)
			start = 0
			n++
		}
		i += size - 1
	}
	pos[n] = uint32(to)
	clear(sym[n : n+Padding])
	f.Sym, f.Pos = sym[:n], pos[:n+1]
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

// End is the byte after the character that symbol i-1 came from, and after the
// accents and vowel signs that combine with it, and after letters that are hidden there.
func (f *Text) End(text string, i int) int {
	p := int(f.Pos[i-1])
	_, size := utf8.DecodeRuneInString(text[p:])
	for p += size; p < len(text) && text[p] >= utf8.RuneSelf; p += size {
		var r rune
		if r, size = utf8.DecodeRuneInString(text[p:]); !unicode.Is(unicode.M, r) && !Hidden(r) {
			break
		}
	}
	return p
}

// HiddenPlane is added to a letter that is not to be compared (align/inflect). The sum is a character for
// private use, which is no letter.
const HiddenPlane = 0xf0000

// Hidden reports whether a character is a hidden letter.
func Hidden(r rune) bool { return r > HiddenPlane && r < HiddenPlane+0xfffe }

// Inside reports whether symbols i-1 and i came from one character.
func (f *Text) Inside(i int) bool {
	return i > 0 && i < len(f.Sym) && f.Pos[i] == f.Pos[i-1]
}

// Letters is the number of letters and digits of text after folding, the unit in
// which search spaces are counted.
func Letters(text string) int {
	var f Text
	f.Fold(text, 0, len(text))
	return len(f.Sym)
}

// SymbolAt is the number of symbols before byte i; k of them are known.
func (f *Text) SymbolAt(k, i int) int {
	lo, hi, stride := k, len(f.Sym), 16
	for lo+stride < hi && int(f.Pos[lo+stride]) < i {
		lo += stride
		stride *= 2
	}
	hi = min(hi, lo+stride)
	for lo < hi {
		mid := (lo + hi) / 2
		if int(f.Pos[mid]) < i {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
