package align

import "math"

// positions are the bytes of the symbols of many texts, each in two bytes. Texts that are too
// long for that are rare, and have theirs beside them.
type positions struct {
	short []uint16
	long  map[int][]uint32 // by the first position of the text
}

// add adds those of one text.
func (p *positions) add(pos []uint32) {
	if pos[len(pos)-1] > math.MaxUint16 {
		if p.long == nil {
			p.long = map[int][]uint32{}
		}
		p.long[len(p.short)] = append([]uint32(nil), pos...)
	}
	for _, at := range pos {
		p.short = append(p.short, uint16(at))
	}
}

// at is position i of the text with this first one.
func (p *positions) at(first, i int) uint32 {
	if long, ok := p.long[first]; ok {
		return long[i]
	}
	return uint32(p.short[first+i])
}

// read copies n positions of a text into list.
func (p *positions) read(list []uint32, first, n int) []uint32 {
	if long, ok := p.long[first]; ok {
		return append(list[:0], long...)
	}
	list = list[:0]
	for _, at := range p.short[first:][:n] {
		list = append(list, uint32(at))
	}
	return list
}
