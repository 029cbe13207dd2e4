package align

import (
	"math"
	"unicode/utf8"
)

// diagonal remembers what was seen last on a band of 64 diagonals.
type diagonal struct {
	band int64
	last int32 // byte of the derived side at which the last hit stood
	skip int32 // hits before this byte are parts of what was looked at
	turn uint32
}

const (
	bandWidth  = 64
	tableBits  = 13
	pairReach  = 160 // bytes between two hits of one diagonal that support each other
	seedSlack  = 27  // bits below the threshold at which a lone stretch is still extended
	pairSlack  = 35  // and one with a second hit beside it
	markSlack  = 8   // and this much lower where a quotation mark stands near by
	markNearBy = 64  // symbols
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

// look says whether a hit on this diagonal need be looked at, and whether another stands near.
func (t *diagonals) look(diag int64, d int32) (look, paired bool) {
	band := diag >> 6
	neighbour := band - 1
	if diag&(bandWidth-1) >= bandWidth/2 {
		neighbour = band + 1
	}
	e, f := t.at(band), t.at(neighbour)
	if e.turn == t.turn && e.band == band {
		if d < e.skip {
			return false, false
		}
		paired = d > e.last && d-e.last < pairReach
	}
	if f.turn == t.turn && f.band == neighbour {
		if d < f.skip {
			return false, false
		}
		paired = paired || d > f.last && d-f.last < pairReach
	}
	if e.turn != t.turn || e.band != band {
		*e = diagonal{band: band, turn: t.turn}
	}
	e.last = d
	return true, paired
}

// done notes that everything on the diagonal up to byte d was looked at.
func (t *diagonals) done(diag int64, d int32) {
	if e := t.at(diag >> 6); e.turn == t.turn && e.band == diag>>6 {
		e.skip = max(e.skip, d)
	}
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

// sumSurprise is the running sum of surprise over the symbols of f: sum[i] is
// that of f.sym[:i], words counted evenly over their letters.
func (s *Stats) sumSurprise(f *folded, sum []float32) []float32 {
	sum = append(sum[:0], 0)
	total := float32(0)
	var v uint64
	pad := f.sym[:len(f.sym)+padding]
	n := float32(s.words)
	for i := 0; i < len(f.sym); {
		w, k := wordHash(pad, i)
		p := (less(s.unigrams[w>>(64-unigramBits)]) + 0.5) / (n + 0.5*vocabulary)
		if v != 0 {
			pair := less(s.ngrams[pairHash(v, w)>>(64-ngramBits)])
			before := less(s.unigrams[v>>(64-unigramBits)])
			p = (min(pair, before) + priorPair*p) / (before + priorPair)
		}
		each := -log2(p) / float32(k)
		for range k {
			total += each
			sum = append(sum, total)
		}
		v = w
		i += k
	}
	return sum
}

func less(c uint32) float32 {
	if c == 0 {
		return 0
	}
	return float32(c - 1)
}

// log2 is the binary logarithm within 0.01, for filters.
func log2(x float32) float32 {
	b := math.Float32bits(x)
	e := float32(int32(b>>23) - 127)
	f := math.Float32frombits(b&0x7fffff | 127<<23)
	return e + (-1.7417939 + (2.8212026+(-1.4699568+(0.44717955-0.056570851*f)*f)*f)*f)
}
