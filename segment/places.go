package segment

import (
	commonplace "github.com/commonplace/commonplace"
)

// placed says for every piece in which units it begins.
type placed struct {
	s         *structure
	heads     sweep
	speech    int // where the sweep stands in the speeches
	paragraph int // and in the paragraphs
	open      []*unit
	speaking  *unit // the speech at the last byte, nil when nobody speaks
}

// countPassages counts the passages of every unit, before [placed.fill] goes over them again.
func (s *structure) countPassages(pieces []Piece) {
	p := &placed{s: s, heads: sweep{units: s.headed}}
	for _, piece := range pieces {
		for _, u := range p.at(piece.Begin) {
			u.passages++
		}
	}
}

// at moves to a byte, which is not before the last one, and gives the units
// that are open there, outermost first. The slice is good until the next call.
func (p *placed) at(i int) []*unit {
	p.heads.to(i)
	p.open = p.open[:0]
	for _, u := range p.heads.open {
		p.open = append(p.open, &p.s.headed[u])
	}
	if p.speaking = flatAt(p.s.speeches, &p.speech, i); p.speaking != nil {
		p.open = append(p.open, p.speaking)
	}
	if u := flatAt(p.s.paragraphs, &p.paragraph, i); u != nil {
		p.open = append(p.open, u)
	}
	return p.open
}

// flatAt is the unit that holds byte i, nil when none does.
func flatAt(units []unit, next *int, i int) *unit {
	for *next < len(units) && units[*next].end <= i {
		*next++
	}
	if *next < len(units) && units[*next].begin <= i {
		return &units[*next]
	}
	return nil
}

// fill writes a passage's places, heading and speaker.
func (p *placed) fill(out *commonplace.Passage, begin int) {
	open := p.at(begin)
	out.Places = make([]commonplace.Place, 0, len(open))
	for _, u := range open {
		n, all := int64(u.placed), int64(u.passages)
		u.placed++
		out.Places = append(out.Places, commonplace.Place{
			Kind: ranks[u.rank], Title: u.title,
			Index: int64(u.index), Count: int64(p.s.count[u.rank]),
			IndexWithin: int64(u.within), CountWithin: int64(u.siblings),
			PassageIndex: n, Passages: all,
			Position: float64(n) / float64(all), Decile: n * 10 / all,
			First: n == 0, Last: n == all-1,
		})
		out.Heading = out.Heading || begin < u.begin+int(u.head)
	}
	if u := p.speaking; u != nil {
		out.Speaker = u.title
	}
}
