package align

import (
	"math"
	"math/bits"
	"slices"
	"unicode"
	"unicode/utf8"
	"unsafe"
)

// Quotation marks and ellipses of a derived text are evidence: where a find
// begins at an opening mark and ends at a closing one, it is more likely a
// quotation than chance. How much a mark says follows from how many the text
// has: log2 of the share of quotations that are marked over the share of words
// that have such a mark beside them. A novel full of dialogue gains little, an
// essay with three quotations much.
const (
	markedShare = 0.6 // share of quotations that stand between marks, each side
	introShare  = 0.2 // share of quotations that stand after a colon
	maxMarkBits = 12.0
	bothMarks   = 6.0 // bits more where both ends stand at marks

	nearBy       = 48 // symbols between a segment and a mark that may end it
	maxInsertion = 80 // bytes between square brackets that are taken for an insertion
)

// mark is one quotation mark of a text.
type mark struct {
	at   int32 // symbol before which an opening mark stands, after which (exclusive end) a closing one
	kind uint8 // index in markBits
}

// marks of one text, in order.
type marks struct {
	open, close []mark
	intro       []mark  // colons
	skips       []int32 // symbol before which an ellipsis stands, in order
	inserted    []bool  // symbols in square brackets, which the quoter may have put in; nil if none
	bits        [markKinds]float64
	cells       []bool // for stretches of 32 symbols, whether a mark stands within near's reach
}

const (
	markDouble = iota // " “ ” « » „
	markSingle        // ' ‘ ’ ‹ ›
	markIntro         // a colon, which announces a quotation and opens it where no mark does
	markKinds
)

// markKind is the kind of a quotation mark, whether it may open and whether it may close.
func markKind(r rune) (kind int, opens, closes bool) {
	switch r {
	case '"', '\u201f', '\uff02':
		return markDouble, true, true
	case '\u201c':
		return markDouble, true, true // closes in German
	case '\u201d', '\u00bb', '\u00ab', '\u300d':
		return markDouble, r != '\u201d' && r != '\u300d', true
	case '\u201e', '\u300c':
		return markDouble, true, false
	case '\'', '`':
		return markSingle, true, true
	case '\u2018', '\u201a':
		return markSingle, true, false
	case '\u2019':
		return markSingle, false, true
	case '\u2039', '\u203a':
		return markSingle, true, true
	}
	return -1, false, false
}

// find reads the marks of text. f is the text folded whole.
func (m *marks) find(text string, f *folded) {
	m.open, m.close, m.intro, m.skips, m.inserted = m.open[:0], m.close[:0], m.intro[:0], m.skips[:0], nil
	r := markReader{marks: m, text: text, f: f, words: 1}
	for i := r.pass(0); i < len(text); i = r.pass(i) {
		i = r.read(i)
	}
	m.fillCells(len(f.sym))
	for kind, n := range r.count {
		share := markedShare
		if kind == markIntro {
			share = introShare
		}
		m.bits[kind] = min(maxMarkBits, max(0, math.Log2(share*float64(r.words+50)/float64(n+1))))
	}
}

// fillCells notes near which symbols a mark stands.
func (m *marks) fillCells(symbols int) {
	const reach = nearBy + 8
	n := symbols/32 + 2
	m.cells = slices.Grow(m.cells[:0], n)[:n]
	clear(m.cells)
	for _, list := range [][]mark{m.open, m.close, m.intro} {
		for _, k := range list {
			for c := max(0, (int(k.at)-reach)/32); c <= (int(k.at)+reach)/32 && c < n; c++ {
				m.cells[c] = true
			}
		}
	}
}

// markReader reads the marks of one text, byte by byte.
type markReader struct {
	*marks
	text  string
	f     *folded
	known int // symbols before the last mark
	dots  int // in a row, with spaces between them or not
	words int
	count [markKinds]int // of marks that open
}

// pass goes from byte i over letters and spaces, eight at a time. They are most of a text.
func (r *markReader) pass(i int) int {
	for i+8 <= len(r.text) {
		x := eightAt(unsafe.StringData(r.text), i)
		letters, _ := letterBits(x)
		spaces := spaceBits(x)
		n := bits.TrailingZeros64(^(letters|spaces)&topBits) &^ 7
		passed := uint64(1)<<n - 1 // all ones for eight, since a shift by 64 gives 0
		r.words += bits.OnesCount64(spaces & passed)
		if letters&passed != 0 {
			r.dots = 0
		}
		if i += n / 8; n < 64 {
			break
		}
	}
	return i
}

// read reads the character at byte i and returns the byte after it.
func (r *markReader) read(i int) int {
	switch c := r.text[i]; c {
	case ' ', '\n':
		r.words++
	case '\r', '\t', ',', ';', '-', '_', '(', ')', '!', '?', ']':
	case ':':
		if i+1 < len(r.text) && (r.text[i+1] == ' ' || r.text[i+1] == '\n') {
			r.intro = append(r.intro, mark{r.symbolAt(i + 1), markIntro})
			r.count[markIntro]++
		}
	case '[':
		if end := insertion(r.text, i); end > 0 {
			r.insert(i, end)
		}
	default:
		if ascii[c] >= 0x80 {
			return r.readRune(i)
		}
		r.dots = 0 // a letter or a digit
	}
	return i + 1
}

// readRune reads a dot, a quotation mark, or a character that is not ASCII.
func (r *markReader) readRune(i int) int {
	c, size := utf8.DecodeRuneInString(r.text[i:])
	switch c {
	case '.', '\u2026':
		if r.dots++; r.dots == 3 || c == '\u2026' {
			r.skips = append(r.skips, r.symbolAt(i))
		}
		return i + size
	}
	if kind, opens, closes := markKind(c); kind >= 0 {
		r.quotationMark(i, i+size, kind, opens, closes)
	} else if unicode.IsLetter(c) {
		r.dots = 0
	}
	return i + size
}

// quotationMark enters the mark at bytes begin to end as what it is by the characters beside it.
func (r *markReader) quotationMark(begin, end, kind int, opens, closes bool) {
	before, _ := utf8.DecodeLastRuneInString(r.text[:begin])
	after, _ := utf8.DecodeRuneInString(r.text[end:])
	wordBefore, wordAfter := begin > 0 && wordRune(before), end < len(r.text) && wordRune(after)
	if kind == markSingle && wordBefore && wordAfter {
		return // an apostrophe
	}
	k := mark{r.symbolAt(begin), uint8(kind)}
	if opens && !wordBefore && end < len(r.text) && !unicode.IsSpace(after) {
		r.open = append(r.open, k)
		r.count[kind]++
	}
	if closes && !wordAfter && begin > 0 && !unicode.IsSpace(before) {
		r.close = append(r.close, k)
	}
}

// insert notes the symbols from byte i to end as inserted.
func (r *markReader) insert(i, end int) {
	if r.inserted == nil {
		r.inserted = make([]bool, len(r.f.sym))
	}
	for n := int(r.symbolAt(i)); n < len(r.f.sym) && int(r.f.pos[n]) < end; n++ {
		r.inserted[n] = true
	}
}

// symbolAt is the number of symbols before byte i, which is not before the last one asked for.
func (r *markReader) symbolAt(i int) int32 {
	r.known = r.f.symbolAt(r.known, i)
	return int32(r.known)
}

// insertion is the byte of the bracket that closes the one at i, if that is near; 0 otherwise.
func insertion(text string, i int) int {
	for j := i + 1; j < min(len(text), i+maxInsertion); j++ {
		switch text[j] {
		case ']':
			return j
		case '[':
			return 0
		}
	}
	return 0
}

// symbolAt is the number of symbols before byte i; k of them are known.
func (f *folded) symbolAt(k, i int) int {
	lo, hi, stride := k, len(f.sym), 16
	for lo+stride < hi && int(f.pos[lo+stride]) < i {
		lo += stride
		stride *= 2
	}
	hi = min(hi, lo+stride)
	for lo < hi {
		mid := (lo + hi) / 2
		if int(f.pos[mid]) < i {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// at is the bits of the best mark of list that stands at symbol i.
func (m *marks) at(list []mark, i int) float64 {
	lo, hi := 0, len(list)
	for lo < hi {
		mid := (lo + hi) / 2
		if int(list[mid].at) < i {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	best := 0.0
	for ; lo < len(list) && int(list[lo].at) == i; lo++ {
		best = max(best, m.bits[list[lo].kind])
	}
	return best
}

// ending is a mark that may end a stretch: where it stands and what it would say.
type ending struct {
	at   int
	bits float64
}

// near is the marks near both ends of symbols from..to that say most; bits is 0
// where there is none.
func (m *marks) near(from, to int) (open, closing ending) {
	if m.cells != nil && !m.cells[from/32] && !m.cells[to/32] {
		return open, closing
	}
	for _, k := range around(m.open, from-nearBy/2+4, nearBy/2+4) {
		if b := m.bits[k.kind]; b >= open.bits {
			open = ending{int(k.at), b}
		}
	}
	if open.bits == 0 {
		for _, k := range around(m.intro, from-nearBy/2+4, nearBy/2+4) {
			open = ending{int(k.at), m.bits[markIntro]}
		}
	}
	for _, k := range around(m.close, to+nearBy/2-4, nearBy/2+4) {
		if b := m.bits[k.kind]; b > closing.bits {
			closing = ending{int(k.at), b}
		}
	}
	return open, closing
}

// around is the part of list within reach of symbol i.
func around(list []mark, i, reach int) []mark {
	lo, hi := 0, len(list)
	for lo < hi {
		mid := (lo + hi) / 2
		if int(list[mid].at) < i-reach {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for hi = lo; hi < len(list) && int(list[hi].at) <= i+reach; hi++ {
	}
	return list[lo:hi]
}
