package align

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/commonplace/commonplace/align/fold"
)

// border is one source word of a find: where it stands on both sides, and what the find says
// that ends with it or begins at it. Offsets are code points; before a row is made, symbols of
// the derived side and bytes of the source.
type border struct {
	d0, d1, s0, s1 int
	upto, from     float64 // bits of all words up to it and from it on, without marks
	open, close    float64 // bits of the marks before it and after it
	flags          uint8
}

const (
	mayBegin  = 1 << iota // a word begins here on both sides, and counts
	mayEnd                // the same for its end
	placed                // it has letters of the derived side
	wholeWord             // and stands unchanged there
	opened                // a quotation mark stands before it, and after it
	closed
)

// exactBegins is the number of words at which a find may begin anew for which it is asked what
// they say without the words before them. Beyond, what they say after those is a bound from below.
const exactBegins = 4

// borders appends to m.arena the words of m.pairs[from:to], as weigh weighs them.
func (m *matcher) borders(words []word, from, to int) {
	d, s, pairs := m.d.Sym, m.win.Sym, m.pairs
	start := len(m.arena)
	bits := 0.0
	var first, second [exactBegins + 1]float64 // by how much more a word says as a find's first word, and as its second
	for i := range words {
		w := &words[i]
		if int(w.last) <= from {
			continue
		}
		if int(w.first) >= to {
			break
		}
		inside := len(m.arena) - start
		a, b := max(int(w.first), from), min(int(w.last), to)
		n := w.matched
		if int(w.first) < from || int(w.last) > to {
			n = 0
			for _, p := range pairs[a:b] {
				if d[p.D]&fold.Mask == s[p.S]&fold.Mask {
					n++
				}
			}
		}
		cut := int(w.last) >= to && pairs[to-1].S+1 < w.end || int(w.first) <= from && pairs[from].S > w.begin
		says := func(surprise float64) float64 {
			v := *w
			v.surprise = max(v.surprise, surprise)
			if cut {
				return v.part(n)
			}
			return v.gain(n)
		}
		gain, stray := says(0), strayCost(w.stray, w.missed)
		within := stray
		if inside <= exactBegins {
			within = strayCost(m.straysWithin(pairs[a:b]), 0)
			first[inside] = says(m.counts.Surprisal(0, 0, w.w, w.copies)) - gain + stray - within
			second[inside] = says(m.counts.Surprisal(0, w.v, w.w, w.copies)) - gain
		}
		e := border{from: gain - stray}
		switch inside {
		case 0:
			bits += e.from + first[0]
		case 1:
			bits += e.from + second[1]
		default:
			bits += e.from
		}
		e.upto = bits
		if b > a {
			e.flags |= placed
			p, q := pairs[a], pairs[b-1]
			e.d0, e.d1, e.s0, e.s1 = int(p.D), int(q.D)+1, int(m.win.Pos[p.S]), m.win.End(m.sText, int(q.S)+1)
			if gain > 0 && p.S == w.begin && (e.d0 <= m.dLo || d[p.D]&fold.WordStart != 0) {
				e.flags |= mayBegin
			}
			if gain > 0 && q.S+1 >= w.end && (e.d1 >= m.dHi || d[e.d1]&fold.WordStart != 0) {
				e.flags |= mayEnd
			}
			if m.marks.Cells[e.d0/32] && e.flags&mayBegin != 0 {
				if e.open = m.openBits(e.d0, int(p.S)); m.marks.At(m.marks.Open, e.d0) > 0 {
					e.flags |= opened
				}
			}
			if m.marks.Cells[e.d1/32] && e.flags&mayEnd != 0 {
				if e.close = m.closeBits(e.d1, int(q.S)+1); m.marks.At(m.marks.Close, e.d1) > 0 {
					e.flags |= closed
				}
			}
		}
		if n == w.end-w.begin {
			e.flags |= wholeWord
		}
		m.arena = append(m.arena, e)
	}
	out := m.arena[start:]
	rest := 0.0
	for k := len(out) - 1; k >= 0; k-- {
		rest += out[k].from
		out[k].from = rest
		if k <= exactBegins {
			out[k].from += first[k]
			if k+1 < len(out) && k+1 <= exactBegins {
				out[k].from += second[k+1]
			}
		}
	}
}

// bordersOf lists the words of a piece, over the ellipses at which it is cut. costs are what
// these cost.
func (m *matcher) bordersOf(words []word, from, to int, cuts []cut) []border {
	start, begin := len(m.arena), from
	var costs []float64
	var ends []int
	for _, c := range cuts {
		for x := begin; x < to; x++ {
			if int(m.pairs[x].D) >= c.d1 {
				m.borders(words, begin, x)
				ends = append(ends, len(m.arena))
				costs = append(costs, leftOut+math.Log2(1+float64(m.pairs[x].S-m.pairs[x-1].S-1)/4))
				begin = x
				break
			}
		}
	}
	m.borders(words, begin, to)
	var parts [][]border
	at := start
	for _, end := range append(ends, len(m.arena)) {
		parts, at = append(parts, m.arena[at:end]), end
	}
	joinBorders(parts, costs)
	return m.arena[start:len(m.arena):len(m.arena)]
}

// joinBorders makes what the words of each part say into what they say in the whole;
// going from one part to the next has a cost. It returns what the whole says.
func joinBorders(parts [][]border, costs []float64) float64 {
	before, after := 0.0, 0.0
	for k, part := range parts {
		for i := range part {
			part[i].upto += before
		}
		if len(part) > 0 {
			before = part[len(part)-1].upto
		}
		if k < len(costs) {
			before -= costs[k]
		}
	}
	for k := len(parts) - 1; k >= 0; k-- {
		if k < len(costs) {
			after -= costs[k]
		}
		for i := range parts[k] {
			parts[k][i].from += after
		}
		if len(parts[k]) > 0 {
			after = parts[k][0].from
		}
	}
	return before
}

// chainBorders packs the words of a chain that becomes a row. dPoint and sPoint turn bytes into code points.
func (m *matcher) chainBorders(c *chain, dPoint, sPoint func(int) int64) []byte {
	var parts [][]border
	for i := range c.pieces {
		parts = append(parts, c.pieces[i].words)
	}
	joinBorders(parts, c.costs)
	d, s := walker{m.dText, -1, 0, dPoint}, walker{m.sText, -1, 0, sPoint}
	start := len(m.arena)
	for _, part := range parts {
		for _, b := range part {
			if b.flags&placed != 0 {
				b.d0, b.d1 = d.at(int(m.d.Pos[b.d0])), d.at(m.d.End(m.dText, b.d1))
				b.s0, b.s1 = s.at(b.s0), s.at(b.s1)
			}
			m.arena = append(m.arena, b)
		}
	}
	return packBorders(m.arena[start:])
}

// walker counts code points from one byte to the next.
type walker struct {
	text  string
	byte  int
	point int64
	count func(int) int64
}

func (w *walker) at(b int) int {
	if w.byte < 0 || b < w.byte {
		w.point = w.count(b)
	} else {
		w.point += int64(fold.CountRunes(w.text[w.byte:b]))
	}
	w.byte = b
	return int(w.point)
}

// borderBits is the unit of packed bits.
const borderBits = 1.0 / 256

// packBorders writes borders as differences from those before, about ten bytes each.
func packBorders(all []border) []byte {
	out := make([]byte, 0, 16*len(all))
	var last border
	put := func(v int) { out = binary.AppendVarint(out, int64(v)) }
	bits := func(v float64) int { return int(math.Round(v / borderBits)) }
	for _, b := range all {
		out = append(out, b.flags)
		if b.flags&placed != 0 {
			put(b.d0 - last.d1)
			put(b.d1 - b.d0)
			put(b.s0 - last.s1)
			put(b.s1 - b.s0)
		} else {
			b.d1, b.s1 = last.d1, last.s1
		}
		put(bits(b.upto) - bits(last.upto))
		put(bits(b.from) - bits(last.from))
		if b.flags&mayBegin != 0 {
			put(bits(b.open))
		}
		if b.flags&mayEnd != 0 {
			put(bits(b.close))
		}
		last = b
	}
	return out
}

// unpackBorders reads what packBorders wrote.
func unpackBorders(p []byte) ([]border, error) {
	var all []border
	var last border
	upto, from := 0, 0
	get := func() int {
		v, n := binary.Varint(p)
		if n <= 0 {
			p = nil
			return 0
		}
		p = p[n:]
		return int(v)
	}
	for len(p) > 0 {
		b := border{flags: p[0], d1: last.d1, s1: last.s1}
		p = p[1:]
		if b.flags&placed != 0 {
			b.d0 = last.d1 + get()
			b.d1 = b.d0 + get()
			b.s0 = last.s1 + get()
			b.s1 = b.s0 + get()
		}
		upto, from = upto+get(), from+get()
		b.upto, b.from = float64(upto)*borderBits, float64(from)*borderBits
		if b.flags&mayBegin != 0 {
			b.open = float64(get()) * borderBits
		}
		if b.flags&mayEnd != 0 {
			b.close = float64(get()) * borderBits
		}
		if p == nil {
			return nil, errors.New("align: a candidate's words are damaged")
		}
		all = append(all, b)
		last = b
	}
	return all, nil
}
