package align

import "math"

// Parts beside an ellipsis, or between a find and the quotation mark that should
// have ended it, may be too short to hold a seed. Where the chain says that
// they must be, a few words are enough evidence, because there are few places.
const (
	lookSymbols = 420 // derived symbols past a find in which a mark is looked for
	lookWords   = 24  // derived words that are tried as a beginning
	lookLetters = 3   // letters that must be equal for a try
	lookMargin  = 3.0 // bits that a part must say beyond the cost of saying where it is
)

// complete looks for the parts of c that lie beyond its ends. A chain that would
// no longer be like the source with them stays as it was.
func (m *matcher) complete(c *chain, sum []float32) {
	was := *c
	for range 4 {
		if !m.lookAfter(c, sum) {
			break
		}
	}
	for range 4 {
		if !m.lookBefore(c, sum) {
			break
		}
	}
	if len(c.pieces) > len(was.pieces) {
		if parts, _, _ := m.stretches(c); m.identity(parts) < m.o.MinSimilarity {
			*c = was
		}
	}
}

func (m *matcher) lookAfter(c *chain, sum []float32) bool {
	a := c.last()
	skip := m.skipBetween(a.d1, a.d1+2)
	to := after(m.marks.close, a.d1, lookSymbols)
	if a.closed || to == a.d1 || !skip && to < 0 {
		return false
	}
	if open := after(m.marks.open, a.d1+1, lookSymbols); to >= 0 && open >= 0 && open < to && !skip {
		return false // the mark ends another quotation
	}
	if to < 0 {
		to = a.d1 + 160
	}
	to = min(to, m.dHi)
	room := gapBytes + (to - a.d1)
	if skip {
		room = skipBytes
	}
	p, ok := m.lookup(a.d1, to, a.s1, a.s1+room, false, sum)
	p.doc = a.doc
	cost, over, ok := m.joins(a, &p, ok)
	if !ok || p.bits+p.close-cost < lookMargin {
		if !skip {
			return false
		}
		if p, ok = m.adjacent(a, 1); !ok {
			return false
		}
		if cost, over, ok = m.reach(a, &p); !ok {
			return false
		}
		cost = min(cost, p.bits+p.close)
	}
	c.pieces = append(c.pieces, p)
	c.skips = append(c.skips, over)
	c.cost += cost
	c.costs = append(c.costs, cost)
	return true
}

func (m *matcher) lookBefore(c *chain, sum []float32) bool {
	a := c.first()
	skip := m.skipBetween(a.d0-2, a.d0)
	from := before(m.marks.open, a.d0, lookSymbols)
	if a.opened || from == a.d0 || !skip && from < 0 {
		return false
	}
	if end := before(m.marks.close, a.d0-1, lookSymbols); from >= 0 && end > from && !skip {
		return false
	}
	if from < 0 {
		from = a.d0 - 160
	}
	from = max(from, m.dLo)
	room := gapBytes + (a.d0 - from)
	if skip {
		room = skipBytes
	}
	p, ok := m.lookup(from, a.d0, a.s0-room, a.s0, true, sum)
	p.doc = a.doc
	cost, over, ok := m.joins(&p, a, ok)
	if !ok || p.bits+p.open-cost < lookMargin {
		if !skip {
			return false
		}
		if p, ok = m.adjacent(a, -1); !ok {
			return false
		}
		if cost, over, ok = m.reach(&p, a); !ok {
			return false
		}
		cost = min(cost, p.bits+p.open)
	}
	c.pieces = append([]piece{p}, c.pieces...)
	c.skips = append([]bool{over}, c.skips...)
	c.cost += cost
	c.costs = append([]float64{cost}, c.costs...)
	return true
}

// joins is reach for pieces that were found.
func (m *matcher) joins(a, b *piece, found bool) (cost float64, skip, ok bool) {
	if !found {
		return 0, false, false
	}
	return m.reach(a, b)
}

// reach is hop for parts that were looked for: the gap on the derived side may
// be as long as the words between marks.
func (m *matcher) reach(a, b *piece) (cost float64, skip, ok bool) {
	if cost, skip, ok = m.hop(a, b); ok {
		return cost, skip, true
	}
	gd, gs := b.d0-a.d1, b.s0-a.s1
	if gd < 0 || gs < 0 {
		return 0, false, false
	}
	return apart + math.Log2((1+float64(gd))*(1+float64(gs)/4)), m.skipBetween(a.d1, b.d0), true
}

// lookup finds the best piece of d[dFrom:dTo] in the source bytes sFrom..sTo.
func (m *matcher) lookup(dFrom, dTo, sFrom, sTo int, backward bool, sum []float32) (piece, bool) {
	dLo, dHi, sLo, sHi := m.dLo, m.dHi, m.sLo, m.sHi
	defer func() { m.dLo, m.dHi, m.sLo, m.sHi = dLo, dHi, sLo, sHi }()
	sFrom, sTo = m.window(sFrom, sTo)
	m.dLo, m.dHi, m.sLo, m.sHi = max(dLo, dFrom), min(dHi, dTo), sFrom, sTo
	if m.dHi-m.dLo < lookLetters || sTo-sFrom < lookLetters {
		return piece{}, false
	}
	m.win.fold(m.sText, sFrom, sTo)
	d, s := m.d.sym, m.win.sym
	bestD, bestS, best := -1, -1, 0.0
	tried := 0
	try := func(i int) {
		for j := 0; j+lookLetters <= len(s); j++ {
			if s[j]&wordStart == 0 || s[j]&symbol != d[i]&symbol || s[j+1]&symbol != d[i+1]&symbol || s[j+2]&symbol != d[i+2]&symbol {
				continue
			}
			score, top, end := 0, 0, 0
			for k := 0; i+k < m.dHi && j+k < len(s) && score > top-6; k++ {
				if d[i+k]&symbol == s[j+k]&symbol {
					if score++; score > top {
						top, end = score, k+1
					}
				} else {
					score -= 2
				}
			}
			bits := float64(sum[i+end]-sum[i]) - 0.5*float64(end-top)
			if i == dFrom || backward && i+end == dTo {
				bits += 4
			}
			gap := j // symbols of the source that the part leaves out
			if backward {
				gap = len(s) - j - end
			}
			bits -= 0.5 * math.Log2(1+float64(gap)/4)
			if bits > best {
				bestD, bestS, best = i, j, bits
			}
		}
	}
	if backward {
		for i := m.dHi - lookLetters; i >= m.dLo && tried < lookWords; i-- {
			if d[i]&wordStart != 0 {
				try(i)
				tried++
			}
		}
	} else {
		for i := m.dLo; i+lookLetters <= m.dHi && tried < lookWords; i++ {
			if d[i]&wordStart != 0 || i == m.dLo {
				try(i)
				tried++
			}
		}
	}
	if bestD < 0 || best < 6 {
		return piece{}, false
	}
	at := int(m.win.pos[bestS])
	return m.align(bestD, at, at, at)
}
