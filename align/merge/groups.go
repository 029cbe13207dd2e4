package merge

import (
	"cmp"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/fold"
)

// group is matches of the same words of a derived text with several occurrences, the best first.
type group struct {
	matches    []*remainder
	begin, end int64            // of the derived text, of all matches: each overlaps the first
	taken      map[string][]int // matches in a source, in the order of their positions, which do not overlap
	seen       int              // the last match compared with it
}

// groups are the groups of one derived document, in the order of their best matches.
type groups struct {
	all    []*group
	at     map[int64][]int // groups that reach into each groupSpan code points
	o      Limits
	value  func(*commonplace.Alignment) float64 // by which matches are ordered
	turn   int
	looked int // comparisons with groups and positions: the work
}

// groupSpan is as long as some quotations: a match is compared only with those near by.
const groupSpan = 256

// groupCandidates collects matches, which come best first, into groups. A match that shares letters
// of the derived text with another group is cut there, or dropped ([remainder.part]).
// value is the order.
func groupCandidates(candidates []Candidate, o Limits, value func(*commonplace.Alignment) float64) *groups {
	s := &groups{at: map[int64][]int{}, o: o, value: value}
	for i := range candidates {
		s.add(newRemainder(&candidates[i]))
	}
	return s
}

// add adds a match.
func (s *groups) add(a *remainder) {
	s.turn++
	var near []int
	for k := a.DerivedBegin / groupSpan; k*groupSpan < a.DerivedEnd; k++ {
		for _, n := range s.at[k] {
			g := s.all[n]
			s.looked++
			if g.seen != s.turn && g.begin < a.DerivedEnd && a.DerivedBegin < g.end {
				near = append(near, n)
			}
			g.seen = s.turn
		}
	}
	slices.Sort(near)
	of := -1
	for _, n := range near {
		if best := s.all[n].matches[0]; sameSpan(&a.Alignment, &best.Alignment) && s.value(&a.Alignment) >= NearlyAs*s.value(&best.Alignment) {
			of = n
			break
		}
	}
	var cuts []shortened
	whole := *a
	for _, n := range near {
		g := s.all[n]
		if n == of || !shareLetters(&a.Alignment, g.begin, g.end) {
			continue
		}
		a.unpack()
		if 2*overlap(whole.DerivedBegin, whole.DerivedEnd, g.begin, g.end) >= whole.DerivedEnd-whole.DerivedBegin && !a.muchLeft(g, s.o) {
			return
		}
		g.matches[0].unpack()
		best := *g.matches[0]
		if a.DerivedBegin < best.DerivedBegin && a.DerivedEnd > best.DerivedEnd {
			for _, side := range a.around(&best, s.o) {
				s.add(side)
			}
			return
		}
		if !a.part(&best, of < 0, s.o) {
			return
		}
		cuts = append(cuts, shortened{g, best})
	}
	for _, c := range cuts {
		c.group.shorten(&c.best, a, s.o)
	}
	if of < 0 {
		of = len(s.all)
		s.all = append(s.all, &group{begin: a.DerivedBegin, end: a.DerivedBegin, taken: map[string][]int{}, seen: s.turn})
	}
	if g := s.all[of]; g.take(a, &s.looked) {
		s.widen(of, a.DerivedBegin, a.DerivedEnd)
	}
}

// muchLeft says that what a match has outside a group would be found if it stood alone, and
// has twice the evidence that it needs.
func (a *remainder) muchLeft(g *group, o Limits) bool {
	lo, hi := a.lo, a.hi
	if a.DerivedBegin < g.begin {
		hi = a.endAt(g.begin)
	} else {
		lo = a.beginAt(g.end)
	}
	return a.enough(lo, hi, o) && a.evidence(lo, hi) >= 2*a.needed
}

// shortened is the best match of a group, cut by another match beside it.
type shortened struct {
	group *group
	best  remainder
}

// shorten replaces the best match of the group, and cuts its other matches away from beside.
func (g *group) shorten(best, beside *remainder, o Limits) {
	*g.matches[0] = *best
	g.begin, g.end = best.DerivedBegin, best.DerivedEnd
	for _, f := range g.matches[1:] {
		f.unpack()
		if f.dropped = f.dropped || shareLetters(&f.Alignment, beside.DerivedBegin, beside.DerivedEnd) && !f.leave(beside, o); !f.dropped {
			g.begin, g.end = min(g.begin, f.DerivedBegin), max(g.end, f.DerivedEnd)
		}
	}
}

// widen records that a group reaches from begin to end too.
func (s *groups) widen(n int, begin, end int64) {
	g := s.all[n]
	for k := begin / groupSpan; k*groupSpan < end; k++ {
		if len(g.matches) == 1 || k < g.begin/groupSpan || k*groupSpan >= g.end {
			s.at[k] = append(s.at[k], n)
		}
	}
	g.begin, g.end = min(g.begin, begin), max(g.end, end)
}

// take adds a match, unless the group has one at its position.
func (g *group) take(a *remainder, looked *int) bool {
	places := g.taken[a.SourceID]
	k, _ := slices.BinarySearchFunc(places, a, func(n int, a *remainder) int {
		*looked++
		return cmp.Compare(g.matches[n].SourceBegin, a.SourceBegin)
	})
	for _, n := range places[max(0, k-1):min(len(places), k+2)] {
		if samePlace(&a.Alignment, &g.matches[n].Alignment) {
			return false
		}
	}
	g.taken[a.SourceID] = slices.Insert(places, k, len(g.matches))
	g.matches = append(g.matches, a)
	return true
}

// sameSpan reports whether two matches are of nearly the same words of the derived text.
func sameSpan(a, b *commonplace.Alignment) bool {
	common := max(0, min(a.DerivedEnd, b.DerivedEnd)-max(a.DerivedBegin, b.DerivedBegin))
	return common > 0 && float64(common) >= sameWords*float64(max(a.DerivedEnd-a.DerivedBegin, b.DerivedEnd-b.DerivedBegin))
}

// samePlace reports whether two matches of the same words are one occurrence: they have
// half of the shorter span in common. Occurrences side by side may share a letter, with which the
// source happens to continue.
func samePlace(a, b *commonplace.Alignment) bool {
	return a.SourceID == b.SourceID && a.SourceBegin < b.SourceEnd && b.SourceBegin < a.SourceEnd &&
		2*overlap(a.SourceBegin, a.SourceEnd, b.SourceBegin, b.SourceEnd) >= min(a.SourceEnd-a.SourceBegin, b.SourceEnd-b.SourceBegin)
}

// shareLetters reports whether the derived text of the match has a letter or digit
// from begin to end; two quotations may share a mark or a point.
func shareLetters(a *commonplace.Alignment, begin, end int64) bool {
	from, to := max(a.DerivedBegin, begin), min(a.DerivedEnd, end)
	at := a.DerivedBegin
	for _, r := range a.DerivedText {
		if at >= to {
			return false
		}
		if at >= from && fold.IsLetter(r) {
			return true
		}
		at++
	}
	return at < to // a match without its text counts as letters
}
