package match

import (
	"math/bits"
	"unicode/utf8"

	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/marks"
)

const (
	ungappedMost = 1024 // symbols on either side of a hit that are compared: enough for any threshold, and texts that repeat themselves cost no more than others
	pairCost     = 6    // bits that a second stretch near by says less, for being anywhere near
	flank        = 32   // symbols on either side of a stretch that are compared
	flankRoom    = 8    // and so many more of the source
	flankBytes   = 640  // and so many bytes of it at most, whatever stands between the letters
	flankNoise   = 0.6  // share of a flank that unrelated English has in common with another
	flankShare   = 0.8  // of a flank's weight that it may say
	markTrust    = 2.5  // by which that is multiplied for a mark at a flank's end
	flankMost    = 14   // bits that the flanks are expected to say at most
)

// Score is what a stretch says; where to is not 0 without its symbols from..to,
// which are still to be weighed in their context. Few stretches are ever asked.
type Score struct {
	Bits     float32
	from, to int32
}

// FinishScore adds what is still to be weighed.
func (m *Matcher) FinishScore(s *Score) float64 {
	if s.to != 0 {
		s.Bits += float32(m.Counts.ContextBits(m.Derived, int(s.from), int(s.to), true))
		s.to = 0
	}
	return float64(s.Bits)
}

// Beside is what the stretches near by say.
func (m *Matcher) Beside(near [2]*Score) float64 {
	best := 0.0
	for _, e := range near {
		if e != nil {
			best = max(best, m.FinishScore(e))
		}
	}
	return best
}

// common is what both sides have in common without gaps.
type common struct {
	From, To int     // symbols of the derived side
	S0, S1   int     // bytes of the source
	misses   int     // unequal symbols among them
	most     float32 // bits that they say at most
}

// Ungapped compares both sides letter by letter from a hit outward, without gaps, as
// far as stretchMost. sum is the running sum of the derived side's weights.
func (m *Matcher) Ungapped(di, sp int, sum []float32) (c common) {
	const drop = 6
	last, first := min(m.DHi, di+ungappedMost), max(m.DLo, di-ungappedMost)
	d, text := m.Derived.Sym[:len(m.Derived.Sym)+fold.Padding], m.SourceText
	c.From, c.To, c.S0, c.S1 = di, di, sp, sp
	score, best, misses := 0, 0, 0
	for i, p := di, sp; i < last && p < m.SHi; {
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
			best, c.To, c.S1, c.misses = score, i, p, misses
		} else if score < best-drop {
			break
		}
	}
	if c.To == di {
		return c
	}
	score, best, misses = 0, 0, 0
	before := 0
	for i, p := di, sp; i > first && p > m.SLo; {
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
			for p > m.SLo && !utf8.RuneStart(text[p]) {
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
			best, c.From, c.S0, before = score, i, p, misses
		} else if score < best-drop {
			break
		}
	}
	c.misses += before
	c.From, c.To = max(c.From, m.DLo), min(c.To, m.DHi)
	c.most = sum[c.To] - sum[c.From]
	m.x.Cells += c.To - c.From
	return c
}

// Has says whether a piece holds the hit at symbol i and byte s and what both sides have in common
// there. Two places of the source that have a letter in common are two pieces: what goes on
// beyond one by more than its ends may have been drawn back is of another.
func (p *Piece) Has(i, s int, c *common) bool {
	return i >= p.D0 && i < p.D1 && s >= p.S0 && s < p.S1 && c.S0 >= p.S0-markReach && c.S1 <= p.S1+markReach
}

// Promising says whether an alignment through the stretch may reach need: by what
// the stretch says, what stands beside it, marks near by, and how much the text
// on either side of it, up to those marks, has in common.
func (m *Matcher) Promising(c *common, beside, need float64, sum []float32) (s Score, ok bool) {
	var open, close marks.Ending
	if m.Around == 0 {
		open, close = m.Marks.Beside(c.From, c.To)
	}
	markBits := open.Bits + close.Bits
	if open.Bits > 0 && close.Bits > 0 {
		markBits += marks.BothBits
	}
	rest := 0.0
	if beside > pairCost {
		rest = beside - pairCost
	}
	need -= m.Slack
	if float64(c.most)+rest+markBits+flankMost < need {
		return Score{}, false
	}
	// The context costs more to read than the flanks: it comes first only where it may decide alone.
	s = Score{-3 * float32(c.misses), int32(c.From), int32(c.To)}
	most := float64(c.most + s.Bits)
	rest += most
	if m.Around > 0 || rest >= need {
		rest += m.FinishScore(&s) - most
		if m.Around == 0 && rest >= need {
			return s, true
		}
		if rest+markBits+flankMost < need {
			return s, false
		}
	}
	left, right := m.flankFrom(c.From, -1), m.flankFrom(c.To, 1)
	need = max(need, m.Around*float64(sum[right]-sum[left]))
	if open.Bits > 0 {
		left = min(c.From, max(left, open.At))
	}
	if close.Bits > 0 {
		right = max(c.To, min(right, close.At))
	}
	if rest+markBits+flankShare*float64(sum[c.From]-sum[left]+sum[right]-sum[c.To]) < need {
		return s, false
	}
	// A mark counts as far as the text up to it is the same.
	flanks := func(l, r float64) float64 {
		b := flankShare * (l*float64(sum[c.From]-sum[left]) + r*float64(sum[right]-sum[c.To]))
		if left == c.From {
			l = 1
		}
		if right == c.To {
			r = 1
		}
		l, r = min(1, markTrust*l), min(1, markTrust*r)
		b += open.Bits*l + close.Bits*r
		if open.Bits > 0 && close.Bits > 0 {
			b += marks.BothBits * min(l, r)
		}
		return b
	}
	l := m.flankEqual(left, c.From, c.S0, -1)
	if rest+flanks(l, 1) < need {
		return s, false
	}
	rest += flanks(l, m.flankEqual(c.To, right, c.S1, 1))
	if rest >= need && s.to != 0 {
		rest += m.FinishScore(&s) - most
	}
	return s, rest >= need
}

// flankFrom is where the flank of symbol i ends, after (step 1) or before (step
// -1) it: flank symbols further, those in square brackets not counted.
func (m *Matcher) flankFrom(i, step int) int {
	if m.Marks.Inserted == nil {
		return max(m.DLo, min(m.DHi, i+step*flank))
	}
	for n := 0; n < flank && (step > 0 && i < m.DHi || step < 0 && i > m.DLo); i += step {
		if !m.Marks.Inserted[i+min(step, 0)] {
			n++
		}
	}
	return i
}

// flankEqual estimates how much of d[from:to] stands in the source after (step 1)
// or before (step -1) byte p: the share of its letters in a common subsequence
// beyond what chance has, 0 to 1.
func (m *Matcher) flankEqual(from, to, p, step int) float64 {
	var letters [flank]byte // in the order of walking
	n := 0
	if step < 0 {
		from, to = to-1, from-1
	}
	for i := from; i != to && n < flank; i += step {
		if m.Marks.Inserted == nil || !m.Marks.Inserted[i] {
			letters[n] = m.Derived.Sym[i] & fold.Mask
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
		for end := min(m.SHi, p+flankBytes); p < end && room > 0; p++ {
			x := fold.ASCII[m.SourceText[p]]
			if x == fold.ClassOther {
				r, size := decode(m.SourceText, p)
				x = fold.LetterOf(r)
				p += size - 1
			}
			u := v & match[x]
			v = (v + u) | (v - u)
			room -= int(^x >> 7)
		}
	} else {
		for end := max(m.SLo, p-flankBytes); p > end && room > 0; p-- {
			x := fold.ASCII[m.SourceText[p-1]]
			if x == fold.ClassOther {
				r, size := decodeLast(m.SourceText, p)
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
