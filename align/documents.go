package align

import (
	"math"
	"slices"

	"github.com/commonplace/commonplace"
)

// DocumentThreshold is the evidence in bits that a find between documents
// needs: log2 of the number of ways in which a million letters of derived text
// and the collection's letters could meet, over the chance finds accepted.
func (s *Stats) DocumentThreshold(o Options) float64 {
	o = o.orDefaults()
	return math.Log2(float64(max(1, s.letters)) * 1e6 / o.DocumentChance)
}

// search is the scratch memory of one goroutine that looks for one derived document.
type search struct {
	seeker
	m      matcher
	f      folded
	marks  marks
	words  []textWord
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
	c.f.fold(text, 0, len(text))
	c.marks.find(text, &c.f)
	c.words, c.sum = p.stats.readWords(&c.f, c.words, c.sum)
	c.seen.reset()
	c.pieces = c.pieces[:0]
	clear(c.of)
	c.unknown = onceSeen{}
	m := &c.m
	m.stats, m.o = p.stats, p.o
	m.dText, m.d, m.marks, m.dLo, m.dHi = text, &c.f, &c.marks, 0, len(c.f.sym)
	m.sText = p.text
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
	var d *partSource // the derived text's code points; most documents need none
	for _, ch := range m.chains(c.pieces) {
		if ch.bits() < threshold-2*maxMarkBits-bothMarks {
			continue
		}
		s := &p.sources[ch.first().doc]
		m.sLo, m.sHi = s.begin, s.end
		m.complete(&ch, c.sum)
		if ch.bits() < threshold || ch.touched() < p.o.MinWords {
			continue
		}
		if d == nil {
			d = &partSource{end: len(derived.Text), points: codePoints(derived.Text)}
		}
		dPoint, sPoint := func(b int) int64 { return d.point(derived.Text, b) }, func(b int) int64 { return s.point(p.text, b) }
		a := m.row(&ch, dPoint, sPoint)
		a.SourceID, a.DerivedID = s.id, derived.ID
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

// confidence is the probability that a find is no chance find, when one in ten
// candidates at the threshold is: the odds double with every bit.
func confidence(over float64) float64 {
	return 1 / (1 + math.Exp2(-over-3.17))
}
