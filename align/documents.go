package align

import (
	"math"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/index"
	"github.com/commonplace/commonplace/align/marks"
	"github.com/commonplace/commonplace/align/ngrams"
)

// search is the scratch memory of one goroutine that looks for one derived document.
type search struct {
	index.Seeker
	m      matcher
	f      fold.Text
	marks  marks.Marks
	words  []ngrams.Word
	sum    []float32
	seen   diagonals
	pieces []piece
	of     map[int][]int32 // pieces of a source
}

const documentSlack = 8

// Find is every candidate of one derived document in this part: all that
// reaches the threshold, the same words in several places included. Hand the
// candidates of all parts for the same derived document to [Merge].
func (p *Part) Find(derived commonplace.Document) []Candidate {
	c, _ := p.free.Get().(*search)
	if c == nil {
		c = &search{of: map[int][]int32{}}
	}
	defer p.free.Put(c)
	c.begin(p, derived.Text)
	c.m.mayCut = true
	c.scan(p)
	return c.rows(p, derived)
}

func (c *search) begin(p *Part, text string) {
	c.f.Fold(text, 0, len(text))
	c.marks.Find(text, &c.f)
	c.words, c.sum = p.stats.counts.ReadWords(&c.f, c.words, c.sum)
	c.seen.reset()
	c.pieces = c.pieces[:0]
	clear(c.of)
	c.Unknown = index.UnknownWords{}
	m := &c.m
	m.counts, m.minSimilarity = p.stats.counts, p.o.MinSimilarity
	m.dText, m.d, m.marks, m.dLo, m.dHi = text, &c.f, &c.marks, 0, len(c.f.Sym)
	m.sText = p.file.Text
	m.mayCut, m.arena = false, m.arena[:0]
	m.slack, m.around = documentSlack, 0
}

// rows joins the pieces and makes those that say enough into alignments.
func (c *search) rows(p *Part, derived commonplace.Document) []Candidate {
	if len(c.pieces) == 0 {
		return nil
	}
	m := &c.m
	threshold := p.stats.DocumentThreshold(p.o)
	var out []Candidate
	var d *index.Source // the derived text's code points; most documents need none
	for _, ch := range m.chains(c.pieces) {
		if ch.bits() < threshold-2*marks.MaxBits-marks.BothBits {
			continue
		}
		s := &p.file.Sources[ch.first().doc]
		m.sLo, m.sHi = s.Begin, s.End
		m.complete(&ch, c.sum)
		if ch.bits() < threshold || ch.touched() < p.o.MinWords {
			continue
		}
		if d == nil {
			d = &index.Source{End: len(derived.Text), Points: index.CodePoints(derived.Text)}
		}
		dPoint, sPoint := func(b int) int64 { return d.Point(derived.Text, b) }, func(b int) int64 { return s.Point(p.file.Text, b) }
		a := m.row(&ch, dPoint, sPoint)
		a.SourceID, a.DerivedID = s.ID, derived.ID
		if a.Similarity < p.o.MinSimilarity {
			continue
		}
		a.Confidence = confidence(a.Score - threshold)
		a.ID = alignmentID(&a)
		out = append(out, Candidate{a, threshold, m.chainBorders(&ch, dPoint, sPoint)})
	}
	slices.SortFunc(out, func(a, b Candidate) int { return byPlace(&a.Alignment, &b.Alignment) })
	return out
}

// scan looks up every seed of the derived document and aligns where it pays.
func (c *search) scan(p *Part) {
	c.scanWords(p, c.words, p.stats.DocumentThreshold(p.o))
}

// scanWords is scan for some of the words.
func (c *search) scanWords(p *Part, words []ngrams.Word, threshold float64) {
	for len(words) > 0 {
		n := min(ngrams.Batch, len(words))
		c.GatherMisprinted(p.stats.counts, &c.f, words, n)
		c.Seek(p.file.Seeds)
		c.meet(p)
		for _, h := range c.Followed {
			c.follow(p, int(h.Symbol), int(h.Offset), threshold)
		}
		words = words[n:]
	}
}

// meet chooses of the hits those that another on their diagonal supports, or a
// quotation mark near by; most are chance, stand alone, and are not looked at at all.
func (c *search) meet(p *Part) {
	c.Followed = c.Followed[:0]
	if len(c.Hits) > 0 {
		c.seen.floor = int32(c.f.Pos[c.Hits[0].Symbol]) - pairReach
	}
	for _, h := range c.Hits {
		d := int32(c.f.Pos[h.Symbol])
		supported, waiting := c.seen.await(int64(h.Offset)-int64(d)+math.MaxUint32, d, h)
		if supported && waiting.Symbol >= 0 && !c.marks.Cells[waiting.Symbol/32] {
			c.Followed = append(c.Followed, waiting)
		}
		if supported || c.marks.Cells[h.Symbol/32] {
			c.Followed = append(c.Followed, h)
		}
	}
	touched := c.Touched
	for _, h := range c.Followed {
		touched += uint32(p.file.Text[h.Offset])
	}
	c.Touched = touched
}

// follow looks at one hit: derived symbol i and byte s of the part's text.
func (c *search) follow(p *Part, i, s int, threshold float64) {
	d := int32(c.f.Pos[i])
	diag := int64(s) - int64(d) + math.MaxUint32
	look, near := c.seen.look(diag, d)
	if !look {
		return
	}
	m := &c.m
	doc := p.file.SourceAt(s)
	m.sLo, m.sHi = p.file.Sources[doc].Begin, p.file.Sources[doc].End // what stands beside it must not count
	q := m.quick(i, s, c.sum)
	if q.to == q.from {
		return
	}
	says, ok := m.hopeful(&q, m.beside(near), threshold, c.sum)
	if near[0] != nil {
		m.settle(&says)
	}
	c.seen.done(diag, int32(c.f.Pos[q.to]), says)
	if !ok {
		return
	}
	same := c.of[doc]
	for _, k := range same[max(0, len(same)-32):] {
		if c.pieces[k].has(i, s, &q) {
			return
		}
	}
	found, ok := m.align(i, s, q.s0, q.s1)
	if !ok || found.bits < 6 {
		return
	}
	found.doc = doc
	c.of[doc] = append(same, int32(len(c.pieces)))
	c.pieces = append(c.pieces, found)
	c.seen.done(diag, int32(c.f.Pos[found.d1]), said{bits: float32(found.bits)})
}
