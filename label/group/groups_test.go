package group

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// grouping is that of quotes and regions.
func grouping(t *testing.T, quotes []commonplace.Quote, regions []Region, works map[string]string) *Grouping {
	t.Helper()
	from := NewGrouper(works, "")
	for _, q := range quotes {
		if err := from.Quote(q); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range regions {
		if err := from.Region(s); err != nil {
			t.Fatal(err)
		}
	}
	g, err := from.Group(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := from.Close(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return g
}

// groupOf is the row of an alignment.
func groupOf(t *testing.T, g *Grouping, a commonplace.Alignment) commonplace.Group {
	t.Helper()
	row, err := g.Of(a)
	if err != nil {
		t.Fatal(err)
	}
	return row
}

// groupQuotes names the group of each quote: of a region that only it was found in.
func groupQuotes(t *testing.T, quotes []commonplace.Quote) map[string]string {
	t.Helper()
	var regions []Region
	for _, q := range quotes {
		regions = append(regions, Region{DocID: q.ID, End: 1, Text: "only in " + q.ID, Quotes: []string{q.ID}})
	}
	g, groups := grouping(t, quotes, regions, nil), map[string]string{}
	for _, q := range quotes {
		groups[q.ID] = groupOf(t, g, commonplace.Alignment{SourceID: q.ID, SourceEnd: 1, QuoteID: q.ID}).Group
	}
	return groups
}

func TestGroupQuotes(t *testing.T) {
	groups := groupQuotes(t, []commonplace.Quote{
		{ID: "1", Text: "To be, or not to be: that is the question"},
		{ID: "2", Text: "“TO BE or\nnot to be”—that is the question!"},
		{ID: "cut", Text: "or not to be: that is"},
		{ID: "changed", Text: "To be, or not to be: that was the question"},
		{ID: "other", Text: "All the world's a stage"},
		{ID: "shares", Text: "that is the question of all the world in our day and time"},
		{ID: "short", Text: "To be"},
		{ID: "short2", Text: "to BE"},
		{ID: "kill", Text: "Thou shalt not kill"},
		{ID: "steal", Text: "Thou shalt not steal"},
		{ID: "none", Text: "?!"},
		{ID: "none2", Text: "…"},
	})
	for _, c := range []struct {
		a, b     string
		together bool
	}{
		{"1", "2", true}, {"1", "cut", true}, {"1", "changed", true}, {"short", "short2", true},
		{"1", "other", false}, {"kill", "steal", false}, {"1", "shares", false}, {"1", "short", false}, {"none", "none2", false}, {"other", "shares", false},
	} {
		if (groups[c.a] == groups[c.b]) != c.together {
			t.Errorf("%s in %q, %s in %q", c.a, groups[c.a], c.b, groups[c.b])
		}
	}
	if groups["1"] != "or not to be that is" {
		t.Errorf("the group is named %q, want its first text in alphabetical order", groups["1"])
	}
}

func TestGroupsAgainstTheObviousWay(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 100 {
		var quotes []commonplace.Quote
		for i := range 25 {
			var words []string
			for range 1 + r.IntN(10) {
				words = append(words, string(rune('a'+r.IntN(3))))
			}
			quotes = append(quotes, commonplace.Quote{ID: fmt.Sprint(i), Text: strings.Join(words, " ")})
		}
		// Colours: give the smaller to any two that are near until nothing changes.
		colour := make([]int, len(quotes))
		for i := range colour {
			colour[i] = i
		}
		for changed := true; changed; {
			changed = false
			for i := range quotes {
				for k := range quotes {
					a, b, n := shinglesOf(quotes[i].Text, shingleWords), shinglesOf(quotes[k].Text, shingleWords), 0
					for _, s := range a {
						for _, u := range b {
							if s == u {
								n++
							}
						}
					}
					if (n >= 3 && 2*n >= min(len(a), len(b)) || quotes[i].Text == quotes[k].Text) && colour[i] > colour[k] {
						colour[i], changed = colour[k], true
					}
				}
			}
		}
		groups := groupQuotes(t, quotes)
		for i := range quotes {
			if groups[quotes[i].ID] > quotes[i].Text {
				t.Fatalf("the group of %q is named %q, which comes after it", quotes[i].Text, groups[quotes[i].ID])
			}
			for k := range quotes {
				if (colour[i] == colour[k]) != (groups[quotes[i].ID] == groups[quotes[k].ID]) {
					t.Fatalf("%q and %q: %q, %q", quotes[i].Text, quotes[k].Text, groups[quotes[i].ID], groups[quotes[k].ID])
				}
			}
		}
	}
}
