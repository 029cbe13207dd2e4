package merge

import (
	"cmp"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/fold"
)

// group is finds of the same words of a derived text in several places, the best first.
type group struct {
	finds      []*remainder
	begin, end int64            // of the derived text, of all finds: each overlaps the first
	taken      map[string][]int // finds of a source, in the order of their places, which do not overlap
	seen       int              // the last find that was held against it
}

// groups are the groups of one derived document, in the order of their best finds.
type groups struct {
	all    []*group
	at     map[int64][]int // groups that reach into a stretch of groupStretch code points
	o      Limits
	value  func(*commonplace.Alignment) float64 // what the order of finds is by
	turn   int
	looked int // groups and places that finds were held against: the work
}

// groupSpan is some quotations long: a find is held against those near by alone.
const groupSpan = 256

// groupCandidates gathers finds, which come best first, into groups. Finds that share letters
// of the derived text with a group that they are not of are cut there, or dropped ([groups.part]).
// value is what the order is by.
func groupCandidates(candidates []Candidate, o Limits, value func(*commonplace.Alignment) float64) *groups {
	s := &groups{at: map[int64][]int{}, o: o, value: value}
	for i := range candidates {
		s.add(newFind(&candidates[i]))
	}
	return s
}

// add enters a find.
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
		if best := s.all[n].finds[0]; sameSpan(&a.Alignment, &best.Alignment) && s.value(&a.Alignment) >= nearlyAs*s.value(&best.Alignment) {
			of = n
			break
		}
	}
	var cuts []settled
	whole := *a
	for _, n := range near {
		g := s.all[n]
		if n == of || !shareLetters(&a.Alignment, g.begin, g.end) {
			continue
		}
		if 2*overlap(whole.DerivedBegin, whole.DerivedEnd, g.begin, g.end) >= whole.DerivedEnd-whole.DerivedBegin {
			return
		}
		a.unpack()
		g.finds[0].unpack()
		best := *g.finds[0]
		if a.DerivedBegin < best.DerivedBegin && a.DerivedEnd > best.DerivedEnd {
			for _, side := range a.around(&best, s.o) {
				s.add(side)
			}
			return
		}
		if !a.part(&best, of < 0, s.o) {
			return
		}
		cuts = append(cuts, settled{g, best})
	}
	for _, c := range cuts {
		c.group.cutTo(&c.best, a, s.o)
	}
	if of < 0 {
		of = len(s.all)
		s.all = append(s.all, &group{begin: a.DerivedBegin, end: a.DerivedBegin, taken: map[string][]int{}, seen: s.turn})
	}
	if g := s.all[of]; g.take(a, &s.looked) {
		s.widen(of, a.DerivedBegin, a.DerivedEnd)
	}
}

// settled is the best find of a group as another find beside it leaves it.
type settled struct {
	group *group
	best  remainder
}

// cutTo makes best the group's best find, and cuts its other places as it is cut, away from beside.
func (g *group) cutTo(best, beside *remainder, o Limits) {
	*g.finds[0] = *best
	g.begin, g.end = best.DerivedBegin, best.DerivedEnd
	for _, f := range g.finds[1:] {
		f.unpack()
		if f.dropped = f.dropped || shareLetters(&f.Alignment, beside.DerivedBegin, beside.DerivedEnd) && !f.leave(beside, o); !f.dropped {
			g.begin, g.end = min(g.begin, f.DerivedBegin), max(g.end, f.DerivedEnd)
		}
	}
}

// widen notes that a group reaches from begin to end too.
func (s *groups) widen(n int, begin, end int64) {
	g := s.all[n]
	for k := begin / groupSpan; k*groupSpan < end; k++ {
		if len(g.finds) == 1 || k < g.begin/groupSpan || k*groupSpan >= g.end {
			s.at[k] = append(s.at[k], n)
		}
	}
	g.begin, g.end = min(g.begin, begin), max(g.end, end)
}

// take adds a find, unless the group has one at its place.
func (g *group) take(a *remainder, looked *int) bool {
	places := g.taken[a.SourceID]
	k, _ := slices.BinarySearchFunc(places, a, func(n int, a *remainder) int {
		*looked++
		return cmp.Compare(g.finds[n].SourceBegin, a.SourceBegin)
	})
	for _, n := range places[max(0, k-1):min(len(places), k+2)] {
		if samePlace(&a.Alignment, &g.finds[n].Alignment) {
			return false
		}
	}
	g.taken[a.SourceID] = slices.Insert(places, k, len(g.finds))
	g.finds = append(g.finds, a)
	return true
}

// sameSpan reports whether two finds are of nearly the same words of the derived text.
func sameSpan(a, b *commonplace.Alignment) bool {
	common := max(0, min(a.DerivedEnd, b.DerivedEnd)-max(a.DerivedBegin, b.DerivedBegin))
	return common > 0 && float64(common) >= sameWords*float64(max(a.DerivedEnd-a.DerivedBegin, b.DerivedEnd-b.DerivedBegin))
}

// samePlace reports whether two finds of the same words are one place of the source: they have
// half of the shorter's span in common. Places side by side may share a letter, with which the
// source happens to go on.
func samePlace(a, b *commonplace.Alignment) bool {
	return a.SourceID == b.SourceID && a.SourceBegin < b.SourceEnd && b.SourceBegin < a.SourceEnd &&
		2*overlap(a.SourceBegin, a.SourceEnd, b.SourceBegin, b.SourceEnd) >= min(a.SourceEnd-a.SourceBegin, b.SourceEnd-b.SourceBegin)
}

// shareLetters reports whether a letter or digit of the find's derived text stands
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
	return at < to // without its text, a find is taken for letters
}

// neighbours are the sure finds of all groups, by source and by where they stand
// on both sides.
type neighbours struct {
	of     map[neighbourhood][]neighbour // in the order of their groups
	looked int
}

// neighbourhood is a square of places on both sides of which all are near each other.
type neighbourhood struct {
	source            string
	derived, inSource int64
}

type neighbour struct {
	group int
	a     *commonplace.Alignment
}

func (s *groups) neighbours() *neighbours {
	n := &neighbours{of: map[neighbourhood][]neighbour{}}
	for i, g := range s.all {
		for _, a := range g.finds {
			if a.dropped || a.Confidence < sureNear {
				continue
			}
			k := neighbourhoodOf(&a.Alignment)
			n.of[k] = append(n.of[k], neighbour{i, &a.Alignment})
		}
	}
	return n
}

func neighbourhoodOf(a *commonplace.Alignment) neighbourhood {
	return neighbourhood{a.SourceID, a.DerivedBegin / (nearSymbols + 1), a.SourceBegin / (nearSymbols + 1)}
}

// beside reports whether a find of another group than the i-th stands near a on both sides.
func (n *neighbours) beside(i int, a *commonplace.Alignment) bool {
	at := neighbourhoodOf(a)
	for dd := at.derived - 1; dd <= at.derived+1; dd++ {
		for ss := at.inSource - 1; ss <= at.inSource+1; ss++ {
			there := n.of[neighbourhood{a.SourceID, dd, ss}]
			own, _ := slices.BinarySearchFunc(there, i, func(b neighbour, i int) int { return cmp.Compare(b.group, i) })
			after, _ := slices.BinarySearchFunc(there, i+1, func(b neighbour, i int) int { return cmp.Compare(b.group, i) })
			near := func(b neighbour) bool {
				n.looked++
				return abs(a.DerivedBegin-b.a.DerivedBegin) <= nearSymbols && abs(a.SourceBegin-b.a.SourceBegin) <= nearSymbols
			}
			if slices.ContainsFunc(there[:own], near) || slices.ContainsFunc(there[after:], near) {
				return true
			}
		}
	}
	return false
}

func abs(i int64) int64 { return max(i, -i) }
