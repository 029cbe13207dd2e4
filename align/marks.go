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

// findMarks reads the marks of text. f is the text folded whole.
func (m *marks) find(text string, f *folded) {
	m.open, m.close, m.intro, m.skips, m.inserted = m.open[:0], m.close[:0], m.intro[:0], m.skips[:0], nil
	k := 0 // symbols before byte i
	dots := 0
	var count [markKinds]int
	words := 1
	for i := 0; i < len(text); {
		// Letters and spaces, eight at a time, are most of a text.
		if i+8 <= len(text) {
			x := eightAt(unsafe.StringData(text), i)
			letters, _ := letterBits(x)
			spaces := spaceBits(x)
			n := bits.TrailingZeros64(^(letters|spaces)&topBits) &^ 7
			passed := uint64(1)<<n - 1 // all ones for eight, since a shift by 64 gives 0
			words += bits.OnesCount64(spaces & passed)
			if letters&passed != 0 {
				dots = 0
			}
			if i += n / 8; n == 64 {
				continue
			}
		}
		c := text[i]
		if ascii[c] < 0x80 {
			i++
			dots = 0
			continue
		}
		switch c {
		case '[':
			if end := insertion(text, i); end > 0 {
				if m.inserted == nil {
					m.inserted = make([]bool, len(f.sym))
				}
				k = symbolAt(f, k, i)
				for n := k; n < len(f.sym) && int(f.pos[n]) < end; n++ {
					m.inserted[n] = true
				}
			}
			i++
			continue
		case ':':
			if i++; i < len(text) && (text[i] == ' ' || text[i] == '\n') {
				k = symbolAt(f, k, i)
				m.intro = append(m.intro, mark{int32(k), markIntro})
				count[markIntro]++
			}
			continue
		case ' ', '\n', '\r', '\t', ',', ';', '-', '_', '(', ')', '!', '?', ']':
			if c == ' ' || c == '\n' {
				words++
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == '.' || r == '\u2026' {
			dots++
			if dots == 3 || r == '\u2026' {
				k = symbolAt(f, k, i)
				m.skips = append(m.skips, int32(k))
			}
			i += size
			continue
		}
		kind, opens, closes := markKind(r)
		if kind >= 0 {
			before, _ := utf8.DecodeLastRuneInString(text[:i])
			after, _ := utf8.DecodeRuneInString(text[i+size:])
			tightLeft, tightRight := i > 0 && !unicode.IsSpace(before), i+size < len(text) && !unicode.IsSpace(after)
			inside := wordRune(before) && wordRune(after) && kind == markSingle
			k = symbolAt(f, k, i)
			if opens && tightRight && !inside && (!wordRune(before) || i == 0) {
				m.open = append(m.open, mark{int32(k), uint8(kind)})
				count[kind]++
			}
			if closes && tightLeft && !inside && !wordRune(after) {
				m.close = append(m.close, mark{int32(k), uint8(kind)})
			}
		}
		if unicode.IsLetter(r) {
			dots = 0
		}
		i += size
	}
	m.cells = slices.Grow(m.cells[:0], len(f.sym)/32+2)[:len(f.sym)/32+2]
	clear(m.cells)
	for _, list := range [][]mark{m.open, m.close, m.intro} {
		for _, k := range list {
			for c := max(0, (int(k.at)-markNearBy-8)/32); c <= (int(k.at)+markNearBy+8)/32 && c < len(m.cells); c++ {
				m.cells[c] = true
			}
		}
	}
	for kind, n := range count {
		share := markedShare
		if kind == markIntro {
			share = introShare
		}
		m.bits[kind] = min(maxMarkBits, max(0, math.Log2(share*float64(words+50)/float64(n+1))))
	}
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

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// symbolAt is the number of symbols before byte i; k of them are known.
func symbolAt(f *folded, k, i int) int {
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
func (m *marks) near(from, to int) (open, close ending) {
	if m.cells != nil && !m.cells[from/32] && !m.cells[to/32] {
		return open, close
	}
	for _, k := range around(m.open, from-markNearBy/2+4, markNearBy/2+4) {
		if b := m.bits[k.kind]; b >= open.bits {
			open = ending{int(k.at), b}
		}
	}
	if open.bits == 0 {
		for _, k := range around(m.intro, from-markNearBy/2+4, markNearBy/2+4) {
			open = ending{int(k.at), m.bits[markIntro]}
		}
	}
	for _, k := range around(m.close, to+markNearBy/2-4, markNearBy/2+4) {
		if b := m.bits[k.kind]; b > close.bits {
			close = ending{int(k.at), b}
		}
	}
	return open, close
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

func abs(i int) int {
	if i < 0 {
		return -i
	}
	return i
}
