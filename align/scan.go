package align

import (
	"math/bits"
	"unicode/utf8"
)

// diagonal remembers what was seen last on a band of 64 diagonals.
type diagonal struct {
	band int32   // number of the band, plus one; 0 where the slot is free
	last int32   // byte of the derived side up to which the last stretch was looked at
	skip int32   // hits before this byte are parts of what was looked at
	bits float32 // of the best stretch near last
	wait hit     // a hit at last that nothing supports yet; symbol is -1 where there is none
}

const (
	bandBits   = 6
	pairReach  = 160 // bytes between two stretches of one diagonal that support each other
	pairCost   = 6   // bits that a second stretch near by says less, for being anywhere near
	markNearBy = 48  // symbols between a stretch and a mark that may end it
	flank      = 32  // symbols on either side of a stretch that are compared
	flankRoom  = 8   // and so many more of the source
	flankNoise = 0.6 // share of a flank that unrelated English has in common with another
	flankShare = 0.8 // of a flank's weight that it may say
	markTrust  = 2.5 // by which that is multiplied for a mark at a flank's end
	flankMost  = 14  // bits that the flanks are expected to say at most
)

// diagonals is a table of the bands in use, by linear probing.
type diagonals struct {
	slot []diagonal
	used int
}

// reset empties the table for a derived side of n symbols.
func (t *diagonals) reset(n int) {
	size := 1 << max(12, min(16, bits.Len(uint(n/2))))
	if len(t.slot) != size {
		t.slot = make([]diagonal, size)
	} else {
		clear(t.slot)
	}
	t.used = 0
}

// at is the slot of the band, free or not.
func (t *diagonals) at(band int32) *diagonal {
	mask := len(t.slot) - 1
	for i := int(uint32(band)*0x9e3779b1>>8) & mask; ; i = (i + 1) & mask {
		if e := &t.slot[i]; e.band == band || e.band == 0 {
			return e
		}
	}
}

func (t *diagonals) grow() {
	old := t.slot
	t.slot = make([]diagonal, 2*len(old))
	for _, e := range old {
		if e.band != 0 {
			*t.at(e.band) = e
		}
	}
}

// look says whether a hit on this diagonal need be looked at, and the bits of a
// stretch that stands near it already.
func (t *diagonals) look(diag int64, d int32) (look bool, beside float32) {
	band := int32(diag>>bandBits) + 1
	neighbour := band - 1
	if diag&(1<<bandBits-1) >= 1<<(bandBits-1) {
		neighbour = band + 1
	}
	if e := t.at(band); e.band != 0 {
		if d < e.skip {
			return false, 0
		}
		if d-e.last < pairReach {
			beside = e.bits
		}
	}
	if f := t.at(neighbour); f.band != 0 {
		if d < f.skip {
			return false, 0
		}
		if d-f.last < pairReach {
			beside = max(beside, f.bits)
		}
	}
	return true, beside
}

// await says whether another hit on the diagonal, or on the band beside it,
// stands within reach before d, and gives back the one that was waiting for it.
// Where there is none, h waits.
func (t *diagonals) await(diag int64, d int32, h hit) (supported bool, waiting hit) {
	band := int32(diag>>bandBits) + 1
	neighbour := band - 1
	if diag&(1<<bandBits-1) >= 1<<(bandBits-1) {
		neighbour = band + 1
	}
	waiting.symbol = -1
	e := t.at(band)
	if e.band != 0 && d-e.last < pairReach {
		supported, waiting = true, e.wait
		e.wait.symbol = -1
	} else if f := t.at(neighbour); f.band != 0 && d-f.last < pairReach {
		supported, waiting = true, f.wait
		f.wait.symbol = -1
	}
	if supported {
		return true, waiting
	}
	if e.band == 0 {
		if t.used++; 2*t.used > len(t.slot) {
			t.grow()
			e = t.at(band)
		}
	}
	*e = diagonal{band: band, last: d, skip: e.skip, wait: h}
	return false, waiting
}

// done notes that everything on the diagonal up to byte d was looked at, and
// what it says.
func (t *diagonals) done(diag int64, d int32, bits float32) {
	band := int32(diag>>bandBits) + 1
	e := t.at(band)
	if e.band == 0 {
		if t.used++; 2*t.used > len(t.slot) {
			t.grow()
			e = t.at(band)
		}
		*e = diagonal{band: band, last: d, skip: d, bits: bits, wait: hit{symbol: -1}}
		return
	}
	if d-e.last > pairReach || bits > e.bits {
		e.bits = bits
	}
	e.skip, e.last = max(e.skip, d), d
}

// common is what both sides have in common without gaps.
type common struct {
	from, to int     // symbols of the derived side
	s0, s1   int     // bytes of the source
	misses   int     // unequal symbols among them
	most     float32 // bits that they say at most
}

// quick compares both sides letter by letter from a hit outward, without gaps.
// sum is the running sum of the derived side's weights.
func (m *matcher) quick(di, sp int, sum []float32) (c common) {
	const drop = 6
	d, text := m.d.sym, m.sText
	c.from, c.to, c.s0, c.s1 = di, di, sp, sp
	score, best, misses := 0, 0, 0
	for i, p := di, sp; i < m.dHi && p < m.sHi; {
		x := ascii[text[p]]
		p++
		if x >= 0x80 {
			if x != classOther {
				continue
			}
			r, size := decode(text, p-1)
			p += size - 1
			e := expandRune(r)
			if e.n != 1 {
				i += int(e.n)
				continue
			}
			x = e.s[0]
		}
		if x == d[i]&symbol {
			score++
		} else {
			score -= 2
			misses++
		}
		i++
		if score > best {
			best, c.to, c.s1, c.misses = score, i, p, misses
		} else if score < best-drop {
			break
		}
	}
	if c.to == di {
		return c
	}
	score, best, misses = 0, 0, 0
	before := 0
	for i, p := di, sp; i > m.dLo && p > m.sLo; {
		p--
		x := ascii[text[p]]
		if x >= 0x80 {
			if x != classOther {
				continue
			}
			for p > m.sLo && !utf8.RuneStart(text[p]) {
				p--
			}
			r, _ := decode(text, p)
			e := expandRune(r)
			if e.n != 1 {
				i -= int(e.n)
				continue
			}
			x = e.s[0]
		}
		i--
		if x == d[i]&symbol {
			score++
		} else {
			score -= 2
			misses++
		}
		if score > best {
			best, c.from, c.s0, before = score, i, p, misses
		} else if score < best-drop {
			break
		}
	}
	c.misses += before
	c.from, c.to = max(c.from, m.dLo), min(c.to, m.dHi)
	c.most = sum[c.to] - sum[c.from]
	return c
}

func expandRune(r rune) expansion {
	if r < smallRunes {
		return small[r]
	}
	return expand(r)
}

// hopeful says whether an alignment through the stretch may reach need: by what
// the stretch says, what stands beside it, marks near by, and how much the text
// on either side of it, up to those marks, has in common.
func (m *matcher) hopeful(c *common, beside, need float64, sum []float32) (bits float64, ok bool) {
	var open, close ending
	if m.around == 0 {
		open, close = m.marks.near(c.from, c.to)
	}
	marks := open.bits + close.bits
	if open.bits > 0 && close.bits > 0 {
		marks += bothMarks
	}
	rest := 0.0
	if beside > pairCost {
		rest = beside - pairCost
	}
	need -= m.slack
	if float64(c.most)+rest+marks+flankMost < need {
		return 0, false
	}
	bits = m.stats.contextBits(m.d, c.from, c.to, true) - 3*float64(c.misses)
	rest += bits
	if m.around == 0 && rest >= need {
		return bits, true
	}
	if rest+marks+flankMost < need {
		return bits, false
	}
	left, right := m.flankFrom(c.from, -1), m.flankFrom(c.to, 1)
	need = max(need, m.around*float64(sum[right]-sum[left]))
	if open.bits > 0 {
		left = min(c.from, max(left, open.at))
	}
	if close.bits > 0 {
		right = max(c.to, min(right, close.at))
	}
	if rest+marks+flankShare*float64(sum[c.from]-sum[left]+sum[right]-sum[c.to]) < need {
		return bits, false
	}
	l, r := m.flankEqual(left, c.from, c.s0, -1), m.flankEqual(c.to, right, c.s1, 1)
	rest += flankShare * (l*float64(sum[c.from]-sum[left]) + r*float64(sum[right]-sum[c.to]))
	// A mark counts as far as the text up to it is the same.
	if left == c.from {
		l = 1
	}
	if right == c.to {
		r = 1
	}
	l, r = min(1, markTrust*l), min(1, markTrust*r)
	rest += open.bits*l + close.bits*r
	if open.bits > 0 && close.bits > 0 {
		rest += bothMarks * min(l, r)
	}
	return bits, rest >= need
}

// flankFrom is where the flank of symbol i ends, after (step 1) or before (step
// -1) it: flank symbols further, those in square brackets not counted.
func (m *matcher) flankFrom(i, step int) int {
	if m.marks.inserted == nil {
		return max(m.dLo, min(m.dHi, i+step*flank))
	}
	for n := 0; n < flank && (step > 0 && i < m.dHi || step < 0 && i > m.dLo); i += step {
		if !m.marks.inserted[i+min(step, 0)] {
			n++
		}
	}
	return i
}

// flankEqual estimates how much of d[from:to] stands in the source after (step 1)
// or before (step -1) byte p: the share of its letters in a common subsequence
// beyond what chance has, 0 to 1.
func (m *matcher) flankEqual(from, to, p, step int) float64 {
	n := min(flank, int(m.strays(int32(from), int32(to))))
	if n < 4 {
		return 0
	}
	var buf [flank + flankRoom]byte
	k := 0
	room := n + flankRoom
	if step > 0 {
		for ; k < room && p < m.sHi; p++ {
			if x := ascii[m.sText[p]]; x < 0x80 {
				buf[k] = x
				k++
			}
		}
	} else {
		for p--; k < room && p >= m.sLo; p-- {
			if x := ascii[m.sText[p]]; x < 0x80 {
				buf[k] = x
				k++
			}
		}
	}
	match := &m.match
	for bit, i := 0, 0; bit < n; i++ {
		at := from + i
		if step < 0 {
			at = to - 1 - i
		}
		if m.marks.inserted != nil && m.marks.inserted[at] {
			continue
		}
		match[m.d.sym[at]&symbol] |= 1 << bit
		bit++
	}
	v := ^uint64(0)
	for _, x := range buf[:k] {
		u := v & match[x]
		v = (v + u) | (v - u)
	}
	for i := from; i < to; i++ {
		match[m.d.sym[i]&symbol] = 0
	}
	equal := float64(bits.OnesCount64(^v & (1<<n - 1)))
	return max(0, (equal/float64(n)-flankNoise)/(1-flankNoise))
}
