package match

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"

	"github.com/commonplace/commonplace/align/fold"
)

// Border is one source word of a match, at which merging may cut it: its position on both sides,
// and the evidence of the match up to it and from it on. Offsets are code points; before a row
// is made, symbols of the derived side and bytes of the source.
type Border struct {
	D0, D1, S0, S1 int
	Upto, From     float64 // bits of all words up to it and from it on, without marks
	Open, Close    float64 // evidence of the marks before it and after it
	Flags          uint8
}

const (
	MayBegin  = 1 << iota // both sides begin a word here, and it counts
	MayEnd                // the same for its end
	Placed                // it has letters of the derived side
	WholeWord             // and is unchanged there
	Opened                // a quotation mark is before it, and after it
	Closed
)

// exactBegins is the number of words for which a Border has the exact evidence of a match that
// begins there, without the context before. For later words it is a lower bound.
const exactBegins = 4

// borders appends to m.arena the words of m.pairs[from:to], as weigh weighs them.
func (m *Matcher) borders(words []word, from, to int) {
	d, s, pairs := m.Derived.Sym, m.win.Sym, m.pairs
	start := len(m.Arena)
	bits := 0.0
	var first, second [exactBegins + 1]float64 // additional evidence of a word as the first of a match, and as its second
	for i := range words {
		w := &words[i]
		if int(w.last) <= from {
			continue
		}
		if int(w.first) >= to {
			break
		}
		inside := len(m.Arena) - start
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
		evidence := func(surprisal float64) float64 {
			v := *w
			if !v.ignored {
				v.surprisal = max(v.surprisal, surprisal)
			}
			if cut {
				return v.part(n)
			}
			return v.gain(n)
		}
		gain, stray := evidence(0), unmatchedCost(w.unmatched, w.missed)
		within := stray
		if inside <= exactBegins {
			within = unmatchedCost(m.unmatchedWithin(pairs[a:b]), 0)
			first[inside] = evidence(m.Counts.Surprisal(0, 0, w.w, w.added)) - gain + stray - within
			second[inside] = evidence(m.Counts.Surprisal(0, w.v, w.w, w.added)) - gain
		}
		e := Border{From: gain - stray}
		switch inside {
		case 0:
			bits += e.From + first[0]
		case 1:
			bits += e.From + second[1]
		default:
			bits += e.From
		}
		e.Upto = bits
		if b > a {
			e.Flags |= Placed
			p, q := pairs[a], pairs[b-1]
			e.D0, e.D1, e.S0, e.S1 = int(p.D), int(q.D)+1, int(m.win.Pos[p.S]), m.win.End(m.SourceText, int(q.S)+1)
			if gain > 0 && p.S == w.begin && (e.D0 <= m.DLo || d[p.D]&fold.WordStart != 0) {
				e.Flags |= MayBegin
			}
			if gain > 0 && q.S+1 >= w.end && (e.D1 >= m.DHi || d[e.D1]&fold.WordStart != 0) {
				e.Flags |= MayEnd
			}
			if m.Marks.Cells[e.D0/32] && e.Flags&MayBegin != 0 {
				if e.Open = m.openBits(e.D0, int(p.S)); m.Marks.At(m.Marks.Open, e.D0) > 0 {
					e.Flags |= Opened
				}
			}
			if m.Marks.Cells[e.D1/32] && e.Flags&MayEnd != 0 {
				if e.Close = m.closeBits(e.D1, int(q.S)+1); m.Marks.At(m.Marks.Close, e.D1) > 0 {
					e.Flags |= Closed
				}
			}
		}
		if n == w.end-w.begin {
			e.Flags |= WholeWord
		}
		m.Arena = append(m.Arena, e)
	}
	out := m.Arena[start:]
	rest := 0.0
	for k := len(out) - 1; k >= 0; k-- {
		rest += out[k].From
		out[k].From = rest
		if k <= exactBegins {
			out[k].From += first[k]
			if k+1 < len(out) && k+1 <= exactBegins {
				out[k].From += second[k+1]
			}
		}
	}
}

// bordersOf lists the words of a piece, over its ellipses.
func (m *Matcher) bordersOf(words []word, from, to int, gaps []ellipsis) []Border {
	start, begin := len(m.Arena), from
	var costs []float64
	var ends []int
	for _, c := range gaps {
		for x := begin; x < to; x++ {
			if int(m.pairs[x].D) >= c.d1 {
				m.borders(words, begin, x)
				ends = append(ends, len(m.Arena))
				costs = append(costs, omitted+math.Log2(1+float64(m.pairs[x].S-m.pairs[x-1].S-1)/4))
				begin = x
				break
			}
		}
	}
	m.borders(words, begin, to)
	var parts [][]Border
	at := start
	for _, end := range append(ends, len(m.Arena)) {
		parts, at = append(parts, m.Arena[at:end]), end
	}
	joinBorders(parts, costs)
	return m.Arena[start:len(m.Arena):len(m.Arena)]
}

// joinBorders turns the evidence within each part into that within the whole match;
// going from one part to the next has a cost. It returns the evidence of the whole.
func joinBorders(parts [][]Border, costs []float64) float64 {
	before, after := 0.0, 0.0
	for k, part := range parts {
		for i := range part {
			part[i].Upto += before
		}
		if len(part) > 0 {
			before = part[len(part)-1].Upto
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
			parts[k][i].From += after
		}
		if len(parts[k]) > 0 {
			after = parts[k][0].From
		}
	}
	return before
}

// PackBorders packs the words of a chain that becomes a row. dPoint and sPoint turn bytes into code points.
func (m *Matcher) PackBorders(c *Chain, dPoint, sPoint func(int) int64) []byte {
	var parts [][]Border
	for i := range c.Pieces {
		parts = append(parts, c.Pieces[i].words)
	}
	joinBorders(parts, c.costs)
	d, s := walker{m.DerivedText, -1, 0, dPoint}, walker{m.SourceText, -1, 0, sPoint}
	pack := packer{out: m.packed[:0]}
	for _, part := range parts {
		for _, b := range part {
			if b.Flags&Placed != 0 {
				b.D0, b.D1 = d.at(int(m.Derived.Pos[b.D0])), d.at(m.Derived.End(m.DerivedText, b.D1))
				b.S0, b.S1 = s.at(b.S0), s.at(b.S1)
			}
			pack.add(b)
		}
	}
	m.packed = pack.out
	return bytes.Clone(pack.out) // no longer than it is: a match of a whole book is large
}

// walker converts increasing byte offsets to code points.
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

// packer writes borders as differences from those before, about ten bytes each.
type packer struct {
	out  []byte
	last Border
}

func (p *packer) add(b Border) {
	put := func(v int) { p.out = binary.AppendVarint(p.out, int64(v)) }
	bits := func(v float64) int { return int(math.Round(v / borderBits)) }
	p.out = append(p.out, b.Flags)
	if b.Flags&Placed != 0 {
		put(b.D0 - p.last.D1)
		put(b.D1 - b.D0)
		put(b.S0 - p.last.S1)
		put(b.S1 - b.S0)
	} else {
		b.D1, b.S1 = p.last.D1, p.last.S1
	}
	put(bits(b.Upto) - bits(p.last.Upto))
	put(bits(b.From) - bits(p.last.From))
	if b.Flags&MayBegin != 0 {
		put(bits(b.Open))
	}
	if b.Flags&MayEnd != 0 {
		put(bits(b.Close))
	}
	p.last = b
}

// UnpackBorders reads what [Matcher.PackBorders] wrote.
func UnpackBorders(p []byte) ([]Border, error) {
	var all []Border
	var last Border
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
		b := Border{Flags: p[0], D1: last.D1, S1: last.S1}
		p = p[1:]
		if b.Flags&Placed != 0 {
			b.D0 = last.D1 + get()
			b.D1 = b.D0 + get()
			b.S0 = last.S1 + get()
			b.S1 = b.S0 + get()
		}
		upto, from = upto+get(), from+get()
		b.Upto, b.From = float64(upto)*borderBits, float64(from)*borderBits
		if b.Flags&MayBegin != 0 {
			b.Open = float64(get()) * borderBits
		}
		if b.Flags&MayEnd != 0 {
			b.Close = float64(get()) * borderBits
		}
		if p == nil {
			return nil, errors.New("align: a candidate's words are damaged")
		}
		all = append(all, b)
		last = b
	}
	return all, nil
}
