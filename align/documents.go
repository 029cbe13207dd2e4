package align

import (
	"math"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/diagonal"
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/index"
	"github.com/commonplace/commonplace/align/marks"
	"github.com/commonplace/commonplace/align/match"
	"github.com/commonplace/commonplace/align/merge"
	"github.com/commonplace/commonplace/align/ngrams"
)

// search is the scratch memory of one goroutine that searches for one derived document.
type search struct {
	index.Seeker
	m      match.Matcher
	f      fold.Text
	marks  marks.Marks
	words  []ngrams.Word
	sum    []float32
	seen   diagonal.Table
	pieces []match.Piece
	of     map[int][]int32 // pieces of a source
	own    index.Source    // the derived document itself, if the part has it: it is not compared with itself
}

// newSearch takes scratch memory that no search uses. The collection has it, and not the part: a
// part is opened for every shard of documents, and the garbage collector drops what a pool
// has only in its second round.
func (s *Stats) newSearch() *search {
	c, _ := s.searches.Get().(*search)
	if c == nil {
		c = &search{of: map[int][]int32{}}
	}
	return c
}

// release gives the scratch memory back. It keeps neither the document nor the part, whose text
// may be unmapped from now on.
func (s *Stats) release(c *search) {
	c.m.SourceText, c.m.DerivedText, c.m.Ignore = "", "", nil
	s.searches.Put(c)
}

const documentSlack = 8

// Find gives the candidates of one derived document in this part: all that reach
// the threshold, also several of the same words. Pass the
// candidates of all parts for the same derived document to [Merge]. A document is not
// compared with itself, by its ID.
func (p *Part) Find(derived commonplace.Document) []Candidate {
	c := p.stats.newSearch()
	defer p.stats.release(c)
	c.begin(p, derived)
	c.m.Cuttable = true
	c.scan(p)
	return c.rows(p, derived)
}

func (c *search) begin(p *Part, derived commonplace.Document) {
	text := derived.Text
	if c.own = (index.Source{}); !p.o.Apart {
		c.own = p.source(derived.ID)
	}
	c.f.Fold(text, 0, len(text))
	c.marks.Find(text, &c.f)
	c.words, c.sum = p.stats.counts.ReadWords(&c.f, c.words, c.sum)
	c.seen.Reset()
	c.pieces = c.pieces[:0]
	clear(c.of)
	c.Unknown = index.UnknownWords{}
	m := &c.m
	m.Counts, m.MinSimilarity, m.Ignore = p.stats.counts, p.o.MinSimilarity, p.ignore
	m.DerivedText, m.Derived, m.Marks, m.DLo, m.DHi = text, &c.f, &c.marks, 0, len(c.f.Sym)
	m.Ignored = m.Ignore.Spans(c.f.Sym, m.Ignored[:0])
	m.SourceText = p.file.Text
	m.Cuttable, m.Arena = false, m.Arena[:0]
	m.Slack, m.Around = documentSlack, 0
}

// rows joins the pieces and makes those with enough evidence into alignments.
func (c *search) rows(p *Part, derived commonplace.Document) []Candidate {
	if len(c.pieces) == 0 {
		return nil
	}
	m := &c.m
	threshold := p.stats.DocumentThreshold(p.o)
	var out []Candidate
	var d *index.Source // the derived text's code points; most documents need none
	dPoint := func(b int) int64 {
		if d == nil {
			d = &index.Source{End: len(derived.Text), Points: index.CodePoints(derived.Text)}
		}
		return d.Point(derived.Text, b)
	}
	// candidate appends a match, unless it is not similar enough.
	candidate := func(f *match.Apart, reordered bool) {
		s := &p.file.Sources[f.Chain().First().Doc]
		m.SLo, m.SHi = s.Begin, s.End
		sPoint := func(b int) int64 { return s.Point(p.file.Text, b) }
		a := m.RowOf(f, p.o.MinSimilarity, dPoint, sPoint)
		a.SourceID, a.DerivedID = s.ID, derived.ID
		if a.Similarity < p.o.MinSimilarity {
			return
		}
		a.Confidence = merge.Confidence(a.Score - threshold)
		a.ID = merge.ID(&a)
		var words []byte
		if f.Parts() == 1 { // others are not cut
			words = m.PackBorders(f.Chain(), dPoint, sPoint)
		}
		out = append(out, Candidate{Alignment: a, Needed: threshold, Words: words, Reordered: reordered})
	}
	var found []*match.Chain
	order := match.BySource(m.Chains(c.pieces))
	for k, ch := range order {
		if ch.Bits() < threshold-2*marks.MaxBits-marks.BothBits {
			continue
		}
		s := &p.file.Sources[ch.First().Doc]
		m.SLo, m.SHi = s.Begin, s.End
		m.Complete(ch, c.sum)
		together := m.Apart(order, k)
		if ch = together.Chain(); ch.Bits() < threshold || ch.Skeleton() || ch.Touched() < p.o.MinWords {
			continue
		}
		found = append(found, order[k])
		candidate(together, false)
	}
	for _, find := range match.Reordered(found) {
		candidate(find, true)
	}
	slices.SortFunc(out, func(a, b Candidate) int { return merge.BySource(&a.Alignment, &b.Alignment) })
	return out
}

// scan looks up every seed of the derived document and aligns where that is promising.
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

// meet selects the hits that another on their diagonal supports, or a
// quotation mark near by. Most are by chance, isolated, and not followed.
func (c *search) meet(p *Part) {
	c.Followed = c.Followed[:0]
	if len(c.Hits) > 0 {
		c.seen.Floor = int32(c.f.Pos[c.Hits[0].Symbol]) - diagonal.Reach
	}
	for _, h := range c.Hits {
		if at := int(h.Offset); at >= c.own.Begin && at < c.own.End {
			continue
		}
		d := int32(c.f.Pos[h.Symbol])
		supported, waiting := c.seen.Await(int64(h.Offset)-int64(d)+math.MaxUint32, d, h)
		if supported && waiting.Symbol >= 0 && !c.marks.Cells[waiting.Symbol/32] {
			c.Followed = append(c.Followed, waiting)
		}
		if supported || c.marks.Cells[h.Symbol/32] {
			c.Followed = append(c.Followed, h)
		}
	}
	touched, text := c.Touched, p.file.Text
	for _, h := range c.Followed {
		touched += uint32(text[h.Offset])
	}
	c.Touched = touched
}

// follow estimates and aligns one hit: derived symbol i and byte s of the part's text.
func (c *search) follow(p *Part, i, s int, threshold float64) {
	d := int32(c.f.Pos[i])
	diag := int64(s) - int64(d) + math.MaxUint32
	look, near := c.seen.Look(diag, d)
	if !look {
		return
	}
	m := &c.m
	doc := p.file.SourceAt(s)
	m.SLo, m.SHi = p.file.Sources[doc].Begin, p.file.Sources[doc].End // other documents must not count
	q := m.Ungapped(i, s, c.sum)
	if q.To == q.From {
		return
	}
	says, ok := m.Promising(&q, m.Beside(near), threshold, c.sum)
	if near[0] != nil {
		m.FinishScore(&says)
	}
	c.seen.Done(diag, int32(c.f.Pos[q.To]), says)
	if !ok {
		return
	}
	same := c.of[doc]
	for _, k := range same[max(0, len(same)-32):] {
		if c.pieces[k].Has(i, s, &q) {
			return
		}
	}
	found, ok := m.Align(i, s, q.S0, q.S1)
	if !ok || found.Bits < 6 {
		return
	}
	found.Doc = doc
	c.of[doc] = append(same, int32(len(c.pieces)))
	c.pieces = append(c.pieces, found)
	c.seen.Done(diag, int32(c.f.Pos[found.D1]), match.Score{Bits: float32(found.Bits)})
}
