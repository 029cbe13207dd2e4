package merge

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// slowGroups is what groupCandidates does, by comparing all pairs.
func slowGroups(order []commonplace.Alignment, value func(*commonplace.Alignment) float64) [][]*commonplace.Alignment {
	var groups [][]*commonplace.Alignment
next:
	for i := range order {
		a := &order[i]
		of := slices.IndexFunc(groups, func(g []*commonplace.Alignment) bool { return sameSpan(a, g[0]) && value(a) >= NearlyAs*value(g[0]) })
		for k, g := range groups {
			for _, b := range g {
				if k == of && samePlace(a, b) || k != of && shareLetters(a, b.DerivedBegin, b.DerivedEnd) {
					continue next
				}
			}
		}
		if of < 0 {
			of, groups = len(groups), append(groups, nil)
		}
		groups[of] = append(groups[of], a)
	}
	return groups
}

// uncuttable makes alignments into candidates that may not be cut.
func uncuttable(rows ...commonplace.Alignment) (out []Candidate) {
	for _, a := range rows {
		out = append(out, Candidate{Alignment: a})
	}
	return out
}

// Groups, and what stands near by, are what comparing all pairs makes of them.
func TestGroupsAreThoseOfAllPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(111, 112))
	score := func(a *commonplace.Alignment) float64 { return a.Score }
	joined, dropped, near := 0, 0, 0
	for round := range 400 {
		text := strings.Repeat([]string{"abcdefg. ", "a. ", "... abc"}[round%3], 1+r.IntN(400))
		var matches []commonplace.Alignment
		for i := range 60 {
			n := 1 + r.IntN(min(len(text), []int{20, 100, 1000}[r.IntN(3)]))
			from := int64(r.IntN(len(text) - n + 1))
			if len(matches) > 0 && r.IntN(2) == 0 { // nearly the place of another
				b := matches[r.IntN(len(matches))]
				from = max(0, b.DerivedBegin-int64(r.IntN(4)))
				n = min(len(text)-int(from), int(b.DerivedEnd-b.DerivedBegin)+r.IntN(6))
			}
			at := int64(r.IntN(9000))
			matches = append(matches, commonplace.Alignment{ID: fmt.Sprint(i), SourceID: fmt.Sprint("s", r.IntN(4)), SourceBegin: at, SourceEnd: at + int64(n), DerivedBegin: from, DerivedEnd: from + int64(n),
				DerivedText: text[from : from+int64(n)], Score: float64(40 + r.IntN(8)), Confidence: r.Float64()})
		}
		slices.SortStableFunc(matches, func(a, b commonplace.Alignment) int { return int(b.Score - a.Score) })
		want := slowGroups(matches, score)
		s := groupCandidates(uncuttable(matches...), Limits{}, score)
		if len(s.all) != len(want) {
			t.Fatalf("round %d: %d groups, of all pairs %d", round, len(s.all), len(want))
		}
		beside := s.neighbours()
		left := len(matches)
		for i, g := range s.all {
			if !slices.EqualFunc(g.matches, want[i], func(f *remainder, a *commonplace.Alignment) bool { return reflect.DeepEqual(&f.Alignment, a) }) {
				t.Fatalf("round %d: group %d has %d matches, of all pairs %d", round, i, len(g.matches), len(want[i]))
			}
			joined += len(g.matches) - 1
			left -= len(g.matches)
			for _, a := range g.matches {
				all := false
				for k, h := range want {
					for _, b := range h {
						all = all || k != i && a.SourceID == b.SourceID && b.Confidence >= sureNear && abs(a.DerivedBegin-b.DerivedBegin) <= nearSymbols && abs(a.SourceBegin-b.SourceBegin) <= nearSymbols
					}
				}
				if beside.beside(i, &a.Alignment) != all {
					t.Fatalf("round %d: a match of group %d has one near by: %v, of all pairs %v", round, i, !all, all)
				}
				if all {
					near++
				}
			}
		}
		dropped += left
	}
	if joined < 1000 || dropped < 1000 || near < 1000 {
		t.Errorf("%d joined, %d dropped, %d near others: the cases are not those to test", joined, dropped, near)
	}
}

// However many matches a document has, each is held against few.
func TestMergingIsBounded(t *testing.T) {
	const matches, most = 20_000, 60
	text := strings.Repeat("a", 50)
	find := func(i int, source string, from, place int64) commonplace.Alignment {
		return commonplace.Alignment{ID: fmt.Sprint(i), SourceID: source, SourceBegin: place, SourceEnd: place + 50, DerivedBegin: from, DerivedEnd: from + 50, DerivedText: text, Score: 60, Similarity: 1, Confidence: 1}
	}
	for what, make := range map[string]func(i int) commonplace.Alignment{
		"apart, of one source each": func(i int) commonplace.Alignment { return find(i, fmt.Sprint(i), int64(100*i), 0) },
		"apart, of one place":       func(i int) commonplace.Alignment { return find(i, "s", int64(100*i), 0) },
		"one after another":         func(i int) commonplace.Alignment { return find(i, "s", int64(50*i), int64(50*i)) },
		"of the same words":         func(i int) commonplace.Alignment { return find(i, fmt.Sprint(i), 0, 0) },
		"of the same words, in one": func(i int) commonplace.Alignment { return find(i, "s", 0, int64(60*i)) },
		"overlapping":               func(i int) commonplace.Alignment { return find(i, fmt.Sprint(i), int64(3*i), 0) },
		"far between":               func(i int) commonplace.Alignment { return find(i, "s", int64(100*i), int64(100*(i*7919%matches))) },
	} {
		var order []commonplace.Alignment
		for i := range matches {
			order = append(order, make(i))
		}
		s := groupCandidates(uncuttable(order...), Limits{}, func(a *commonplace.Alignment) float64 { return a.Score })
		near := s.neighbours()
		for i, g := range s.all {
			for _, a := range g.matches {
				near.beside(i, &a.Alignment)
			}
		}
		t.Logf("%-26s %5d groups, held against %.1f each, near %.1f", what, len(s.all), float64(s.looked)/matches, float64(near.looked)/matches)
		if s.looked+near.looked > most*matches {
			t.Errorf("%s: %d matches are held against %d groups and places, and %d near by", what, matches, s.looked, near.looked)
		}
	}
}
