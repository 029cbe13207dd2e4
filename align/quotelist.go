package align

import (
	"cmp"
	"errors"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/diagonal"
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/index"
	"github.com/commonplace/commonplace/align/marks"
	"github.com/commonplace/commonplace/align/match"
	"github.com/commonplace/commonplace/align/merge"
	"github.com/commonplace/commonplace/align/ngrams"
)

const (
	quoteShort  = 16 // occurrences in the collection at most, for a short seed of a quote
	quoteLong   = 60
	quoteMark   = 6.0 // evidence of a match that ends where the quote ends
	lonely      = 80  // letters up to which one seed is enough to follow a quote
	coarseStep  = 64
	quoteSlack  = 5   // match.Matcher.Slack
	quoteAround = 0.3 // match.Matcher.Around
	minCover    = 0.5 // fraction of the letters of a quote that must be found
)

// QuoteList is a list of quotes, indexed for the search in documents. It is
// immutable and safe for concurrent use. The matches of a quote do not depend on the other
// quotes of the list.
type QuoteList struct {
	o         Options
	stats     *Stats
	quotes    []listed // in the order of their texts
	by        []attribution
	texts     []listText
	sym       []byte        // symbols of all texts, padding after each
	pos       positions     // bytes of the symbols in their texts, and the end of each text, without padding
	indexed   []uint8       // by offset: which seeds of a symbol are in the index
	altered   []index.Entry // seeds without misprints, by offset
	coarse    []int32       // text of every coarseStep-th offset
	index     *index.Index
	threshold float64
	habit     habit
	verbatim  *verbatim // for exact matches, and then nothing of the above is used
	free      sync.Pool
}

// listed is one quote of the list.
type listed struct {
	id, text string
	by       int32 // its attribution, or -1
}

// listText is one text of the list. An offset of the index is an offset in sym: offset i is
// symbol i-begin of the text.
type listText struct {
	text     string
	quotes   [2]int32 // quotes that have it
	begin    int32    // offset of its first symbol
	letters  int32    // its symbols
	band     int32    // first of its bands of diagonals
	ellipses []int32  // as in marks.Marks
	inserted []bool
}

// Which seeds of a symbol are in the index.
const (
	indexedShort = 1 << iota
	indexedLong
	indexedAltered
)

// The diagonals of a text begin listApart bytes after the end of those of the text before.
// Two texts have a common band only where the bytes of the document are further apart
// than the length of a text, listReach and diagonal.Reach allow, so they never meet.
const (
	listApart  = 1024
	listReach  = 256     // bytes beyond the rest of a quote that are recorded as seen
	seedRepeat = 255     // occurrences of a seed in one quote that are indexed
	mostBands  = 1 << 30 // of all texts
)

// NewQuoteList prepares the quotes, for documents of the collection that stats
// counted. Quotes without letters are never found. It fails on wrong options and
// on lists of more than 2 GB.
func NewQuoteList(quotes []commonplace.Quote, stats *Stats, o Options) (*QuoteList, error) {
	o = o.orDefaults()
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if stats == nil {
		return nil, errors.New("align: a quote list needs the collection's stats; count the documents first")
	}
	l := &QuoteList{o: o, stats: stats, threshold: stats.QuoteThreshold(o), habit: noHabit(o)}
	l.sortQuotes(quotes)
	if o.Match == MatchExact {
		l.verbatim = newVerbatim(l.verbatimTexts())
		return l, nil
	}
	var m listMaker
	if err := m.reserve(l); err != nil {
		return nil, err
	}
	for from, to := range l.byText() {
		l.add(&m, from, to)
	}
	var err error
	if l.index, err = index.BuildInPasses(m.seeds, int64(len(l.sym)), l.addSeeds); err != nil {
		return nil, err
	}
	return l, l.index.Open()
}

// sortQuotes lists the quotes in the order of their texts, each once, and their attributions.
func (l *QuoteList) sortQuotes(quotes []commonplace.Quote) {
	keys := make([]attributionKey, 0, len(quotes))
	for i := range quotes {
		if k := keyOf(&quotes[i]); k != (attributionKey{}) {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, attributionKey.compare)
	keys = slices.Compact(keys)
	for _, k := range keys {
		l.by = append(l.by, newAttribution(k))
	}
	l.quotes = make([]listed, len(quotes))
	for i := range quotes {
		by, ok := slices.BinarySearchFunc(keys, keyOf(&quotes[i]), attributionKey.compare)
		if !ok {
			by = -1
		}
		l.quotes[i] = listed{quotes[i].ID, quotes[i].Text, int32(by)}
	}
	slices.SortFunc(l.quotes, func(a, b listed) int {
		return cmp.Or(cmp.Compare(a.text, b.text), cmp.Compare(a.id, b.id), cmp.Compare(b.by, a.by))
	})
	l.quotes = slices.CompactFunc(l.quotes, func(a, b listed) bool { return a.id == b.id && a.text == b.text })
}

// byText yields the ranges of quotes that have one text.
func (l *QuoteList) byText() iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for from, to := 0, 0; from < len(l.quotes); from = to {
			for to = from + 1; to < len(l.quotes) && l.quotes[to].text == l.quotes[from].text; to++ {
			}
			if !yield(from, to) {
				return
			}
		}
	}
}

// textOf is the text of an index offset.
func (l *QuoteList) textOf(place int) int {
	t := int(l.coarse[place/coarseStep])
	for t+1 < len(l.texts) && int(l.texts[t+1].begin) <= place {
		t++
	}
	return t
}

// listSearch is the scratch memory of one goroutine that reads one document.
type listSearch struct {
	index.Seeker
	m        match.Matcher
	f        fold.Text
	seen     diagonal.Table
	of       map[int][]match.Piece // of each text
	hitCount int                   // seeds that were found

	// The current text.
	text  int
	first int // of its positions
	d     fold.Text
	marks marks.Marks
	need  float64 // evidence that one of its quotes needs here, at least

	// The positions and the surprisal of the current text, for weigh.
	weighed int // the text whose they are
	pos     []uint32
	words   []ngrams.Word
	sum     []float32 // running, from 0
	whole   float64   // of all its words

	names   names         // of the document
	letters int           // of it
	closely map[int32]int // how closely it has an attribution
}

// Find gives the occurrences of the quotes in doc, sorted by
// (source_begin, source_end, quote_id).
func (l *QuoteList) Find(doc commonplace.Document) []commonplace.Alignment {
	if l.verbatim != nil {
		return l.verbatimRows(doc)
	}
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
	c.f.Fold(doc.Text, 0, len(doc.Text))
	c.seen.Reset()
	if c.of == nil {
		c.of = map[int][]match.Piece{}
		c.marks = marks.AtEnds(quoteMark)
	}
	clear(c.of)
	c.hitCount, c.text, c.weighed = 0, -1, -1
	c.about(&doc)
	m := &c.m
	m.Counts, m.MinSimilarity = l.stats.counts, l.o.MinSimilarity
	m.Derived, m.Marks, m.Listed = &c.d, &c.marks, true
	m.SourceText, m.SLo, m.SHi = doc.Text, 0, len(doc.Text)
	m.Slack, m.Around = quoteSlack, quoteAround
}

// view makes one text the derived side: its letters and marks only.
func (c *listSearch) view(l *QuoteList, text int) {
	if c.text == text {
		return
	}
	c.text = text
	t := &l.texts[text]
	n := int(t.letters)
	c.first = int(t.begin) - text*(fold.Padding-1)
	c.d.Sym, c.d.Pos = l.sym[t.begin:][:n], nil
	c.need = math.Inf(1)
	for _, q := range l.quotes[t.quotes[0]:t.quotes[1]] {
		c.need = min(c.need, c.needOf(l, q.by))
	}
	if l.o.MaxFalse > 0 {
		c.need -= habitMost
	}
	c.marks.Open[0], c.marks.Close[0] = marks.Mark{At: 0}, marks.Mark{At: int32(n)}
	c.marks.Ellipses, c.marks.Inserted = t.ellipses, t.inserted
	c.m.DerivedText, c.m.DLo, c.m.DHi = t.text, 0, n
}

// weigh reads the positions and computes the surprisal of the current text. Few hits need them,
// and those of all texts would take six bytes of memory more a letter.
func (c *listSearch) weigh(l *QuoteList) {
	if c.weighed != c.text {
		c.weighed = c.text
		c.pos = l.pos.read(c.pos, c.first, len(c.d.Sym)+1)
		c.words, c.sum = l.stats.counts.ReadWords(&c.d, c.words, c.sum)
		c.whole = float64(c.sum[len(c.d.Sym)])
	}
	c.d.Pos = c.pos
}

func (c *listSearch) scan(l *QuoteList) {
	for i := 0; i < len(c.f.Sym); {
		i = c.Gather(&c.f, i)
		c.Seek(l.index)
		c.hitCount += len(c.Hits)
		// The seeds are compared in a separate loop, so that the reads of memory overlap.
		c.Followed = c.Followed[:0]
		from := 0 // hits of the same seed as this one
		for k, h := range c.Hits {
			if h.Symbol != c.Hits[from].Symbol {
				from = k
			}
			if c.exact(l, h, c.Hits[from:k]) {
				c.Followed = append(c.Followed, h)
			}
		}
		for _, h := range c.Followed {
			c.meet(l, int(h.Offset), int(c.f.Pos[uint32(h.Symbol)>>1]))
		}
	}
}

// exact reports whether the list has this seed there, and not another with the same
// few bits in its entry. Their number depends on the whole list, and matches must not.
func (c *listSearch) exact(l *QuoteList, h index.Hit, before []index.Hit) bool {
	at, long := int(uint32(h.Symbol)>>1), h.Symbol&1 != 0
	s := c.f.Sym[:len(c.f.Sym)+fold.Padding]
	indexed := l.indexed[h.Offset]
	short, same := fold.SameSeeds(l.sym[h.Offset:], s[at:])
	if long && same && indexed&indexedLong != 0 || !long && short && indexed&indexedShort != 0 {
		return true
	}
	if indexed&indexedAltered == 0 {
		return false
	}
	hash, longer := fold.SeedHashes(s, at)
	if long {
		hash = longer
	}
	first, _ := slices.BinarySearchFunc(l.altered, h.Offset, func(e index.Entry, place uint32) int { return cmp.Compare(e.Offset, place) })
	for _, e := range l.altered[first:] {
		if e.Offset != h.Offset {
			break
		}
		if e.Hash == hash {
			return !slices.Contains(before, h) // the entries of two misprints may have the same bits
		}
	}
	return false
}

// meet follows a hit: in a long quote if another on its diagonal supports it.
func (c *listSearch) meet(l *QuoteList, place, s int) {
	c.seen.Floor = int32(s) - diagonal.Reach
	text := l.textOf(place)
	c.view(l, text)
	i := place - int(l.texts[text].begin)
	if c.m.DHi > lonely && c.m.Around > 0 {
		supported, waiting := c.seen.Await(c.diagonal(l, i, s), int32(s), index.Hit{Symbol: int32(i), Offset: uint32(s)})
		if !supported {
			return
		}
		if waiting.Symbol >= 0 {
			c.follow(l, int(waiting.Symbol), int(waiting.Offset))
		}
	}
	c.follow(l, i, s)
}

// diagonal is that of symbol i of the current text and byte s of the document, among those of all texts.
func (c *listSearch) diagonal(l *QuoteList, i, s int) int64 {
	return int64(s) - int64(l.pos.at(c.first, i)) + int64(l.texts[c.text].band)<<index.BandBits
}

func (c *listSearch) follow(l *QuoteList, i, s int) {
	diag := c.diagonal(l, i, s)
	look, near := c.seen.Look(diag, int32(s))
	if !look {
		return
	}
	c.weigh(l)
	m := &c.m
	g := m.Ungapped(i, s, c.sum)
	if g.To == g.From {
		return
	}
	says, ok := m.Promising(&g, m.Beside(near), min(c.need-wholeBits, 0.8*c.whole), c.sum)
	if near[0] != nil {
		m.FinishScore(&says)
	}
	reach := s + len(m.DerivedText) - int(c.d.Pos[i]) + listReach
	c.seen.Done(diag, int32(min(g.S1, reach)), says)
	if !ok {
		return
	}
	same := c.of[c.text]
	for k := len(same) - 1; k >= max(0, len(same)-64); k-- {
		if same[k].Has(i, s, &g) {
			return
		}
	}
	found, ok := m.Align(i, s, g.S0, g.S1)
	if !ok || found.Bits < 6 {
		return
	}
	c.of[c.text] = append(same, found)
	c.seen.Done(diag, int32(min(found.S1, reach)), match.Score{Bits: float32(found.Bits)})
}

func (c *listSearch) rows(l *QuoteList, doc commonplace.Document) []commonplace.Alignment {
	var out []commonplace.Alignment
	var off *commonplace.Offsets
	for text, pieces := range c.of { // in any order: the rows are sorted
		c.view(l, text)
		c.weigh(l)
		var finds, skeletons []commonplace.Alignment
		chains := c.m.Chains(pieces)
		for i := range chains {
			if chains[i].Words() >= min(c.need-wholeBits-12, 0.4*c.whole) {
				c.m.Complete(&chains[i], c.sum)
			}
		}
		order := match.BySource(chains)
		for k, ch := range order {
			together := match.Alone(ch)
			missing, damaged := c.m.Missing(ch)
			if missing > 0 {
				together = c.m.Apart(order, k)
				ch = together.Chain()
				missing, damaged = c.m.Missing(ch)
			}
			score := ch.Words() + coverBits(missing, damaged)
			if score < c.need || float64(ch.Cover()) < minCover*float64(c.m.DHi) {
				continue
			}
			if off == nil {
				off = commonplace.NewOffsets(doc.Text)
			}
			quote := commonplace.NewOffsets(c.m.DerivedText)
			a := c.m.RowOf(together, l.o.MinSimilarity, func(b int) int64 { return int64(quote.Point(b)) }, func(b int) int64 { return int64(off.Point(b)) })
			a.Score, a.Marked, a.SourceID = score, false, doc.ID
			if a.Similarity < l.o.MinSimilarity {
				continue
			}
			if ch.Skeleton() {
				skeletons = append(skeletons, a)
			} else {
				finds = append(finds, a)
			}
		}
		named := merge.BestOverlapping(slices.Concat(finds, skeletons))
		out = l.appendRows(out, l.texts[text].quotes, merge.BestOverlapping(finds), named, c)
	}
	merge.SortBySource(out)
	return out
}

// appendRows appends the finds of one text, best first, for each of its quotes. named are
// those for a quote whose list names the document: the skeleton of a sentence is a
// misquotation there, and elsewhere a formula.
func (l *QuoteList) appendRows(out []commonplace.Alignment, quotes [2]int32, finds, named []commonplace.Alignment, c *listSearch) []commonplace.Alignment {
	all := finds
	for _, q := range l.quotes[quotes[0]:quotes[1]] {
		need := c.needOf(l, q.by)
		if finds = all; c.close(l, q.by) != elsewhere {
			finds = named
		}
		if l.o.PerQuote > 0 {
			finds = finds[:min(len(finds), l.o.PerQuote)]
		}
		for _, a := range finds {
			if a.Attributed, a.Confidence = c.attributed(q.by), l.posterior(c, a.Score-need); l.verbatim == nil && !l.keeps(&a, need) {
				break // the best come first
			}
			a.QuoteID, a.Parts = q.id, slices.Clone(a.Parts)
			a.ID = merge.ID(&a)
			out = append(out, a)
		}
	}
	return out
}
