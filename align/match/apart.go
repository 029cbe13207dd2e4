package match

import (
	"cmp"
	"math"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/fold"
)

// The parts of a quotation may stand apart: its sentences come in another order than the source's, it was printed
// in two columns and read across, or it leaves out words without a mark. They are one find with parts: of a listed quote
// because an entry is a whole, and of a document where they alternate.
const (
	apartBytes  = 2400 // of the source between a part and those before
	apartLeast  = 6.0  // bits of a part beyond what its place costs
	apartShared = 12   // symbols, or bytes, by which parts may overlap: alignments run on by a word
	letterBits  = 3.0  // bits of a letter at most, which count once where two parts have it
	apartMost   = 24   // chains tried on either side in the source
)

// Apart is chains of one quote that are one find: the first, and others near it in the source.
type Apart struct {
	chains []*Chain
	cost   float64
}

// BySource are the chains in the order of their sources, for [Matcher.Apart].
func BySource(chains []Chain) []*Chain {
	order := make([]*Chain, len(chains))
	for i := range chains {
		order[i] = &chains[i]
	}
	slices.SortStableFunc(order, func(a, b *Chain) int {
		return cmp.Or(cmp.Compare(a.First().Doc, b.First().Doc), cmp.Compare(a.First().S0, b.First().S0))
	})
	return order
}

// Apart adds to the k-th chain those of the others that have other words of the quote and are near in the source. The place of each
// costs as much as a gap does: log2 of the positions at which it could be.
func (m *Matcher) Apart(bySource []*Chain, k int) *Apart {
	c := bySource[k]
	a := Alone(c)
	s0, s1 := c.First().S0, c.last().S1
	d0, d1 := c.First().D0, c.last().D1
	var rest []*Chain
	for i, o := range bySource[max(0, k-apartMost):min(len(bySource), k+apartMost+1)] {
		if max(0, k-apartMost)+i != k && o.First().Doc == c.First().Doc && !(m.Listed && m.isWhole(o)) {
			rest = append(rest, o)
		}
	}
	slices.SortStableFunc(rest, func(a, b *Chain) int {
		return cmp.Or(cmp.Compare(b.Words(), a.Words()), cmp.Compare(a.First().S0, b.First().S0))
	})
	for more := true; more; {
		more = false
		for i, o := range rest {
			if o == nil {
				continue
			}
			gap := max(0, o.First().S0-s1, s0-o.last().S1)
			shared, ok := a.shares(o)
			cost := apart + math.Log2(1+float64(gap)/4) + letterBits*float64(shared)
			if gap > apartBytes || o.Words()-cost < apartLeast || !m.Listed && !m.alternate(d0, d1, o) || !ok {
				continue
			}
			a.chains, a.cost = append(a.chains, o), a.cost+cost
			s0, s1 = min(s0, o.First().S0), max(s1, o.last().S1)
			d0, d1 = min(d0, o.First().D0), max(d1, o.last().D1)
			rest[i], more = nil, true
		}
	}
	return a
}

// isWhole reports whether no word of a listed quote is missing in a chain, which then is no part of another find.
func (m *Matcher) isWhole(c *Chain) bool {
	missing, _ := m.Missing(c)
	return missing == 0
}

// alternate reports whether a chain alternates with symbols d0..d1 of a document, as the columns of a page do.
func (m *Matcher) alternate(d0, d1 int, o *Chain) bool {
	from, to := o.First().D0, o.last().D1
	return 2*(min(d1, to)-max(d0, from)) >= min(d1-d0, to-from)
}

// Alone is a chain by itself, which may have parts that stand apart on the derived side.
func Alone(c *Chain) *Apart { return &Apart{chains: []*Chain{c}} }

// Parts is the number of chains.
func (a *Apart) Parts() int { return len(a.chains) }

// shares is the number of symbols of the quote that a chain has and a has already. It reports false where they have more in common
// than the ends of alignments that run on.
func (a *Apart) shares(o *Chain) (symbols int, ok bool) {
	theirs := o.runs()
	for _, c := range a.chains {
		for _, p := range c.runs() {
			for _, q := range theirs {
				both := max(0, min(p.D1, q.D1)-max(p.D0, q.D0))
				if both > apartShared || min(p.S1, q.S1)-max(p.S0, q.S0) > apartShared {
					return 0, false
				}
				symbols += both
			}
		}
	}
	return symbols, true
}

// Chain is all of the pieces in the order of the quote, with the evidence of all.
func (a *Apart) Chain() *Chain {
	if len(a.chains) == 1 {
		return a.chains[0]
	}
	all := &Chain{cost: a.cost}
	for _, c := range a.chains {
		all.Pieces, all.cost = append(all.Pieces, c.runs()...), all.cost+c.cost
	}
	slices.SortFunc(all.Pieces, func(a, b Piece) int { return cmp.Or(cmp.Compare(a.D0, b.D0), cmp.Compare(a.S0, b.S0)) })
	return all
}

// interposedLeast is the number of derived symbols without partner from which a piece is two parts.
const interposedLeast = 12

// interposedIn are the rows of derived symbols without partner within m.pairs[from:to].
func (m *Matcher) interposedIn(from, to int) (out []ellipsis) {
	for k := from + 1; k < to; k++ {
		if left, right := m.pairs[k-1], m.pairs[k]; right.D-left.D > interposedLeast {
			out = append(out, ellipsis{int(left.D) + 1, int(right.D), m.win.End(m.SourceText, int(left.S)+1), int(m.win.Pos[right.S])})
		}
	}
	return out
}

// runs are the pieces of a chain, those with interposed words as several. The first has the evidence.
func (c *Chain) runs() (out []Piece) {
	for _, p := range c.Pieces {
		whole := p
		for _, gap := range whole.interposed {
			first := p
			first.D1, first.S1 = gap.d0, gap.s0
			if len(p.partners) > 0 {
				first.partners, p.partners = p.partners[:gap.d0-p.D0], p.partners[gap.d1-p.D0:]
			}
			first.interposed, first.gaps = nil, nil
			out = append(out, first)
			p.D0, p.S0, p.Bits, p.matched, p.touched, p.boilerplate = gap.d1, gap.s1, 0, 0, 0, nil
		}
		p.interposed = nil
		if len(whole.interposed) > 0 {
			p.gaps = nil
		}
		out = append(out, p)
	}
	return out
}

// RowOf is the row of a match: that of its chain, if there is one and it is similar enough; otherwise that of parts that stand apart.
func (m *Matcher) RowOf(a *Apart, least float64, dPoint, sPoint func(int) int64) commonplace.Alignment {
	if len(a.chains) == 1 {
		if row := m.Row(a.chains[0], dPoint, sPoint); row.Similarity >= least || len(a.chains[0].runs()) == len(a.chains[0].Pieces) {
			return row
		}
	}
	return m.RowApart(a, dPoint, sPoint)
}

// RowApart is [Matcher.Row] for parts that stand apart: the spans reach from the first to the last on either side.
func (m *Matcher) RowApart(a *Apart, dPoint, sPoint func(int) int64) commonplace.Alignment {
	all := &Chain{Pieces: a.Chain().runs()}
	slices.SortFunc(all.Pieces, func(a, b Piece) int { return cmp.Or(cmp.Compare(a.D0, b.D0), cmp.Compare(a.S0, b.S0)) })
	next := map[int]bool{} // pieces, by their first symbols, that go on the piece before in the quote
	for _, c := range a.chains {
		runs := c.runs()
		for i := 1; i < len(runs); i++ {
			k := slices.IndexFunc(all.Pieces, func(p Piece) bool { return p.D0 == runs[i].D0 && p.S0 == runs[i].S0 })
			if k > 0 && all.Pieces[k-1].D0 == runs[i-1].D0 && all.Pieces[k-1].S0 == runs[i-1].S0 && runs[i].D0-runs[i-1].D1 < interposedLeast {
				next[k] = true
			}
		}
	}
	var parts []Segment
	var words int64
	for from := 0; from < len(all.Pieces); {
		to := from + 1
		for to < len(all.Pieces) && next[to] {
			to++
		}
		run := Chain{Pieces: all.Pieces[from:to], ellipses: make([]bool, to-from-1)}
		for i := range run.ellipses {
			run.ellipses[i] = m.ellipsisBetween(run.Pieces[i].D1, run.Pieces[i+1].D0)
		}
		words += int64(run.Matched())
		more, _, _ := m.segments(&run)
		parts = append(parts, more...)
		from = to
	}
	apart := parts[:1]
	for _, p := range parts[1:] { // no letter of the quote is in two parts, and no word counts twice
		last := apart[len(apart)-1].D1
		from, to := m.Derived.SymbolAt(0, p.D0), m.Derived.SymbolAt(0, min(p.D1, last))
		for _, s := range m.Derived.Sym[from:max(from, to)] {
			words -= int64(s&fold.WordStart) / fold.WordStart
		}
		m.separate(&p, &Piece{D0: from, D1: m.Derived.SymbolAt(0, p.D1)}, to, 0)
		if p.D0 = max(p.D0, last); p.D1 > p.D0 && p.S1 > p.S0 {
			apart = append(apart, p)
		}
	}
	parts = apart
	whole := parts[0]
	for _, p := range parts[1:] {
		whole.D1, whole.S0, whole.S1 = max(whole.D1, p.D1), min(whole.S0, p.S0), max(whole.S1, p.S1)
	}
	out := commonplace.Alignment{
		Kind:         commonplace.KindBlock,
		DerivedBegin: dPoint(whole.D0), DerivedEnd: dPoint(whole.D1), DerivedText: m.DerivedText[whole.D0:whole.D1],
		SourceBegin: sPoint(whole.S0), SourceEnd: sPoint(whole.S1), SourceText: m.SourceText[whole.S0:whole.S1],
		MatchedWords: words, Score: a.Chain().Bits(), Marked: a.Chain().marked(), Places: m.boilerplatePlaces(a.Chain()), Similarity: m.identity(parts),
	}
	for _, s := range parts {
		out.Parts = append(out.Parts, commonplace.Part{DerivedBegin: dPoint(s.D0), DerivedEnd: dPoint(s.D1), SourceBegin: sPoint(s.S0), SourceEnd: sPoint(s.S1)})
	}
	return out
}
