package align

import (
	"math/bits"
	"unicode/utf8"

	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/marks"
)

const (
	stretchMost = 1024 // symbols on either side of a hit that are compared: enough for any threshold, and texts that repeat themselves cost no more than others
	pairCost    = 6    // bits that a second stretch near by says less, for being anywhere near
	flank       = 32   // symbols on either side of a stretch that are compared
	flankRoom   = 8    // and so many more of the source
	flankBytes  = 640  // and so many bytes of it at most, whatever stands between the letters
	flankNoise  = 0.6  // share of a flank that unrelated English has in common with another
	flankShare  = 0.8  // of a flank's weight that it may say
	markTrust   = 2.5  // by which that is multiplied for a mark at a flank's end
	flankMost   = 14   // bits that the flanks are expected to say at most
)

// said is what a stretch says; where to is not 0 without its symbols from..to,
// which are still to be weighed in their context. Few stretches are ever asked.
type said struct {
	bits     float32
	from, to int32
}

// settle adds what is still to be weighed.
func (m *matcher) settle(s *said) float64 {
	if s.to != 0 {
		s.bits += float32(m.counts.ContextBits(m.d, int(s.from), int(s.to), true))
		s.to = 0
	}
	return float64(s.bits)
}

// beside is what the stretches near by say.
func (m *matcher) beside(near [2]*diagonal) float64 {
	best := 0.0
	for _, e := range near {
		if e != nil {
			best = max(best, m.settle(&e.said))
		}
	}
	return best
}

// common is what both sides have in common without gaps.
type common struct {
	from, to int     // symbols of the derived side
	s0, s1   int     // bytes of the source
	misses   int     // unequal symbols among them
	most     float32 // bits that they say at most
}

// quick compares both sides letter by letter from a hit outward, without gaps, as
// far as stretchMost. sum is the running sum of the derived side's weights.
func (m *matcher) quick(di, sp int, sum []float32) (c common) {
	const drop = 6
	last, first := min(m.dHi, di+stretchMost), max(m.dLo, di-stretchMost)
	d, text := m.d.Sym[:len(m.d.Sym)+fold.Padding], m.sText
	c.from, c.to, c.s0, c.s1 = di, di, sp, sp
	score, best, misses := 0, 0, 0
	for i, p := di, sp; i < last && p < m.sHi; {
		x := fold.ASCII[text[p]]
		p++
		if x < 0x80 {
			if x == d[i]&fold.Mask {
				score++
			} else {
				score -= 2
				misses++
			}
			i++
		} else {
			if x != fold.ClassOther {
				continue
			}
			r, size := decode(text, p-1)
			p += size - 1
			e := fold.Expand(r)
			equal := e.Equal(d[i:])
			score += equal - 2*(int(e.N)-equal)
			misses += int(e.N) - equal
			i += int(e.N)
		}
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
	for i, p := di, sp; i > first && p > m.sLo; {
		p--
		x := fold.ASCII[text[p]]
		if x < 0x80 {
			i--
			if x == d[i]&fold.Mask {
				score++
			} else {
				score -= 2
				misses++
			}
		} else {
			if x != fold.ClassOther {
				continue
			}
			for p > m.sLo && !utf8.RuneStart(text[p]) {
				p--
			}
			r, _ := decode(text, p)
			e := fold.Expand(r)
			if i -= int(e.N); i < first {
				break
			}
			equal := e.Equal(d[i:])
			score += equal - 2*(int(e.N)-equal)
			misses += int(e.N) - equal
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
	m.x.Cells += c.to - c.from
	return c
}

// has says whether a piece holds the hit at symbol i and byte s and what both sides have in common
// there. Two places of the source that have a letter in common are two pieces: what goes on
// beyond one by more than its ends may have been drawn back is of another.
func (p *piece) has(i, s int, c *common) bool {
	return i >= p.d0 && i < p.d1 && s >= p.s0 && s < p.s1 && c.s0 >= p.s0-markReach && c.s1 <= p.s1+markReach
}

// hopeful says whether an alignment through the stretch may reach need: by what
// the stretch says, what stands beside it, marks near by, and how much the text
// on either side of it, up to those marks, has in common.
func (m *matcher) hopeful(c *common, beside, need float64, sum []float32) (s said, ok bool) {
	var open, close marks.Ending
	if m.around == 0 {
		open, close = m.marks.Beside(c.from, c.to)
	}
	markBits := open.Bits + close.Bits
	if open.Bits > 0 && close.Bits > 0 {
		markBits += marks.BothBits
	}
	rest := 0.0
	if beside > pairCost {
		rest = beside - pairCost
	}
	need -= m.slack
	if float64(c.most)+rest+markBits+flankMost < need {
		return said{}, false
	}
	// The context costs more to read than the flanks: it comes first only where it may decide alone.
	s = said{-3 * float32(c.misses), int32(c.from), int32(c.to)}
	most := float64(c.most + s.bits)
	rest += most
	if m.around > 0 || rest >= need {
		rest += m.settle(&s) - most
		if m.around == 0 && rest >= need {
			return s, true
		}
		if rest+markBits+flankMost < need {
			return s, false
		}
	}
	left, right := m.flankFrom(c.from, -1), m.flankFrom(c.to, 1)
	need = max(need, m.around*float64(sum[right]-sum[left]))
	if open.Bits > 0 {
		left = min(c.from, max(left, open.At))
	}
	if close.Bits > 0 {
		right = max(c.to, min(right, close.At))
	}
	if rest+markBits+flankShare*float64(sum[c.from]-sum[left]+sum[right]-sum[c.to]) < need {
		return s, false
	}
	// A mark counts as far as the text up to it is the same.
	flanks := func(l, r float64) float64 {
		b := flankShare * (l*float64(sum[c.from]-sum[left]) + r*float64(sum[right]-sum[c.to]))
		if left == c.from {
			l = 1
		}
		if right == c.to {
			r = 1
		}
		l, r = min(1, markTrust*l), min(1, markTrust*r)
		b += open.Bits*l + close.Bits*r
		if open.Bits > 0 && close.Bits > 0 {
			b += marks.BothBits * min(l, r)
		}
		return b
	}
	l := m.flankEqual(left, c.from, c.s0, -1)
	if rest+flanks(l, 1) < need {
		return s, false
	}
	rest += flanks(l, m.flankEqual(c.to, right, c.s1, 1))
	if rest >= need && s.to != 0 {
		rest += m.settle(&s) - most
	}
	return s, rest >= need
}

// flankFrom is where the flank of symbol i ends, after (step 1) or before (step
// -1) it: flank symbols further, those in square brackets not counted.
func (m *matcher) flankFrom(i, step int) int {
	if m.marks.Inserted == nil {
		return max(m.dLo, min(m.dHi, i+step*flank))
	}
	for n := 0; n < flank && (step > 0 && i < m.dHi || step < 0 && i > m.dLo); i += step {
		if !m.marks.Inserted[i+min(step, 0)] {
			n++
		}
	}
	return i
}

// flankEqual estimates how much of d[from:to] stands in the source after (step 1)
// or before (step -1) byte p: the share of its letters in a common subsequence
// beyond what chance has, 0 to 1.
func (m *matcher) flankEqual(from, to, p, step int) float64 {
	var letters [flank]byte // in the order of walking
	n := 0
	if step < 0 {
		from, to = to-1, from-1
	}
	for i := from; i != to && n < flank; i += step {
		if m.marks.Inserted == nil || !m.marks.Inserted[i] {
			letters[n] = m.d.Sym[i] & fold.Mask
			n++
		}
	}
	if n < 4 {
		return 0
	}
	match := &m.match
	for bit, c := range letters[:n] {
		match[c] |= 1 << bit
	}
	v := ^uint64(0)
	room := n + flankRoom
	// What is no letter matches nothing and changes nothing.
	if step > 0 {
		for end := min(m.sHi, p+flankBytes); p < end && room > 0; p++ {
			x := fold.ASCII[m.sText[p]]
			if x == fold.ClassOther {
				r, size := decode(m.sText, p)
				x = fold.LetterOf(r)
				p += size - 1
			}
			u := v & match[x]
			v = (v + u) | (v - u)
			room -= int(^x >> 7)
		}
	} else {
		for end := max(m.sLo, p-flankBytes); p > end && room > 0; p-- {
			x := fold.ASCII[m.sText[p-1]]
			if x == fold.ClassOther {
				r, size := decodeLast(m.sText, p)
				x = fold.LetterOf(r)
				p -= size - 1
			}
			u := v & match[x]
			v = (v + u) | (v - u)
			room -= int(^x >> 7)
		}
	}
	for _, c := range letters[:n] {
		match[c] = 0
	}
	equal := float64(bits.OnesCount64(^v & (1<<n - 1)))
	return max(0, (equal/float64(n)-flankNoise)/(1-flankNoise))
}
