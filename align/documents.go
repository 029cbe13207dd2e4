package align

import (
	"math"

	"github.com/commonplace/commonplace"
)

// DocumentThreshold is the evidence in bits that a find between documents
// needs: log2 of the number of ways in which a million letters of derived text
// and the collection's letters could meet, over the chance finds accepted.
func (s *Stats) DocumentThreshold(o Options) float64 {
	return math.Log2(float64(max(1, s.letters)) * 1e6 / o.DocumentChance)
}

var Debug = false

// search is the scratch memory of one goroutine that looks for one derived document.
type search struct {
	m      matcher
	f      folded
	marks  marks
	sum    []float32
	seen   diagonals
	pieces []piece
}

// Find is every candidate of one derived document in this part: all that
// reaches the threshold, the same words in several places included. Hand the
// candidates of all parts for the same derived document to [Merge].
func (p *Part) Find(derived commonplace.Document) []commonplace.Alignment {
	c, _ := p.free.Get().(*search)
	if c == nil {
		c = &search{}
	}
	defer p.free.Put(c)
	c.begin(p, derived.Text)
	c.scan(p)
	return c.rows(p, derived)
}

func (c *search) begin(p *Part, text string) {
	c.f.fold(text, 0, len(text))
	c.marks.find(text, &c.f)
	c.sum = p.stats.sumSurprise(&c.f, c.sum)
	c.seen.reset()
	c.pieces = c.pieces[:0]
	m := &c.m
	m.stats, m.o = p.stats, p.o
	m.dText, m.d, m.marks, m.dLo, m.dHi = text, &c.f, &c.marks, 0, len(c.f.sym)
	m.sText = p.text
}

// scan looks up every seed of the derived document and aligns where it pays.
func (c *search) scan(p *Part) {
	threshold := p.stats.DocumentThreshold(p.o)
	pad := c.f.sym[:len(c.f.sym)+padding]
	for i := range c.f.sym {
		if pad[i]&wordStart == 0 {
			continue
		}
		for _, h := range seedHashes(pad, i) {
			if !p.index.may(h) {
				continue
			}
			bucket, mark := p.index.bucket(h)
			low := uint32(1)<<p.index.placeBits - 1
			for _, e := range bucket {
				if e&^low == mark {
					c.hit(p, i, int(e&low), threshold)
				}
			}
		}
	}
}

// hit is one seed of the derived side at symbol i and byte s of the part's text.
func (c *search) hit(p *Part, i, s int, threshold float64) {
	d := int32(c.f.pos[i])
	diag := int64(s) - int64(d) + math.MaxUint32
	look, beside := c.seen.look(diag, d)
	if !look {
		return
	}
	m := &c.m
	m.sLo, m.sHi = 0, len(p.text)
	from, to, bits := m.quick(i, s, c.sum)
	if to == from {
		return
	}
	c.seen.done(diag, int32(c.f.pos[to]), float32(bits))
	if beside > pairCost {
		bits += float64(beside) - pairCost
	}
	need := threshold - loneSlack
	if bits < need-2*markSlack {
		return
	}
	if bits < need && bits < need-markSlack*float64(c.marks.nearMarks(from, to)) {
		return
	}
	doc := p.sourceAt(s)
	for k := len(c.pieces) - 1; k >= max(0, len(c.pieces)-64); k-- {
		if q := &c.pieces[k]; q.doc == doc && i >= q.d0 && i < q.d1 && s >= q.s0 && s < q.s1 {
			return
		}
	}
	m.sLo, m.sHi = p.sources[doc].begin, p.sources[doc].end
	found, ok := m.align(i, s)
	if !ok || found.bits < 8 {
		return
	}
	found.doc = doc
	c.pieces = append(c.pieces, found)
	c.seen.done(diag, int32(c.f.pos[found.d1]), float32(found.bits))
}

// rows joins the pieces and makes those that say enough into alignments.
func (c *search) rows(p *Part, derived commonplace.Document) []commonplace.Alignment {
	if len(c.pieces) == 0 {
		return nil
	}
	m := &c.m
	threshold := p.stats.DocumentThreshold(p.o)
	var out []commonplace.Alignment
	var d *commonplace.Offsets
	for _, ch := range m.chains(c.pieces) {
		if ch.bits() < threshold-2*markSlack {
			continue
		}
		s := &p.sources[ch.first().doc]
		m.sLo, m.sHi = s.begin, s.end
		m.complete(&ch, c.sum)
		if ch.bits() < threshold || ch.touched() < p.o.MinWords {
			continue
		}
		if d == nil {
			d = commonplace.NewOffsets(derived.Text)
		}
		a := m.row(&ch, func(b int) int64 { return int64(d.Point(b)) }, func(b int) int64 { return s.point(p.text, b) })
		a.SourceID, a.DerivedID = s.id, derived.ID
		if a.Similarity < p.o.MinSimilarity {
			continue
		}
		a.Confidence = confidence(a.Score - threshold)
		a.ID = alignmentID(&a)
		out = append(out, a)
	}
	sortRows(out)
	return out
}

// confidence is the probability that a find is no chance find, when one in ten
// candidates at the threshold is: the odds double with every bit.
func confidence(over float64) float64 {
	return 1 / (1 + math.Exp2(-over-3.17))
}
