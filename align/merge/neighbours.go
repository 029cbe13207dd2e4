package merge

import (
	"cmp"
	"slices"

	"github.com/commonplace/commonplace"
)

// neighbours are the sure matches of all groups, by source and position on both sides.
type neighbours struct {
	of     map[neighbourhood][]neighbour // in the order of their groups
	looked int
}

// neighbourhood is a square of positions on both sides, which are all near each other.
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
		for _, a := range g.matches {
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

// beside reports whether a match of another group than the i-th is near a on both sides.
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
