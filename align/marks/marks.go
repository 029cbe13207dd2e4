// Package marks reads the quotation marks, colons, ellipses and square brackets of a text,
// and weighs in bits how much a mark at the end of a match supports it.
package marks

import (
	"math"
	"math/bits"
	"slices"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"github.com/commonplace/commonplace/align/fold"
)

// The quotation marks of a derived text are evidence: a match that begins at an
// opening mark and ends at a closing one is more likely a quotation than chance. The
// evidence of a mark follows from how many the text has: log2 of the fraction of
// quotations that are marked over the fraction of words that have such a mark beside
// them. A novel full of dialogue gains little, an essay with three quotations much.
const (
	quotedFraction = 0.6 // of quotations that are between marks, at each end
	colonFraction  = 0.2 // of quotations that follow a colon

	// MaxBits is the most evidence of one mark.
	MaxBits = 12.0
	// BothBits is the additional evidence where both ends are at marks.
	BothBits = 6.0

	markReach    = 48 // symbols between a segment and a mark that may end it
	maxInsertion = 80 // bytes between square brackets that are taken for an insertion
)

// Mark is one quotation mark of a text.
type Mark struct {
	At   int32 // symbol after an opening mark; end (exclusive) of the symbols before a closing one
	kind uint8
}

// Marks are the marks of one text, in order.
type Marks struct {
	Open, Close []Mark
	Colons      []Mark
	Ellipses    []int32 // symbol after each ellipsis
	Inserted    []bool  // symbols in square brackets, which the quoter may have put in; nil if none
	Cells       []bool  // for every 32 symbols, whether a mark is near
	bits        [kinds]float64
}

const (
	double = iota // " “ ” « » „
	single        // ' ‘ ’ ‹ ›
	colon         // introduces a quotation and opens it where no mark does
	kinds
)

// Kind is the kind of a quotation mark, whether it may open and whether it may close.
func Kind(r rune) (kind int, opens, closes bool) {
	switch r {
	case '"', '\u201f', '\uff02':
		return double, true, true
	case '\u201c':
		return double, true, true // closes in German
	case '\u201d', '\u00bb', '\u00ab', '\u300d':
		return double, r != '\u201d' && r != '\u300d', true
	case '\u201e', '\u300c':
		return double, true, false
	case '\'', '`':
		return single, true, true
	case '\u2018', '\u201a':
		return single, true, false
	case '\u2019':
		return single, false, true
	case '\u2039', '\u203a':
		return single, true, true
	}
	return -1, false, false
}

// AtEnds are marks of this evidence at the ends of a text, which is a quotation as a whole.
// The caller sets their offsets.
func AtEnds(bits float64) Marks {
	m := Marks{Open: make([]Mark, 1), Close: make([]Mark, 1)}
	m.bits[double] = bits
	return m
}

// Find reads the marks of text. f is the whole text folded.
func (m *Marks) Find(text string, f *fold.Text) {
	m.Open, m.Close, m.Colons, m.Ellipses, m.Inserted = m.Open[:0], m.Close[:0], m.Colons[:0], m.Ellipses[:0], nil
	r := reader{Marks: m, text: text, f: f, words: 1}
	for i := r.pass(0); i < len(text); i = r.pass(i) {
		i = r.read(i)
	}
	m.fillCells(len(f.Sym))
	for kind, n := range r.count {
		fraction := quotedFraction
		if kind == colon {
			fraction = colonFraction
		}
		m.bits[kind] = min(MaxBits, max(0, math.Log2(fraction*float64(r.words+50)/float64(n+1))))
	}
}

// fillCells records which symbols are near a mark.
func (m *Marks) fillCells(symbols int) {
	const reach = markReach + 8
	n := symbols/32 + 2
	m.Cells = slices.Grow(m.Cells[:0], n)[:n]
	clear(m.Cells)
	for _, list := range [][]Mark{m.Open, m.Close, m.Colons} {
		for _, k := range list {
			for c := max(0, (int(k.At)-reach)/32); c <= (int(k.At)+reach)/32 && c < n; c++ {
				m.Cells[c] = true
			}
		}
	}
}

// reader reads the marks of one text, byte by byte.
type reader struct {
	*Marks
	text  string
	f     *fold.Text
	known int // symbols before the last mark
	dots  int // in a row, with spaces between them or not
	words int
	count [kinds]int // of marks that open
}

// pass goes from byte i over letters and spaces, eight at a time. They are most of a text.
func (r *reader) pass(i int) int {
	for i+8 <= len(r.text) {
		x := fold.EightAt(unsafe.StringData(r.text), i)
		letters, _ := fold.LetterBits(x)
		spaces := fold.SpaceBits(x)
		n := bits.TrailingZeros64(^(letters|spaces)&fold.TopBits) &^ 7
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
func (r *reader) read(i int) int {
	switch c := r.text[i]; c {
	case ' ', '\n':
		r.words++
	case '\r', '\t', ',', ';', '-', '_', '(', ')', '!', '?', ']':
	case ':':
		if i+1 < len(r.text) && (r.text[i+1] == ' ' || r.text[i+1] == '\n') {
			r.Colons = append(r.Colons, Mark{r.symbolAt(i + 1), colon})
			r.count[colon]++
		}
	case '[':
		if end := insertion(r.text, i); end > 0 {
			r.insert(i, end)
		}
	default:
		if fold.ASCII[c] >= 0x80 {
			return r.readRune(i)
		}
		r.dots = 0 // a letter or a digit
	}
	return i + 1
}

// readRune reads a dot, a quotation mark, or a character that is not ASCII.
func (r *reader) readRune(i int) int {
	c, size := utf8.DecodeRuneInString(r.text[i:])
	switch c {
	case '.', '\u2026':
		if r.dots++; r.dots == 3 || c == '\u2026' {
			r.Ellipses = append(r.Ellipses, r.symbolAt(i))
		}
		return i + size
	}
	if kind, opens, closes := Kind(c); kind >= 0 {
		r.quotationMark(i, i+size, kind, opens, closes)
	} else if unicode.IsLetter(c) {
		r.dots = 0
	}
	return i + size
}

// quotationMark records the mark at bytes begin to end as opening or closing, by the characters beside it.
func (r *reader) quotationMark(begin, end, kind int, opens, closes bool) {
	before, _ := utf8.DecodeLastRuneInString(r.text[:begin])
	after, _ := utf8.DecodeRuneInString(r.text[end:])
	wordBefore, wordAfter := begin > 0 && fold.IsLetter(before), end < len(r.text) && fold.IsLetter(after)
	if kind == single && wordBefore && wordAfter {
		return // an apostrophe
	}
	k := Mark{r.symbolAt(begin), uint8(kind)}
	if opens && !wordBefore && end < len(r.text) && !unicode.IsSpace(after) {
		r.Open = append(r.Open, k)
		r.count[kind]++
	}
	if closes && !wordAfter && begin > 0 && !unicode.IsSpace(before) {
		r.Close = append(r.Close, k)
	}
}

// insert records the symbols from byte i to end as inserted.
func (r *reader) insert(i, end int) {
	if r.Inserted == nil {
		r.Inserted = make([]bool, len(r.f.Sym))
	}
	for n := int(r.symbolAt(i)); n < len(r.f.Sym) && int(r.f.Pos[n]) < end; n++ {
		r.Inserted[n] = true
	}
}

// symbolAt is the number of symbols before byte i, which is not before the last one asked for.
func (r *reader) symbolAt(i int) int32 {
	r.known = r.f.SymbolAt(r.known, i)
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

// At is the evidence of the best mark of list at symbol i.
func (m *Marks) At(list []Mark, i int) float64 {
	lo, hi := 0, len(list)
	for lo < hi {
		mid := (lo + hi) / 2
		if int(list[mid].At) < i {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	best := 0.0
	for ; lo < len(list) && int(list[lo].At) == i; lo++ {
		best = max(best, m.bits[list[lo].kind])
	}
	return best
}

// Ending is a mark that may be the end of a segment: its symbol and its evidence.
type Ending struct {
	At   int
	Bits float64
}

// Beside is the marks with the most evidence near the two ends of symbols from..to; Bits is 0
// where there is none.
func (m *Marks) Beside(from, to int) (open, closing Ending) {
	if m.Cells != nil && !m.Cells[from/32] && !m.Cells[to/32] {
		return open, closing
	}
	for _, k := range Around(m.Open, from-markReach/2+4, markReach/2+4) {
		if b := m.bits[k.kind]; b >= open.Bits {
			open = Ending{int(k.At), b}
		}
	}
	if open.Bits == 0 {
		for _, k := range Around(m.Colons, from-markReach/2+4, markReach/2+4) {
			open = Ending{int(k.At), m.bits[colon]}
		}
	}
	for _, k := range Around(m.Close, to+markReach/2-4, markReach/2+4) {
		if b := m.bits[k.kind]; b > closing.Bits {
			closing = Ending{int(k.At), b}
		}
	}
	return open, closing
}

// Around is the part of list within reach of symbol i.
func Around(list []Mark, i, reach int) []Mark {
	lo, hi := 0, len(list)
	for lo < hi {
		mid := (lo + hi) / 2
		if int(list[mid].At) < i-reach {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for hi = lo; hi < len(list) && int(list[hi].At) <= i+reach; hi++ {
	}
	return list[lo:hi]
}

// After is the symbol of the first mark at or after i within reach, or -1.
func After(list []Mark, i, reach int) int {
	for _, k := range Around(list, i+reach/2, reach/2) {
		if int(k.At) >= i {
			return int(k.At)
		}
	}
	return -1
}

// Before is the symbol of the last mark at or before i within reach, or -1.
func Before(list []Mark, i, reach int) int {
	best := -1
	for _, k := range Around(list, i-reach/2, reach/2) {
		if int(k.At) <= i {
			best = int(k.At)
		}
	}
	return best
}
