package segment

import (
	"math"

	commonplace "github.com/commonplace/commonplace"
)

// unit is one piece of a document's structure: bytes [begin, end).
type unit struct {
	begin, end int
	title      string
	head       int32 // bytes of its heading
	parent     int32 // in structure.headed, -1 for the document
	index      int32 // among those of its kind in the document
	within     int32 // among those of its kind in the parent
	siblings   int32 // of its kind in the parent, with itself
	passages   int32 // that begin in it
	placed     int32 // how many of them are written
	rank       uint8 // of its kind
	depth      uint8 // how many units are around it
}

// structure is the units of a text. Headed units nest and are in order of their
// begins; speeches and paragraphs are flat.
type structure struct {
	headed     []unit // the first is the document
	speeches   []unit
	paragraphs []unit
	count      [kinds]int32 // units of each rank
}

// outline finds the structure of a text.
func outline(text string) *structure {
	paragraphs := make([]span, 0, len(text)/256)
	for begin, end := range eachParagraph(text) {
		paragraphs = append(paragraphs, span{begin, end})
	}
	headings := findHeadings(text, paragraphs)
	s := &structure{headed: make([]unit, 1, 1+headings.len())}
	s.headed[0] = unit{end: len(text), parent: -1, siblings: 1}
	s.count[0] = 1
	s.nest(headings, partsFirst(headings.found))
	speeches, names := findSpeeches(text, headings.found)
	s.speeches = s.flat(commonplace.PlaceSpeech, speeches, names)
	s.paragraphs = s.flat(commonplace.PlaceParagraph, paragraphs, nil)
	return s
}

// partsFirst says that parts hold books and not the other way round, by
// which of them comes first.
func partsFirst(headings []heading) bool {
	for _, h := range headings {
		switch {
		case h.listed, h.number == 0:
		case h.kind == commonplace.PlaceBook:
			return false
		case h.kind == commonplace.PlacePart:
			return true
		}
	}
	return false
}

// nest makes a unit of every heading, to the next of its rank or above.
func (s *structure) nest(headings headingList, partsFirst bool) {
	book, part := uint8(rank(commonplace.PlaceBook)), uint8(rank(commonplace.PlacePart))
	level := func(r uint8) uint8 {
		switch {
		case partsFirst && r == book:
			return part
		case partsFirst && r == part:
			return book
		}
		return r
	}
	open := []int32{0}
	for h := range headings.each() {
		r := uint8(rank(h.kind))
		for len(open) > 1 && level(s.headed[open[len(open)-1]].rank) >= level(r) {
			s.headed[open[len(open)-1]].end = h.begin
			open = open[:len(open)-1]
		}
		u := unit{
			begin: h.begin, end: s.headed[0].end, head: int32(min(h.end-h.begin, math.MaxInt32)), rank: r, title: h.title,
			parent: open[len(open)-1], depth: uint8(len(open)),
		}
		open = append(open, int32(len(s.headed)))
		s.headed = append(s.headed, u)
	}
	s.number(s.headed[1:])
	for i := 1; i < len(s.headed); i++ { // a unit ends with the one around it
		s.headed[i].end = min(s.headed[i].end, s.headed[s.headed[i].parent].end)
	}
}

// siblings counts the units of each rank right below one unit.
type siblings struct {
	parent int32
	count  [kinds]int32
}

// of is the count for a unit's parent and rank. Units of one depth come parent after parent.
func (c *siblings) of(u *unit) *int32 {
	if c.parent != u.parent {
		*c = siblings{parent: u.parent}
	}
	return &c.count[u.rank]
}

// number counts units in their document and their parents.
func (s *structure) number(units []unit) {
	var before, after [kinds]siblings // by depth
	for i := range units {
		u := &units[i]
		n := before[u.depth].of(u)
		u.index, u.within = s.count[u.rank], *n
		s.count[u.rank]++
		*n++
	}
	for i := len(units) - 1; i >= 0; i-- {
		u := &units[i]
		n := after[u.depth].of(u)
		*n = max(*n, u.within+1) // the last one says how many there are
		u.siblings = *n
	}
}

// flat makes units of spans that do not nest, each in the innermost headed unit
// in which it begins. Names may be nil.
func (s *structure) flat(kind string, spans []span, names []string) []unit {
	units := make([]unit, 0, len(spans))
	r := uint8(rank(kind))
	at := &sweep{units: s.headed}
	for i, p := range spans {
		at.to(p.begin)
		u := unit{begin: p.begin, end: p.end, rank: r, parent: at.inner()}
		if names != nil {
			u.title = names[i]
		}
		units = append(units, u)
	}
	s.number(units)
	return units
}

// sweep goes over nested units in order of their begins and knows which are open.
type sweep struct {
	units []unit
	next  int
	open  []int32 // outermost first
}

// to moves to byte i, which is not before the last one.
func (w *sweep) to(i int) {
	for w.next < len(w.units) && w.units[w.next].begin <= i {
		w.open = append(w.open, int32(w.next))
		w.next++
	}
	kept := w.open[:0]
	for _, u := range w.open {
		if i < w.units[u].end || u == 0 { // the document is always open
			kept = append(kept, u)
		}
	}
	w.open = kept
}

// inner is the innermost open unit; the document always is one.
func (w *sweep) inner() int32 { return w.open[len(w.open)-1] }
