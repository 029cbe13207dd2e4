package align

import "unicode"

// Beside an ellipsis the source has at hand what may follow or go before, and
// little is enough: where the sentence next to the mark and the source's next
// sentence have 15 characters in a row in common, spaces included, it belongs to the
// quotation, whatever its words say (RELiC, Thai et al. 2022, section on ellipses).
const (
	adjacentCharacters = 15
	adjacentBytes      = 1200 // of either side that are looked at
)

// adjacent is the piece after a (step 1) or before it (step -1), over an ellipsis,
// that the rule of adjacent sentences finds.
func (m *matcher) adjacent(a *piece, step int) (piece, bool) {
	dLo, dHi, sLo, sHi := m.dLo, m.dHi, m.sLo, m.sHi
	defer func() { m.dLo, m.dHi, m.sLo, m.sHi = dLo, dHi, sLo, sHi }()
	if step > 0 {
		m.dLo = a.d1
		m.dHi = min(dHi, symbolAt(m.d, 0, sentenceEnd(m.dText, int(m.d.pos[a.d1]), len(m.dText))))
		rest := sentenceEnd(m.sText, a.s1, m.sHi)
		m.sLo, m.sHi = m.window(a.s1, sentenceEnd(m.sText, rest, m.sHi))
	} else {
		m.dHi = a.d0
		m.dLo = max(dLo, symbolAt(m.d, 0, sentenceBegin(m.dText, int(m.d.pos[a.d0]), 0)))
		rest := sentenceBegin(m.sText, a.s0, m.sLo)
		m.sLo, m.sHi = m.window(sentenceBegin(m.sText, rest, m.sLo), a.s0)
	}
	if m.dLo >= m.dHi || m.sLo >= m.sHi {
		return piece{}, false
	}
	m.win.fold(m.sText, m.sLo, m.sHi)
	i, j := commonCharacters(m.d.sym[m.dLo:m.dHi], m.win.sym)
	if i < 0 {
		return piece{}, false
	}
	at := int(m.win.pos[j])
	p, ok := m.align(m.dLo+i, at, at, at)
	p.doc = a.doc
	return p, ok
}

// sentenceEnd is the byte after the sentence that goes on at byte i, or after a
// piece of it.
func sentenceEnd(text string, i, end int) int {
	end = min(end, i+adjacentBytes)
	letters := false
	for i < end {
		r, size := decode(text, i)
		i += size
		if letters = letters || wordRune(r); letters && (r == '.' || r == '?' || r == '!') {
			if next, _ := decode(text, i); i >= end || !wordRune(next) && next != '.' {
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
			if next, _ := decode(text, i); unicode.IsSpace(next) || !wordRune(next) && next != '.' {
				return i
			}
		}
		letters = letters || wordRune(r)
		i -= size
	}
	return begin
}

// commonCharacters is where the longest row of characters begins that d and s have in
// common, a space between words counted for one; -1 if it is shorter than the rule
// asks. Ties go to the leftmost of d, then of s.
func commonCharacters(d, s []byte) (i, j int) {
	type run struct{ characters, letters int }
	rows := [2][]run{make([]run, len(s)+1), make([]run, len(s)+1)}
	best := adjacentCharacters - 1
	i, j = -1, -1
	for di, c := range d {
		was, now := rows[di&1], rows[di&1^1]
		for sj, x := range s {
			r := run{}
			if c&symbol == x&symbol {
				r = run{1, 1}
				if before := was[sj]; before.letters > 0 && c&wordStart == x&wordStart {
					r = run{before.characters + 1 + int(c>>7), before.letters + 1}
				}
			}
			if now[sj+1] = r; r.characters > best {
				best, i, j = r.characters, di+1-r.letters, sj+1-r.letters
			}
		}
	}
	return i, j
}
