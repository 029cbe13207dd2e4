package align

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/commonplace/commonplace"
)

// QuoteThreshold is the evidence in bits that a find of a listed quote needs:
// log2 of the number of places in the collection at which it could begin, over
// the chance finds accepted for it.
func (s *Stats) QuoteThreshold(o Options) float64 {
	return math.Log2(float64(max(1, s.letters)) / o.QuoteChance)
}

const (
	quoteShort  = 16 // places in the collection at most, for the seeds of a quote
	quoteLong   = 60
	quoteMark   = 6.0 // bits by which an end is drawn to the end of the quote
	lonely      = 80  // letters up to which a quote may be found by one seed
	coarseStep  = 64
	quoteSlack  = 5   // see matcher.slack
	quoteAround = 0.3 // see matcher.around
	minCover    = 0.5 // share of a quote's letters that must be found
)

// QuoteList is a list of quotes, ready to be looked for in documents. It is
// immutable and safe for concurrent use.
type QuoteList struct {
	o         Options
	stats     *Stats
	quotes    []commonplace.Quote
	text      string  // all quotes, a line end after each
	f         folded  // the text folded
	begin     []int32 // first symbol of every quote, and one more
	coarse    []int32 // quote that holds every coarseStep-th symbol
	at        []int   // first byte of every quote
	sum       []float32
	marks     marks
	index     *index
	threshold float64
	free      sync.Pool
}

// NewQuoteList prepares the quotes, for documents of the collection that stats
// counted. Quotes without letters are never found. It fails on wrong options and
// on lists of more than 4 GB.
func NewQuoteList(quotes []commonplace.Quote, stats *Stats, o Options) (*QuoteList, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if stats == nil {
		return nil, errors.New("align: a quote list needs the collection's stats; count the documents first")
	}
	l := &QuoteList{o: o, stats: stats, quotes: slices.Clone(quotes), threshold: stats.QuoteThreshold(o)}
	var b strings.Builder
	for _, q := range quotes {
		l.at = append(l.at, b.Len())
		b.WriteString(q.Text)
		b.WriteByte('\n')
	}
	l.at = append(l.at, b.Len())
	l.text = b.String()
	if int64(len(l.text)) >= math.MaxInt32 {
		return nil, fmt.Errorf("align: the quotes have %d bytes; split the list into parts of less than 2 GB", len(l.text))
	}
	// Every quote is folded by itself: no word, no bracket goes over its end.
	var g folded
	l.f.reset(len(l.text))
	for i, q := range quotes {
		l.begin = append(l.begin, int32(len(l.f.sym)))
		g.fold(q.Text, 0, len(q.Text))
		l.f.sym = append(l.f.sym, g.sym...)
		for _, p := range g.pos[:len(g.sym)] {
			l.f.pos = append(l.f.pos, uint32(l.at[i])+p)
		}
		g.pos = g.pos[:0]
	}
	n := len(l.f.sym)
	l.begin = append(l.begin, int32(n))
	for i, q := 0, int32(0); i < n; i += coarseStep {
		for int(l.begin[q+1]) <= i {
			q++
		}
		l.coarse = append(l.coarse, q)
	}
	l.f.pos = append(l.f.pos, uint32(len(l.text)))
	l.f.sym = append(l.f.sym, make([]byte, padding)...)[:n]
	words, sum := stats.readWords(&l.f, nil, nil)
	l.sum = sum
	l.marks.find(l.text, &l.f)
	l.marks.open, l.marks.close, l.marks.cells = nil, nil, nil
	l.marks.bits[markDouble] = quoteMark
	for i := range quotes {
		if l.begin[i] < l.begin[i+1] {
			l.marks.open = append(l.marks.open, mark{at: l.begin[i]})
			l.marks.close = append(l.marks.close, mark{at: l.begin[i+1]})
		}
	}
	allowed := stats.placesAllowed(quoteShort, quoteLong)
	var seeds entries
	pad := l.f.sym[:n+padding]
	for i := range n {
		short, long := seedHashes(pad, i)
		if stats.seeds[short>>(64-seedBits)] <= allowed[0] {
			seeds.add(short, uint32(i))
		} else if stats.seeds[long>>(64-seedBits)] <= allowed[1] {
			seeds.add(long, uint32(i))
		}
	}
	// A quote's misprints are entered as what they may have been.
	var k seeker
	for ; len(words) > 0; words = words[min(batch, len(words)):] {
		few := min(batch, len(words))
		k.findMisprints(stats, pad, words, few)
		for _, w := range words[:few] {
			for _, d := range k.misprints {
				if away := d.at - w.at; away < 0 || away >= longSeed {
					continue
				}
				short, long := d.undone(pad, int(w.at))
				if c := stats.seeds[short>>(64-seedBits)]; c > 0 && c <= allowed[0] {
					if d.at-w.at < shortSeed {
						seeds.add(short, uint32(w.at))
					}
				} else if c := stats.seeds[long>>(64-seedBits)]; c > 0 && c <= allowed[1] {
					seeds.add(long, uint32(w.at))
				}
			}
		}
	}
	var err error
	if l.index, err = seeds.build(int64(n), false); err != nil {
		return nil, err
	}
	return l, l.index.open()
}

// listSearch is the scratch memory of one goroutine that reads one document.
type listSearch struct {
	seeker
	m        matcher
	f        folded
	seen     diagonals
	pieces   []piece
	hitCount int // seeds that were met
}

// Find is every place of doc that holds a quote of the list, sorted by
// (source_begin, source_end, quote_id).
func (l *QuoteList) Find(doc commonplace.Document) []commonplace.Alignment {
	c, _ := l.free.Get().(*listSearch)
	if c == nil {
		c = &listSearch{}
	}
	defer l.free.Put(c)
	c.begin(l, doc)
	c.scan(l)
	return c.rows(l, doc)
}

func (c *listSearch) begin(l *QuoteList, doc commonplace.Document) {
	c.f.fold(doc.Text, 0, len(doc.Text))
	c.seen.reset()
	c.pieces, c.hitCount = c.pieces[:0], 0
	m := &c.m
	m.stats, m.o = l.stats, l.o
	m.dText, m.d, m.marks = l.text, &l.f, &l.marks
	m.sText, m.sLo, m.sHi = doc.Text, 0, len(doc.Text)
	m.slack, m.around = quoteSlack, quoteAround
}

func (c *listSearch) scan(l *QuoteList) {
	for i := 0; i < len(c.f.sym); {
		i = c.gatherPlain(&c.f, i)
		c.seek(l.index)
		c.hitCount += len(c.hits)
		for _, h := range c.hits {
			c.meet(l, int(h.place), int(c.f.pos[h.symbol]))
		}
	}
}

// meet follows a hit: in a long quote if another on its diagonal supports it.
func (c *listSearch) meet(l *QuoteList, i, s int) {
	c.seen.floor = int32(s) - pairReach
	q := int(l.coarse[i/coarseStep])
	for int(l.begin[q+1]) <= i {
		q++
	}
	if l.begin[q+1]-l.begin[q] > lonely && c.m.around > 0 {
		d := int32(l.f.pos[i])
		supported, waiting := c.seen.await(int64(s)-int64(d)+math.MaxUint32, int32(s), hit{int32(i), uint32(s)})
		if !supported {
			return
		}
		if waiting.symbol >= 0 && waiting.symbol >= l.begin[q] && waiting.symbol < l.begin[q+1] {
			c.follow(l, q, int(waiting.symbol), int(waiting.place))
		}
	}
	c.follow(l, q, i, s)
}

func (c *listSearch) follow(l *QuoteList, q, i, s int) {
	d := int32(l.f.pos[i])
	diag := int64(s) - int64(d) + math.MaxUint32
	look, near := c.seen.look(diag, int32(s))
	if !look {
		return
	}
	m := &c.m
	m.dLo, m.dHi = int(l.begin[q]), int(l.begin[q+1])
	g := m.quick(i, s, l.sum)
	if g.to == g.from {
		return
	}
	whole := float64(l.sum[m.dHi] - l.sum[m.dLo])
	says, ok := m.hopeful(&g, m.beside(near), min(l.threshold, 0.8*whole), l.sum)
	if near[0] != nil {
		m.settle(&says)
	}
	c.seen.done(diag, int32(g.s1), says)
	if !ok {
		return
	}
	for k := len(c.pieces) - 1; k >= max(0, len(c.pieces)-64); k-- {
		if p := &c.pieces[k]; i >= p.d0 && i < p.d1 && s >= p.s0 && s < p.s1 {
			return
		}
	}
	found, ok := m.align(i, s, g.s0, g.s1)
	if !ok || found.bits < 6 {
		return
	}
	found.doc = q
	c.pieces = append(c.pieces, found)
	c.seen.done(diag, int32(found.s1), said{bits: float32(found.bits)})
}

func (c *listSearch) rows(l *QuoteList, doc commonplace.Document) []commonplace.Alignment {
	if len(c.pieces) == 0 {
		return nil
	}
	m := &c.m
	var out []commonplace.Alignment
	var off *commonplace.Offsets
	for _, ch := range m.chains(c.pieces) {
		q := ch.first().doc
		m.dLo, m.dHi = int(l.begin[q]), int(l.begin[q+1])
		whole := float64(l.sum[m.dHi] - l.sum[m.dLo])
		if ch.words() < min(l.threshold-12, 0.4*whole) {
			continue
		}
		m.complete(&ch, l.sum)
		if ch.words() < l.threshold || float64(ch.cover()) < minCover*float64(m.dHi-m.dLo) {
			continue
		}
		if off == nil {
			off = commonplace.NewOffsets(doc.Text)
		}
		base := l.at[q]
		quote := commonplace.NewOffsets(l.quotes[q].Text)
		m.dText = l.text[:l.at[q+1]-1]
		a := m.row(&ch, func(b int) int64 { return int64(quote.Point(b - base)) }, func(b int) int64 { return int64(off.Point(b)) })
		m.dText = l.text
		a.Score, a.Marked = ch.words(), false
		a.SourceID, a.QuoteID = doc.ID, l.quotes[q].ID
		if a.Similarity < l.o.MinSimilarity {
			continue
		}
		a.Confidence = confidence(a.Score - l.threshold)
		a.ID = alignmentID(&a)
		out = append(out, a)
	}
	out = bestOverlapping(out)
	if l.o.PerQuote > 0 {
		out = bestPerQuote(out, l.o.PerQuote)
	}
	sortRows(out)
	return out
}

// words is the chain's evidence without that of marks.
func (c *chain) words() float64 {
	b := -c.cost
	for i := range c.pieces {
		b += c.pieces[i].bits
	}
	return b
}

// cover is the number of derived symbols in the chain's pieces.
func (c *chain) cover() int {
	n := 0
	for i := range c.pieces {
		n += c.pieces[i].d1 - c.pieces[i].d0
	}
	return n
}

// touched is the number of source words in the chain's pieces.
func (c *chain) touched() int {
	n := 0
	for i := range c.pieces {
		n += c.pieces[i].touched
	}
	return n
}

// BestFirst orders rows by quote, then evidence, similarity and place.
func BestFirst(a, b commonplace.Alignment) int {
	return cmp.Or(cmp.Compare(a.QuoteID, b.QuoteID), cmp.Compare(b.Score, a.Score), cmp.Compare(b.Similarity, a.Similarity),
		cmp.Compare(a.SourceBegin, b.SourceBegin), cmp.Compare(a.SourceEnd, b.SourceEnd))
}

// bestOverlapping keeps, of finds of one quote in overlapping spans, the best.
func bestOverlapping(rows []commonplace.Alignment) []commonplace.Alignment {
	slices.SortFunc(rows, BestFirst)
	var out []commonplace.Alignment
next:
	for _, a := range rows {
		for k := len(out) - 1; k >= 0 && out[k].QuoteID == a.QuoteID; k-- {
			if min(a.SourceEnd, out[k].SourceEnd) > max(a.SourceBegin, out[k].SourceBegin) {
				continue next
			}
		}
		out = append(out, a)
	}
	return out
}

// bestPerQuote keeps the first n rows of every quote; rows are best first.
func bestPerQuote(rows []commonplace.Alignment, n int) []commonplace.Alignment {
	out, seen := rows[:0], 0
	for i, a := range rows {
		if i > 0 && a.QuoteID == rows[i-1].QuoteID {
			seen++
		} else {
			seen = 0
		}
		if seen < n {
			out = append(out, a)
		}
	}
	return out
}
