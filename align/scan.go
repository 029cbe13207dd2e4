package align

import "unicode/utf8"

// diagonal remembers what was seen last on a band of 64 diagonals.
type diagonal struct {
	band int64
	last int32 // byte of the derived side at which the last hit stood
	skip int32 // hits before this byte are parts of what was looked at
	turn uint32
	bits float32 // of the best stretch near last
}

const (
	bandWidth  = 64
	tableBits  = 13
	pairReach  = 160 // bytes between two hits of one diagonal that support each other
	loneSlack  = 17  // bits below the threshold at which a stretch is extended
	markSlack  = 16  // and further below for each side that has a quotation mark near by
	pairCost   = 6   // bits that a second stretch near by says less, for being anywhere near
	markNearBy = 48  // symbols
)

// diagonals is a small table of the bands in use. Two bands may share a slot;
// the later one then forgets the earlier, which costs time and finds nothing else.
type diagonals struct {
	slot []diagonal
	turn uint32
}

func (t *diagonals) reset() {
	if t.slot == nil {
		t.slot = make([]diagonal, 1<<tableBits)
	}
	t.turn++
}

func (t *diagonals) at(band int64) *diagonal {
	return &t.slot[mix(uint64(band))>>(64-tableBits)]
}

// look says whether a hit on this diagonal need be looked at, and the bits of a
// stretch that stands near it already.
func (t *diagonals) look(diag int64, d int32) (look bool, bits float32) {
	band := diag >> 6
	neighbour := band - 1
	if diag&(bandWidth-1) >= bandWidth/2 {
		neighbour = band + 1
	}
	e, f := t.at(band), t.at(neighbour)
	if e.turn == t.turn && e.band == band {
		if d < e.skip {
			return false, 0
		}
		if d-e.last < pairReach {
			bits = e.bits
		}
	} else {
		*e = diagonal{band: band, turn: t.turn, last: -pairReach}
	}
	if f.turn == t.turn && f.band == neighbour {
		if d < f.skip {
			return false, 0
		}
		if d-f.last < pairReach {
			bits = max(bits, f.bits)
		}
	}
	return true, bits
}

// done notes that everything on the diagonal up to byte d was looked at, and
// what it says.
func (t *diagonals) done(diag int64, d int32, bits float32) {
	if e := t.at(diag >> 6); e.turn == t.turn && e.band == diag>>6 {
		if d-e.last > pairReach || bits > e.bits {
			e.bits = bits
		}
		e.skip, e.last = max(e.skip, d), d
	}
}

// nearMarks is the number of sides (0 to 2) of symbols from..to that have a
// quotation mark near by.
func (m *marks) nearMarks(from, to int) (n int) {
	if len(around(m.open, from-markNearBy/2+4, markNearBy/2+4)) > 0 {
		n++
	}
	if len(around(m.close, to+markNearBy/2-4, markNearBy/2+4)) > 0 {
		n++
	}
	return n
}

// quick compares both sides letter by letter from a hit outward, without gaps,
// and says which symbols of the derived side are about equal there and how many
// bits they say. bits is the running sum of the derived side's surprise.
func (m *matcher) quick(di, sp int, sum []float32) (from, to int, bits float64) {
	const drop = 6
	score, best, misses, missesAt := 0, 0, 0, 0
	d := m.d.sym
	to = di
	for i, p := di, sp; i < m.dHi && p < m.sHi; {
		c := ascii[m.sText[p]]
		if c >= 0x80 {
			if c == classOther {
				r, size := decode(m.sText, p)
				p += size
				e := expandRune(r)
				if e.n == 1 {
					if e.s[0] == d[i]&symbol {
						score++
					} else {
						score -= 2
						misses++
					}
					i++
				} else if e.n > 1 {
					i += int(e.n)
				}
			} else {
				p++
				continue
			}
		} else {
			if c == d[i]&symbol {
				score++
			} else {
				score -= 2
				misses++
			}
			i++
			p++
		}
		if score > best {
			best, to, missesAt = score, min(i, m.dHi), misses
		} else if score < best-drop {
			break
		}
	}
	if to == di {
		return di, di, 0
	}
	total := missesAt
	from = di
	score, best, misses, missesAt = 0, 0, 0, 0
	for i, p := di, sp; i > m.dLo && p > m.sLo; {
		p--
		c := ascii[m.sText[p]]
		if c >= 0x80 {
			if c != classOther {
				continue
			}
			for p > m.sLo && !utf8.RuneStart(m.sText[p]) {
				p--
			}
			r, _ := decode(m.sText, p)
			e := expandRune(r)
			if e.n != 1 {
				i -= int(e.n)
				continue
			}
			c = e.s[0]
		}
		i--
		if c == d[i]&symbol {
			score++
		} else {
			score -= 2
			misses++
		}
		if score > best {
			best, from, missesAt = score, max(i, m.dLo), misses
		} else if score < best-drop {
			break
		}
	}
	total += missesAt
	return from, to, float64(sum[to]-sum[from]) - 3*float64(total)
}

func expandRune(r rune) expansion {
	if r < smallRunes {
		return small[r]
	}
	return expand(r)
}
