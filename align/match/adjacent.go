package match

import (
	"encoding/binary"
	"slices"
	"unicode"

	"github.com/commonplace/commonplace/align/fold"
)

// Beside an ellipsis little evidence is enough, because the source has few candidates.
// Where the sentence next to the ellipsis and the next sentence of the source have a common
// substring of 15 characters, spaces included, it belongs to the quotation, whatever
// the surprisal of its words (RELiC, Thai et al. 2022, section on ellipses).
const (
	adjacentCharacters = 15
	adjacentBytes      = 1200 // read on either side
)

// adjacent is the piece after a (step 1) or before it (step -1), over an ellipsis,
// that the rule of adjacent sentences finds.
func (m *Matcher) adjacent(a *Piece, step int) (Piece, bool) {
	var b Bounds
	if step > 0 {
		b.DLo = a.D1
		b.DHi = min(m.DHi, m.Derived.SymbolAt(0, sentenceEnd(m.DerivedText, int(m.Derived.Pos[a.D1]), len(m.DerivedText))))
		rest := sentenceEnd(m.SourceText, a.S1, m.SHi)
		b.SLo, b.SHi = m.window(a.S1, sentenceEnd(m.SourceText, rest, m.SHi))
	} else {
		b.DHi = a.D0
		b.DLo = max(m.DLo, m.Derived.SymbolAt(0, sentenceBegin(m.DerivedText, int(m.Derived.Pos[a.D0]), 0)))
		rest := sentenceBegin(m.SourceText, a.S0, m.SLo)
		b.SLo, b.SHi = m.window(sentenceBegin(m.SourceText, rest, m.SLo), a.S0)
	}
	if b.DLo >= b.DHi || b.SLo >= b.SHi {
		return Piece{}, false
	}
	m.win.Fold(m.SourceText, b.SLo, b.SHi)
	i, j, steps := m.inCommon.characters(m.Derived.Sym[b.DLo:b.DHi], m.win.Sym)
	m.x.Cells += steps + b.DHi - b.DLo + len(m.win.Sym)
	if i < 0 {
		return Piece{}, false
	}
	return m.alignWithin(b, b.DLo+i, int(m.win.Pos[j]))
}

// sentenceEnd is the byte after the sentence that goes on at byte i, or after a
// piece of it.
func sentenceEnd(text string, i, end int) int {
	end = min(end, i+adjacentBytes)
	letters := false
	for i < end {
		r, size := decode(text, i)
		i += size
		if letters = letters || fold.IsLetter(r); letters && (r == '.' || r == '?' || r == '!') {
			if next, _ := decode(text, i); i >= end || !fold.IsLetter(next) && next != '.' {
				return i
			}
		}
	}
	return end
}

// sentenceBegin is the byte at which the sentence begins that goes on before byte
// i, or a piece of it.
func sentenceBegin(text string, i, begin int) int {
	begin = max(begin, i-adjacentBytes)
	letters := false
	for i > begin {
		r, size := decodeLast(text, i)
		if letters && (r == '.' || r == '?' || r == '!') {
			if next, _ := decode(text, i); unicode.IsSpace(next) || !fold.IsLetter(next) && next != '.' {
				return i
			}
		}
		letters = letters || fold.IsLetter(r)
		i -= size
	}
	return begin
}

// inCommon finds what two sides have in common by the windows of adjacentLetters
// symbols of the derived one.
type inCommon struct {
	head [1 << commonBits]uint16 // 1 + the first window of one hash, 0 for none
	next []uint16                // 1 + the next window of its hash
	keys []uint64
}

const (
	adjacentLetters = (adjacentCharacters + 1) / 2 // of 15 characters at least, if every word has one
	commonBits      = 11
)

// characters is the beginning of the longest row of characters that d and s, of at most
// 2^16 symbols, have in common, with a space between words counted for one; -1 if it is
// shorter than the rule asks. Ties go to what ends leftmost in d, then in s. steps is the number
// of pairs of offsets compared.
func (c *inCommon) characters(d, s []byte) (i, j, steps int) {
	const first = ^uint64(fold.WordStart) // the row may begin within a word
	clear(c.head[:])
	c.keys, c.next = c.keys[:0], slices.Grow(c.next[:0], len(d))[:len(d)]
	for k := 0; k+adjacentLetters <= len(d); k++ {
		c.keys = append(c.keys, binary.LittleEndian.Uint64(d[k:])&first)
	}
	for k := len(c.keys) - 1; k >= 0; k-- {
		head := &c.head[fold.Mix(c.keys[k])>>(64-commonBits)]
		c.next[k], *head = *head, uint16(k+1)
	}
	best, last := adjacentCharacters-1, [2]int{-1, -1} // nothing ties with what is too short
	i, j = -1, -1
	for sj := 0; sj+adjacentLetters <= len(s); sj++ {
		steps++
		key := binary.LittleEndian.Uint64(s[sj:]) & first
		for at := int(c.head[fold.Mix(key)>>(64-commonBits)]); at > 0; at = int(c.next[at-1]) {
			di := at - 1
			steps++
			if c.keys[di] != key || di > 0 && sj > 0 && d[di]&fold.WordStart == s[sj]&fold.WordStart && d[di-1]&fold.Mask == s[sj-1]&fold.Mask {
				continue // another window, or a later one of a row
			}
			characters, n := 1, 1
			for ; di+n < len(d) && sj+n < len(s) && d[di+n] == s[sj+n]; n++ {
				characters += 1 + int(d[di+n]>>7)
			}
			end := [2]int{di + n, sj + n}
			if steps += n; characters > best || characters == best && (end[0] < last[0] || end[0] == last[0] && end[1] < last[1]) {
				best, i, j, last = characters, di, sj, end
			}
		}
	}
	return i, j, steps
}
