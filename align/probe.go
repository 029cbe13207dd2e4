package align

import "math"

// probe is a seed of the derived side that the index may hold; from and size
// are its bucket.
type probe struct {
	hash   uint64
	symbol int32
	from   uint32
	size   uint32
}

// hit is a seed of the derived side and a byte of the part's text where it stands.
type hit struct {
	symbol int32
	place  uint32
}

// batch is the number of probes that are looked up together, so that the reads
// of memory, which are all over, can overlap.
const batch = 128

// scanSpan is scan for the seeds that begin in symbols from..to.
func (c *search) scanSpan(p *Part, from, to int, threshold float64) {
	pad := c.f.sym[:len(c.f.sym)+padding]
	c.probes = c.probes[:0]
	for i := from; i < to; i++ {
		if pad[i]&wordStart == 0 {
			continue
		}
		for _, h := range seedHashes(pad, i) {
			if p.index.may(h) {
				c.probes = append(c.probes, probe{hash: h, symbol: int32(i)})
			}
		}
		if w := unknownWithin(c.f.sym, c.sum, i, shortSeed); w != 0 && !c.unknown.again(w, int32(i+1)) {
			near := c.marks.cells[i/32]
			c.damaged = damagedSeeds(c.damaged[:0], pad, i)
			for _, hs := range c.damaged {
				if p.index.may(hs[0]) {
					c.probes = append(c.probes, probe{hash: hs[0], symbol: int32(i)})
				}
				if near && p.index.may(hs[1]) {
					c.probes = append(c.probes, probe{hash: hs[1], symbol: int32(i)})
				}
			}
		}
		if len(c.probes) >= batch {
			c.flush(p, threshold)
		}
	}
	c.flush(p, threshold)
}

// flush follows the probes.
func (c *search) flush(p *Part, threshold float64) {
	x := p.index
	for i := range c.probes {
		q := &c.probes[i]
		q.from, q.size = x.bucket(q.hash)
	}
	c.hits = c.hits[:0]
	low := uint32(1)<<x.placeBits - 1
	for i := range c.probes {
		q := &c.probes[i]
		mark := x.mark(q.hash)
		for _, e := range x.entries[q.from : q.from+q.size] {
			if e&^low == mark {
				c.hits = append(c.hits, hit{q.symbol, e & low})
			}
		}
	}
	for _, h := range c.hits {
		c.meet(p, h, threshold)
	}
	c.probes = c.probes[:0]
}

// meet follows a hit that another on its diagonal supports, or a quotation mark
// near by; most hits are chance, stand alone, and are not looked at at all.
func (c *search) meet(p *Part, h hit, threshold float64) {
	if !c.marks.cells[h.symbol/32] {
		d := int32(c.f.pos[h.symbol])
		supported, waiting := c.seen.await(int64(h.place)-int64(d)+math.MaxUint32, d, h)
		if !supported {
			return
		}
		if waiting.symbol >= 0 {
			c.follow(p, int(waiting.symbol), int(waiting.place), threshold)
		}
	}
	c.follow(p, int(h.symbol), int(h.place), threshold)
}

// follow looks at one hit: derived symbol i and byte s of the part's text.
func (c *search) follow(p *Part, i, s int, threshold float64) {
	d := int32(c.f.pos[i])
	diag := int64(s) - int64(d) + math.MaxUint32
	look, beside := c.seen.look(diag, d)
	if !look {
		return
	}
	m := &c.m
	m.sLo, m.sHi = 0, len(p.text)
	q := m.quick(i, s, c.sum)
	if q.to == q.from {
		return
	}
	bits, ok := m.hopeful(&q, float64(beside), threshold, c.sum)
	c.seen.done(diag, int32(c.f.pos[q.to]), float32(bits))
	if !ok {
		return
	}
	doc := p.sourceAt(s)
	near := c.of[doc]
	for _, k := range near[max(0, len(near)-32):] {
		if q := &c.pieces[k]; i >= q.d0 && i < q.d1 && s >= q.s0 && s < q.s1 {
			return
		}
	}
	m.sLo, m.sHi = p.sources[doc].begin, p.sources[doc].end
	found, ok := m.align(i, s)
	if !ok || found.bits < 6 {
		return
	}
	found.doc = doc
	c.of[doc] = append(near, int32(len(c.pieces)))
	c.pieces = append(c.pieces, found)
	c.seen.done(diag, int32(c.f.pos[found.d1]), float32(found.bits))
}
