package align

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
)

const (
	markedMost   = 4000 // symbols of a marked quotation beyond which half of so many need be found
	markedWords  = 3    // words of one at least
	blockIndent  = 3    // columns by which a block quote is set in
	nearBonus    = 1.0  // logit for another quotation of the same place near by
	nearSymbols  = 3000 // code points on either side within which it must stand
	sureNear     = 0.5  // confidence that it must have
	sizeBase     = -8.376
	sizeWords    = 3.503 // per log2(1 + matched words)
	sizeCover    = 3.612 // for the whole quotation matched
	unlikeWeight = 8.0   // logit against, for a similarity of 0
)

// Quotations are the spans of text that are marked as quotations, between
// quotation marks or set in as blocks, in order, as code points. Where a mark opens
// again before one closes, the quotation may go on over several lines or paragraphs,
// or a mark was never closed: both what begins at the first and at the last is listed.
func Quotations(text string) []commonplace.Span {
	var f folded
	f.fold(text, 0, len(text))
	var m marks
	m.find(text, &f)
	o := commonplace.NewOffsets(text)
	var out []commonplace.Span
	for _, s := range quotations(text, &f, &m) {
		out = append(out, commonplace.Span{Begin: o.Point(int(f.pos[s.Begin])), End: o.Point(f.end(text, s.End))})
	}
	return out
}

// quotations is Quotations in symbols.
func quotations(text string, f *folded, m *marks) []commonplace.Span {
	var out []commonplace.Span
	add := func(from, to int) {
		words := 0
		for _, s := range f.sym[from:to] {
			if s&wordStart != 0 {
				words++
			}
		}
		if words >= markedWords {
			out = append(out, commonplace.Span{Begin: from, End: to})
		}
	}
	var next [markKinds]int          // the mark that closes one of each kind: openings come in order, and so do they
	var first, last [markKinds]int32 // openings before it
	for kind := range next {
		first[kind] = -1
	}
	closed := func(kind uint8) {
		if first[kind] >= 0 {
			at := int(m.close[next[kind]].at)
			if add(int(first[kind]), at); last[kind] > first[kind] {
				add(int(last[kind]), at)
			}
		}
		first[kind] = -1
	}
	for _, open := range m.open {
		kind := open.kind
		k := next[kind]
		for k < len(m.close) && (m.close[k].kind != kind || m.close[k].at <= open.at) {
			k++
		}
		if k != next[kind] {
			closed(kind)
		}
		if next[kind] = k; k < len(m.close) {
			if first[kind] < 0 {
				first[kind] = open.at
			}
			last[kind] = open.at
		}
	}
	for kind := range next {
		closed(uint8(kind))
	}
	blocks(text, f, add)
	slices.SortFunc(out, func(a, b commonplace.Span) int {
		return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.End, b.End))
	})
	return slices.Compact(out)
}

// blocks adds the block quotes: lines that are set in. One alone must have a blank
// line, or the text's end, before and after it: the first line of a paragraph is
// often set in.
func blocks(text string, f *folded, add func(from, to int)) {
	begin, lines := -1, 0
	alone := false // of one line, whether it has what it needs before it; after it too, once a blank one was seen
	before, after := true, false
	at, k := 0, 0
	end := func(k int) {
		if begin >= 0 && (lines > 1 || alone && after) {
			add(begin, k)
		}
		begin = -1
	}
	for line := range strings.Lines(text) {
		k = symbolAt(f, k, at)
		switch blank := strings.TrimSpace(line) == ""; {
		case blank:
			before, after = true, true
		case setIn(line) && begin < 0:
			begin, lines, alone = k, 1, before
			before, after = false, false
		case setIn(line):
			lines++
			before = false
		default:
			end(k)
			before = false
		}
		at += len(line)
	}
	after = true
	end(len(f.sym))
}

// setIn says whether a line begins as one of a block quote does.
func setIn(text string) bool {
	indent := 0
	for indent < len(text) && (text[indent] == ' ' || text[indent] == '\t' || text[indent] == '>') {
		indent++
		if text[indent-1] != ' ' {
			return true
		}
	}
	return indent >= blockIndent
}

// FindMarked is, for every marked quotation of a derived document, the candidates
// of this part that are most like it, with a confidence. The search is of one
// quotation against the collection, so it finds much shorter ones than
// [Part.Find]. Hand the candidates of all parts to [MergeMarked].
func (p *Part) FindMarked(derived commonplace.Document) []Candidate {
	c, _ := p.free.Get().(*search)
	if c == nil {
		c = &search{of: map[int][]int32{}}
	}
	defer p.free.Put(c)
	var out []Candidate
	for _, a := range c.marked(p, derived) {
		out = append(out, Candidate{Alignment: a}) // its marks are its ends
	}
	return out
}

func (c *search) marked(p *Part, derived commonplace.Document) []commonplace.Alignment {
	c.begin(p, derived.Text)
	return c.markedSpans(p, derived, quotations(derived.Text, &c.f, &c.marks))
}

// markedSpans is what is found of stretches of symbols of the derived side, which was begun.
func (c *search) markedSpans(p *Part, derived commonplace.Document, spans []commonplace.Span) []commonplace.Alignment {
	m := &c.m
	threshold := p.stats.QuoteThreshold(p.o)
	d := commonplace.NewOffsets(derived.Text)
	var out []commonplace.Alignment
	for _, span := range spans {
		c.pieces = c.pieces[:0]
		clear(c.of)
		c.seen.reset()
		m.dLo, m.dHi = span.Begin, span.End
		m.slack, m.around = quoteSlack, quoteAround
		first, _ := slices.BinarySearchFunc(c.words, int32(span.Begin), wordBefore)
		after, _ := slices.BinarySearchFunc(c.words, int32(span.End), wordBefore)
		c.scanWords(p, c.words[first:after], threshold)
		for _, ch := range m.chains(c.pieces) {
			s := &p.sources[ch.first().doc]
			m.sLo, m.sHi = s.begin, s.end
			m.complete(&ch, c.sum)
			cover := float64(ch.cover()) / float64(min(span.Len(), markedMost))
			if ch.words() < threshold-quoteSlack || cover < minCover {
				continue
			}
			a := m.row(&ch, func(b int) int64 { return int64(d.Point(b)) }, func(b int) int64 { return s.point(p.text, b) })
			a.SourceID, a.DerivedID, a.Marked, a.Score = s.id, derived.ID, true, ch.words()
			if a.Similarity < p.o.MinSimilarity {
				continue
			}
			a.Confidence = markedConfidence(a.Score-threshold, a.Similarity, min(1, cover), ch.matched())
			a.ID = alignmentID(&a)
			out = append(out, a)
		}
	}
	sortRows(out)
	return out
}

// markedConfidence is the lesser of two: that of the evidence, and that of the
// size, a logistic function of matched words and of the share of the quotation that
// they are. Its weights follow the 830 candidates that Mullen's America's Public Bible
// labelled by hand (area under the curve .93), but are steeper than a regression's, so
// that at 0.9 precision and recall are both about .9 there.
func markedConfidence(over, similarity, cover float64, words int) float64 {
	size := sizeBase + sizeWords*math.Log2(1+float64(words)) + sizeCover*cover
	evidence := math.Ln2*(over+3.17) - unlikeWeight*(1-similarity)
	return logistic(min(size, evidence))
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

// matched is the number of source words that stand unchanged.
func (c *chain) matched() int {
	n := 0
	for i := range c.pieces {
		n += c.pieces[i].matched
	}
	return n
}

// MergeMarked keeps, for every marked quotation of one derived document, the most
// similar place of all parts and, grouped with it, the other places of the same words,
// as [Merge] does; it raises the confidence of quotations that have one of the same
// source near by on both sides (the neighbourhood), and drops what stays below
// o.MinConfidence. Sorted by (derived_begin, derived_end, source_id, source_begin).
func MergeMarked(candidates []Candidate, o Options) []commonplace.Alignment {
	o = o.orDefaults()
	order := slices.Clone(candidates)
	value := func(a *commonplace.Alignment) float64 { return a.Score * a.Similarity }
	slices.SortFunc(order, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(value(&b.Alignment), value(&a.Alignment)), cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.SourceBegin, b.SourceBegin),
			cmp.Compare(a.SourceEnd, b.SourceEnd), cmp.Compare(a.DerivedBegin, b.DerivedBegin), cmp.Compare(a.DerivedEnd, b.DerivedEnd),
			cmp.Compare(b.Confidence, a.Confidence)) // one place may be found for a quotation and for one around it
	})
	groups := groupFinds(order, o, value)
	near := groups.neighbours()
	var out []commonplace.Alignment
	for i, g := range groups.all {
		var rows []commonplace.Alignment
		for _, f := range g.finds {
			a := f.Alignment
			if near.beside(i, &a) {
				a.Confidence = logistic(logit(min(a.Confidence, 1-1e-12)) + nearBonus)
			}
			if a.Confidence >= o.MinConfidence {
				rows = append(rows, a)
			}
		}
		if len(rows) > 0 {
			out = append(out, placesOf(rows, o)...)
		}
	}
	sortPlaces(out)
	return out
}
