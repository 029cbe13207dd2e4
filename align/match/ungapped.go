package match

import (
	"math/bits"
	"unicode/utf8"

	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/marks"
)

const (
	ungappedMost = 1024 // symbols compared on either side of a hit: enough for any threshold, and repetitive texts cost no more than others
	pairCost     = 6    // bits subtracted for a second segment, which may be anywhere near
	flank        = 32   // symbols compared on either side of a segment
	flankExtra   = 8    // further symbols of the source
	flankBytes   = 640  // bytes of the source at most
	flankNoise   = 0.6  // fraction of a flank that unrelated English has in common with another
	flankShare   = 0.8  // fraction of the surprisal of a flank that counts
	markTrust    = 2.5  // factor for a mark at the end of a flank
	flankMost    = 14   // expected evidence of the flanks at most, bits
)

// Score is the evidence of an ungapped segment. Where to is not 0, the surprisal of symbols
// from..to is still to be added ([Matcher.FinishScore]). Few scores are ever needed.
type Score struct {
	Bits     float32
	from, to int32
}

// FinishScore adds the surprisal that is still missing.
func (m *Matcher) FinishScore(s *Score) float64 {
	if s.to != 0 {
		s.Bits += float32(m.Counts.ContextBits(m.Derived, int(s.from), int(s.to), true))
		s.to = 0
	}
	return float64(s.Bits)
}

// Beside is the best evidence of the segments near by.
func (m *Matcher) Beside(near [2]*Score) float64 {
	best := 0.0
	for _, e := range near {
		if e != nil {
			best = max(best, m.FinishScore(e))
		}
	}
	return best
}

// Ungapped is a segment of equal letters on both sides, without gaps.
type common struct {
	From, To int     // symbols of the derived side
	S0, S1   int     // bytes of the source
	misses   int     // unequal symbols among them
	most     float32 // upper bound of their surprisal
}

// Ungapped compares both sides letter by letter from a hit outward, without gaps, as
// far as ungappedMost. sum is the running sum of the derived side ([ngrams.Counts.ReadWords]).
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

// Has reports whether a piece includes the hit at symbol i and byte s and the ungapped segment
// there. Two positions of the source that share a letter are two pieces: a segment that goes
// beyond the ends of one by more than markReach belongs to another.
func (p *Piece) Has(i, s int, c *common) bool {
	return i >= p.D0 && i < p.D1 && s >= p.S0 && s < p.S1 && c.S0 >= p.S0-markReach && c.S1 <= p.S1+markReach
}

// Promising reports whether an alignment through the segment may reach need. It adds the
// evidence of the segment, of segments beside it, of marks near by, and an estimate for
// the text on either side, up to those marks. The cheapest test comes first.
func (m *Matcher) Promising(c *common, beside, need float64, sum []float32) (s Score, ok bool) {
	var open, closing marks.Ending
	if m.Around == 0 {
		open, closing = m.Marks.Beside(c.From, c.To)
	}
	markBits := open.Bits + closing.Bits
	if open.Bits > 0 && closing.Bits > 0 {
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
	// The surprisal in context costs more than the flanks: it comes first only where it may decide alone.
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
	if closing.Bits > 0 {
		right = max(c.To, min(right, closing.At))
	}
	if rest+markBits+flankShare*float64(sum[c.From]-sum[left]+sum[right]-sum[c.To]) < need {
		return s, false
	}
	// A mark counts as far as the text up to it is equal.
	flanks := func(l, r float64) float64 {
		b := flankShare * (l*float64(sum[c.From]-sum[left]) + r*float64(sum[right]-sum[c.To]))
		if left == c.From {
			l = 1
		}
		if right == c.To {
			r = 1
		}
		l, r = min(1, markTrust*l), min(1, markTrust*r)
		b += open.Bits*l + closing.Bits*r
		if open.Bits > 0 && closing.Bits > 0 {
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

// flankFrom is the end of the flank of symbol i, after (step 1) or before (step
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

// flankEqual estimates how much of d[from:to] is in the source after (step 1)
// or before (step -1) byte p: the fraction of its letters in a common subsequence
// beyond chance, 0 to 1.
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
	room := n + flankExtra
	// Characters that are not letters match nothing and change nothing.
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
