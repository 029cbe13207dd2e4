package align

// stretch is a span of bytes on both sides.
type stretch struct{ d0, d1, s0, s1 int }

// stretches are the parts of a chain, apart at ellipses and between blocks.
func (m *matcher) stretches(c *chain) (parts []stretch, skips, blocks int) {
	for i := range c.pieces {
		p := &c.pieces[i]
		s := stretch{int(m.d.Pos[p.d0]), m.d.End(m.dText, p.d1), p.s0, p.s1}
		if i > 0 {
			m.keepApart(&s, p, c.pieces[i-1].d1, parts[len(parts)-1].s1)
		}
		if i > 0 && !c.skips[i-1] {
			last := &parts[len(parts)-1]
			if !blockBetween(m.dText[min(last.d1, s.d0):s.d0]) {
				more := m.split(p, s)
				last.d1, last.s1 = max(last.d1, more[0].d1), max(last.s1, more[0].s1)
				parts, skips = append(parts, more[1:]...), skips+len(more)-1
				continue
			}
			blocks++
		} else if i > 0 {
			skips++
		}
		more := m.split(p, s)
		parts, skips = append(parts, more...), skips+len(more)-1
	}
	for i := range parts {
		m.sharePoints(&parts[i])
	}
	return parts, skips, blocks
}
