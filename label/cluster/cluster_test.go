package cluster

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// match is an alignment of two spans.
func match(source string, sb, se int64, derived string, db, de int64, like float64) commonplace.Alignment {
	return commonplace.Alignment{SourceID: source, SourceBegin: sb, SourceEnd: se, DerivedID: derived, DerivedBegin: db, DerivedEnd: de, Similarity: like}
}

func clustersOf(dates map[string]Days, alignments ...commonplace.Alignment) []string {
	var f Finder
	for _, a := range alignments {
		f.Add(a)
	}
	var got []string
	for _, c := range f.Clusters(func(id string) Days { return dates[id] }) {
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %d/%d %s:%d-%d %s", c.Cluster, c.Documents, c.Copies, c.DocID, c.Begin, c.End, c.SourceBy)))
	}
	slices.Sort(got)
	return got
}

func TestClusters(t *testing.T) {
	day := func(n int) Days { return Days{n, n, true} }
	for _, c := range []struct {
		name       string
		dates      map[string]Days
		alignments []commonplace.Alignment
		want       []string
	}{
		{"through another", map[string]Days{"c": day(1), "b": day(2), "a": day(3)},
			[]commonplace.Alignment{match("b", 10, 110, "a", 0, 100, 1), match("c", 5, 105, "b", 12, 110, 1)},
			[]string{"c:5-105 3/3 a:0-100", "c:5-105 3/3 b:10-110", "c:5-105 3/3 c:5-105 date"}},
		{"a part and the whole are two", nil,
			[]commonplace.Alignment{match("a", 0, 300, "b", 0, 300, 1), match("a", 0, 100, "c", 50, 150, 1)},
			[]string{"a:0-100 2/2 a:0-100 undecided", "a:0-100 2/2 c:50-150 undecided", "a:0-300 2/2 a:0-300 undecided", "a:0-300 2/2 b:0-300 undecided"}},
		{"two places of one document", nil,
			[]commonplace.Alignment{match("a", 0, 100, "b", 0, 100, 1), match("a", 0, 100, "b", 500, 600, 1)},
			[]string{"a:0-100 2/3 a:0-100 wording", "a:0-100 2/3 b:0-100", "a:0-100 2/3 b:500-600"}},
		{"no step of a chain counts that begins at its first", nil,
			[]commonplace.Alignment{match("a", 0, 100, "b", 0, 100, 1), match("a", 30, 130, "c", 0, 100, 1), match("a", 60, 160, "d", 0, 100, 1)},
			[]string{"a:0-100 3/3 a:0-100 wording", "a:0-100 3/3 b:0-100", "a:0-100 3/3 c:0-100", "a:60-160 2/2 a:60-160 undecided", "a:60-160 2/2 d:0-100 undecided"}},
		{"the oldest, but one has no date", map[string]Days{"a": day(5), "b": day(3)},
			[]commonplace.Alignment{match("a", 0, 9, "b", 0, 9, 1), match("a", 0, 9, "c", 0, 9, 1)},
			[]string{"b:0-9 3/3 a:0-9", "b:0-9 3/3 b:0-9 first date", "b:0-9 3/3 c:0-9"}},
		{"a year is no day", map[string]Days{"a": {1, 365, true}, "b": day(30)},
			[]commonplace.Alignment{match("a", 0, 9, "b", 0, 9, 1)},
			[]string{"a:0-9 2/2 a:0-9 first date", "a:0-9 2/2 b:0-9"}},
		{"two of one day", map[string]Days{"a": day(1), "b": day(1)},
			[]commonplace.Alignment{match("a", 0, 9, "b", 0, 9, 1)},
			[]string{"a:0-9 2/2 a:0-9 undecided", "a:0-9 2/2 b:0-9 undecided"}},
		{"of two of one year the one more like the others", map[string]Days{"a": {1, 365, true}, "b": {1, 365, true}, "c": day(500)},
			[]commonplace.Alignment{match("b", 0, 9, "a", 0, 9, .9), match("b", 0, 9, "c", 0, 9, 1)},
			[]string{"a:0-9 3/3 a:0-9", "a:0-9 3/3 b:0-9 date and wording", "a:0-9 3/3 c:0-9"}},
		{"a newer one is no source, however like", map[string]Days{"a": day(1), "b": day(1), "c": day(500)},
			[]commonplace.Alignment{match("c", 0, 9, "a", 0, 9, 1), match("c", 0, 9, "b", 0, 9, 1)},
			[]string{"a:0-9 3/3 a:0-9 undecided", "a:0-9 3/3 b:0-9 undecided", "a:0-9 3/3 c:0-9"}},
		{"of two of one year, but one has no date", map[string]Days{"a": {1, 365, true}, "b": {1, 365, true}},
			[]commonplace.Alignment{match("b", 0, 9, "a", 0, 9, .9), match("b", 0, 9, "c", 0, 9, 1)},
			[]string{"a:0-9 3/3 a:0-9", "a:0-9 3/3 b:0-9 first date and wording", "a:0-9 3/3 c:0-9"}},
		{"of two of one year, but a day of it is known", map[string]Days{"a": {1, 365, true}, "b": {1, 365, true}, "c": day(60)},
			[]commonplace.Alignment{match("b", 0, 9, "a", 0, 9, .9), match("b", 0, 9, "c", 0, 9, 1)},
			[]string{"a:0-9 3/3 a:0-9", "a:0-9 3/3 b:0-9 first date and wording", "a:0-9 3/3 c:0-9"}},
		{"two places of the oldest", map[string]Days{"a": day(1), "b": day(2)},
			[]commonplace.Alignment{match("a", 0, 9, "b", 0, 9, 1), match("a", 50, 59, "b", 0, 9, 1)},
			[]string{"a:0-9 2/3 a:0-9 date", "a:0-9 2/3 a:50-59", "a:0-9 2/3 b:0-9"}},
		{"two overlapping places of one passage", nil,
			[]commonplace.Alignment{match("a", 0, 100, "b", 0, 100, 1), match("a", 0, 95, "c", 0, 99, 1), match("b", 0, 50, "d", 0, 50, 1), match("a", 2, 100, "d", 0, 49, 1)},
			[]string{"a:0-100 4/4 a:0-100 wording", "a:0-100 4/4 b:0-100", "a:0-100 4/4 c:0-99", "a:0-100 4/4 d:0-50"}},
		{"a list joins nothing", nil, []commonplace.Alignment{{SourceID: "a", SourceEnd: 9, QuoteID: "q", DerivedEnd: 9}}, nil},
	} {
		if got := clustersOf(c.dates, c.alignments...); !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// Each copy names the earlier one that it is most like, so what leads back through them
// has no circle, and the first copy names none.
func TestFrom(t *testing.T) {
	day := func(n int) Days { return Days{n, n, true} }
	from := func(dates map[string]Days, alignments ...commonplace.Alignment) (got []string) {
		var f Finder
		for _, a := range alignments {
			f.Add(a)
		}
		for _, c := range f.Clusters(func(id string) Days { return dates[id] }) {
			got = append(got, fmt.Sprintf("%s<%s:%d-%d", c.DocID, c.FromID, c.FromBegin, c.FromEnd))
		}
		return got
	}
	chain := []commonplace.Alignment{match("a", 0, 100, "b", 0, 100, .8), match("c", 0, 99, "b", 0, 100, 1), match("a", 2, 100, "c", 0, 100, .9)}
	for _, c := range []struct {
		name  string
		dates map[string]Days
		want  string
	}{
		{"by date, the more alike", map[string]Days{"a": day(1), "c": day(2), "b": day(3)}, "a<:0-0 b<c:0-99 c<a:2-100"},
		{"whichever side quotes", map[string]Days{"b": day(1), "c": day(2), "a": day(3)}, "a<c:0-100 b<:0-0 c<b:0-100"},
		{"without dates the likely source is first", nil, "a<c:0-100 b<c:0-99 c<:0-0"},
	} {
		if got := strings.Join(from(c.dates, chain...), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		slices.Reverse(chain)
	}
	// Of two copies of one date none is earlier, whatever their names; the likely source is.
	same := map[string]Days{"a": day(1), "b": day(1), "c": day(2)}
	for want, all := range map[string][]commonplace.Alignment{
		"a<:0-0 b<:0-0":               {match("a", 0, 100, "b", 0, 100, 1)},
		"a<b:0-100 b<:0-0 c<b:0-100":  {match("a", 0, 100, "b", 0, 100, .9), match("b", 0, 100, "c", 0, 100, 1)},
		"a<:0-0 b<:0-0 c<a:0-100":     {match("a", 0, 100, "c", 0, 100, 1), match("b", 0, 100, "c", 0, 100, 1)},
		"a<:0-0 d<a:0-100 e<a:0-100":  {match("a", 0, 100, "d", 0, 100, .8), match("a", 0, 100, "e", 0, 100, .8), match("d", 0, 100, "e", 0, 100, 1)},
		"a<:0-0 a<:0-0 b<:0-0 b<:0-0": {match("a", 0, 800, "b", 0, 800, 1), match("a", 0, 100, "b", 5, 105, 1)},
	} {
		if got := strings.Join(from(same, all...), " "); got != want {
			t.Errorf("of one date: %s, want %s", got, want)
		}
	}
	// b has all of a's page, and c only its first sentence: b's copy of the sentence is from a, too.
	page := []commonplace.Alignment{match("a", 400, 1200, "b", 100, 900, 1), match("a", 400, 550, "c", 0, 150, 1), match("b", 100, 250, "c", 0, 150, 1)}
	want := "a<:0-0 a<:0-0 b<a:400-550 b<a:400-1200 c<a:400-550"
	if got := strings.Join(from(map[string]Days{"a": day(1), "b": day(2), "c": day(3)}, page...), " "); got != want {
		t.Errorf("in a longer match: %s, want %s", got, want)
	}
}

// The clusters are those of a slow search that follows every alignment, in any order.
func TestClustersAreComponents(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var all []commonplace.Alignment
		for range 1 + r.IntN(30) {
			a, b := r.IntN(6), r.IntN(6)
			begin, other := int64(r.IntN(4)*1000), int64(r.IntN(4)*1000) // places that are equal or apart
			all = append(all, match(fmt.Sprint("d", a), begin, begin+100, fmt.Sprint("d", b), other, other+100, r.Float64()))
		}
		got := clustersOf(nil, all...)
		r.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		if again := clustersOf(nil, all...); !slices.Equal(got, again) {
			t.Fatalf("seed %d: another order gives\n%s\nfor\n%s", seed, strings.Join(again, "\n"), strings.Join(got, "\n"))
		}
		of := map[string]string{}
		for _, row := range got {
			f := strings.Fields(row)
			of[f[2]] = f[0]
		}
		side := func(id string, begin int64) string { return fmt.Sprintf("%s:%d-%d", id, begin, begin+100) }
		near := map[string][]string{}
		for _, a := range all {
			if a.SourceID != a.DerivedID {
				x, y := side(a.SourceID, a.SourceBegin), side(a.DerivedID, a.DerivedBegin)
				near[x], near[y] = append(near[x], y), append(near[y], x)
			}
		}
		for x := range near {
			reached := map[string]bool{x: true}
			for queue := []string{x}; len(queue) > 0; queue = queue[1:] {
				for _, y := range near[queue[0]] {
					if !reached[y] {
						reached[y] = true
						queue = append(queue, y)
					}
				}
			}
			for y := range near {
				if reached[y] != (of[x] == of[y]) {
					t.Fatalf("seed %d: %s and %s: reached %v, clusters %s and %s", seed, x, y, reached[y], of[x], of[y])
				}
			}
		}
	}
}
