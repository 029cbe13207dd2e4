package align

import (
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/merge"
	"github.com/commonplace/commonplace/align/ngrams"
)

// markedMost is the number of symbols of a marked quotation at most of which half must be found.
const markedMost = 4000

// FindMarked gives for every marked quotation of a derived document the most similar
// candidates of this part, with a confidence. It searches for one
// quotation in the collection, so it finds much shorter ones than
// [Part.Find]. Pass the candidates of all parts to [MergeMarked].
func (p *Part) FindMarked(derived commonplace.Document) []Candidate {
	c := p.stats.newSearch()
	defer p.stats.release(c)
	var out []Candidate
	for _, a := range c.marked(p, derived) {
		out = append(out, Candidate{Alignment: a}) // its marks are its ends
	}
	return out
}

func (c *search) marked(p *Part, derived commonplace.Document) []commonplace.Alignment {
	c.begin(p, derived)
	return c.markedSpans(p, derived, c.marks.Spans(derived.Text, &c.f))
}

// markedSpans are the matches of these spans of symbols, after begin.
func (c *search) markedSpans(p *Part, derived commonplace.Document, spans []commonplace.Span) []commonplace.Alignment {
	m := &c.m
	threshold := p.stats.QuoteThreshold(p.o)
	d := commonplace.NewOffsets(derived.Text)
	var out []commonplace.Alignment
	for _, span := range spans {
		c.pieces = c.pieces[:0]
		clear(c.of)
		c.seen.Reset()
		m.DLo, m.DHi = span.Begin, span.End
		m.Slack, m.Around = quoteSlack, quoteAround
		first, _ := slices.BinarySearchFunc(c.words, int32(span.Begin), ngrams.WordBefore)
		after, _ := slices.BinarySearchFunc(c.words, int32(span.End), ngrams.WordBefore)
		c.scanWords(p, c.words[first:after], threshold)
		for _, ch := range m.Chains(c.pieces) {
			s := &p.file.Sources[ch.First().Doc]
			m.SLo, m.SHi = s.Begin, s.End
			m.Complete(&ch, c.sum)
			cover := float64(ch.Cover()) / float64(min(span.Len(), markedMost))
			if ch.Words() < threshold-quoteSlack || ch.Skeleton() || cover < minCover {
				continue
			}
			a := m.Row(&ch, func(b int) int64 { return int64(d.Point(b)) }, func(b int) int64 { return s.Point(p.file.Text, b) })
			a.SourceID, a.DerivedID, a.Marked, a.Score = s.ID, derived.ID, true, ch.Words()
			if a.Similarity < p.o.MinSimilarity {
				continue
			}
			a.Confidence = merge.MarkedConfidence(a.Score-threshold, a.Similarity, min(1, cover), ch.Matched())
			a.ID = merge.ID(&a)
			out = append(out, a)
		}
	}
	merge.SortBySource(out)
	return out
}
