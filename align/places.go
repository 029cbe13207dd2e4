package align

import (
	"cmp"
	"slices"

	"github.com/commonplace/commonplace"
)

// group is finds of the same words of a derived text in several places, the best first.
type group struct {
	finds      []*commonplace.Alignment
	begin, end int64            // of the derived text, of all finds: each overlaps the first
	taken      map[string][]int // finds of a source, in the order of their places, which do not overlap
	seen       int              // the last find that was held against it
}

// groups are the groups of one derived document, in the order of their best finds.
type groups struct {
	all    []*group
	at     map[int64][]int // groups that reach into a stretch of groupStretch code points
	near   []int
	looked int // groups and places that finds were held against: the work
}

// groupStretch is some quotations long: a find is held against those near by alone.
const groupStretch = 256

// groupFinds gathers finds, which come best first, into groups, and drops those
// that share letters of the derived text with a group that they are not of. value is what
// the order is by.
func groupFinds(order []commonplace.Alignment, value func(*commonplace.Alignment) float64) *groups {
	s := &groups{at: map[int64][]int{}}
	for i := range order {
		s.add(i, &order[i], value)
	}
	return s
}

// add enters the i-th find.
func (s *groups) add(i int, a *commonplace.Alignment, value func(*commonplace.Alignment) float64) {
	s.near = s.near[:0]
	for k := a.DerivedBegin / groupStretch; k*groupStretch < a.DerivedEnd; k++ {
		for _, n := range s.at[k] {
			g := s.all[n]
			s.looked++
			if g.seen != i && g.begin < a.DerivedEnd && a.DerivedBegin < g.end {
				s.near = append(s.near, n)
			}
			g.seen = i
		}
	}
	slices.Sort(s.near)
	of := -1
	for _, n := range s.near {
		if best := s.all[n].finds[0]; sameSpan(a, best) && value(a) >= nearlyAs*value(best) {
			of = n
			break
		}
	}
	for _, n := range s.near {
		if g := s.all[n]; n != of && shareLetters(a, g.begin, g.end) {
			return
		}
	}
	if of < 0 {
		of = len(s.all)
		s.all = append(s.all, &group{begin: a.DerivedBegin, end: a.DerivedBegin, taken: map[string][]int{}, seen: i})
	}
	if g := s.all[of]; g.take(a, &s.looked) {
		s.widen(of, a.DerivedBegin, a.DerivedEnd)
	}
}

// widen notes that a group reaches from begin to end too.
func (s *groups) widen(n int, begin, end int64) {
	g := s.all[n]
	for k := begin / groupStretch; k*groupStretch < end; k++ {
		if len(g.finds) == 1 || k < g.begin/groupStretch || k*groupStretch >= g.end {
			s.at[k] = append(s.at[k], n)
		}
	}
	g.begin, g.end = min(g.begin, begin), max(g.end, end)
}

// take adds a find, unless the group has one at its place.
func (g *group) take(a *commonplace.Alignment, looked *int) bool {
	places := g.taken[a.SourceID]
	k, _ := slices.BinarySearchFunc(places, a, func(n int, a *commonplace.Alignment) int {
		*looked++
		if g.finds[n].SourceEnd <= a.SourceBegin {
			return -1
		}
		return 1
	})
	if k < len(places) && samePlace(a, g.finds[places[k]]) {
		return false
	}
	g.taken[a.SourceID] = slices.Insert(places, k, len(g.finds))
	g.finds = append(g.finds, a)
	return true
}

// sameSpan says whether two finds are of nearly the same words of the derived text.
func sameSpan(a, b *commonplace.Alignment) bool {
	common := max(0, min(a.DerivedEnd, b.DerivedEnd)-max(a.DerivedBegin, b.DerivedBegin))
	return common > 0 && float64(common) >= sameWords*float64(max(a.DerivedEnd-a.DerivedBegin, b.DerivedEnd-b.DerivedBegin))
}

// samePlace says whether the source spans of two finds overlap.
func samePlace(a, b *commonplace.Alignment) bool {
	return a.SourceID == b.SourceID && min(a.SourceEnd, b.SourceEnd) > max(a.SourceBegin, b.SourceBegin)
}

// shareLetters says whether a letter or digit of the find's derived text stands
// from begin to end; two quotations may share a mark or a point.
func shareLetters(a *commonplace.Alignment, begin, end int64) bool {
	from, to := max(a.DerivedBegin, begin), min(a.DerivedEnd, end)
	at := a.DerivedBegin
	for _, r := range a.DerivedText {
		if at >= to {
			return false
		}
		if at >= from && wordRune(r) {
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
			if a.Confidence < sureNear {
				continue
			}
			k := neighbourhoodOf(a)
			n.of[k] = append(n.of[k], neighbour{i, a})
		}
	}
	return n
}

func neighbourhoodOf(a *commonplace.Alignment) neighbourhood {
	return neighbourhood{a.SourceID, a.DerivedBegin / (nearSymbols + 1), a.SourceBegin / (nearSymbols + 1)}
}

// beside says whether a find of another group than the i-th stands near a on both sides.
func (n *neighbours) beside(i int, a *commonplace.Alignment) bool {
	at := neighbourhoodOf(a)
	for dd := at.derived - 1; dd <= at.derived+1; dd++ {
		for ss := at.inSource - 1; ss <= at.inSource+1; ss++ {
			there := n.of[neighbourhood{a.SourceID, dd, ss}]
			own, _ := slices.BinarySearchFunc(there, i, func(b neighbour, i int) int { return cmp.Compare(b.group, i) })
			after, _ := slices.BinarySearchFunc(there, i+1, func(b neighbour, i int) int { return cmp.Compare(b.group, i) })
			near := func(b neighbour) bool {
				n.looked++
				return abs(int(a.DerivedBegin-b.a.DerivedBegin)) <= nearSymbols && abs(int(a.SourceBegin-b.a.SourceBegin)) <= nearSymbols
			}
			if slices.ContainsFunc(there[:own], near) || slices.ContainsFunc(there[after:], near) {
				return true
			}
		}
	}
	return false
}
