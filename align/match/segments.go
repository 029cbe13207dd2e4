package match

// Segment is a span of bytes on both sides.
type Segment struct{ D0, D1, S0, S1 int }

// segments are the parts of a chain between ellipses and blocks.
func (m *Matcher) segments(c *Chain) (parts []Segment, ellipses, blocks int) {
	for i := range c.Pieces {
		p := &c.Pieces[i]
		s := Segment{int(m.Derived.Pos[p.D0]), m.Derived.End(m.DerivedText, p.D1), p.S0, p.S1}
		if i > 0 {
			m.separate(&s, p, c.Pieces[i-1].D1, parts[len(parts)-1].S1)
		}
		if i > 0 && !c.ellipses[i-1] {
			last := &parts[len(parts)-1]
			if !blockBetween(m.DerivedText[min(last.D1, s.D0):s.D0]) {
				more := m.split(p, s)
				last.D1, last.S1 = max(last.D1, more[0].D1), max(last.S1, more[0].S1)
				parts, ellipses = append(parts, more[1:]...), ellipses+len(more)-1
				continue
			}
			blocks++
		} else if i > 0 {
			ellipses++
		}
		more := m.split(p, s)
		parts, ellipses = append(parts, more...), ellipses+len(more)-1
	}
	for i := range parts { // not into a neighbour: the same points may stand at the ends of both
		free := Segment{0, len(m.DerivedText), m.SLo, m.SHi}
		if i > 0 {
			free.D0, free.S0 = parts[i-1].D1, parts[i-1].S1
		}
		if i+1 < len(parts) {
			free.D1, free.S1 = parts[i+1].D0, parts[i+1].S0
		}
		m.extendToPoints(&parts[i], free)
	}
	return parts, ellipses, blocks
}
