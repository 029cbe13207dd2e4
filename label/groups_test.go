package label

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// grouping is that of quotes and stretches.
func grouping(t *testing.T, quotes []commonplace.Quote, stretches []Stretch, works map[string]string) *Grouping {
	t.Helper()
	from := NewGrouper(works, "")
	for _, q := range quotes {
		if err := from.Quote(q); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range stretches {
		if err := from.Stretch(s); err != nil {
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

// groupQuotes names the group of each quote: of a stretch that only it was found in.
func groupQuotes(t *testing.T, quotes []commonplace.Quote) map[string]string {
	t.Helper()
	var stretches []Stretch
	for _, q := range quotes {
		stretches = append(stretches, Stretch{DocID: q.ID, End: 1, Text: "only in " + q.ID, Quotes: []string{q.ID}})
	}
	g, groups := grouping(t, quotes, stretches, nil), map[string]string{}
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

func TestClusters(t *testing.T) {
	row := func(id, source string, begin, end int64) commonplace.Alignment {
		return commonplace.Alignment{ID: id, SourceID: source, SourceBegin: begin, SourceEnd: end}
	}
	got := Clusters([]commonplace.Alignment{
		row("late", "x", 60, 80), row("whole", "x", 0, 100), row("shifted", "x", 95, 200), row("touching", "x", 200, 210),
		row("y", "y", 60, 80), row("half", "x", 150, 250), row("y2", "y", 61, 79),
	})
	for id, want := range map[string]string{
		"whole": "x:0-100", "late": "x:0-100", // inside
		"shifted": "x:95-250", "half": "x:95-250", "touching": "x:95-250", // a chain of halves
		"y": "y:60-80", "y2": "y:60-80",
	} {
		if got[id] != want {
			t.Errorf("%s is in %s, want %s", id, got[id], want)
		}
	}
}

func TestLeakCheck(t *testing.T) {
	c := NewLeakCheck("quote")
	for range 2 {
		c.Add("a", Train)
		c.Add("b", Test)
	}
	if err := c.Err(); err != nil || c.Keys() != 2 {
		t.Fatalf("no leak yet: %v", err)
	}
	c.Add("b", Train)
	c.Add("c", Train)
	c.Add("b", Validation)
	want := `1 of 3 quotes are in more than one split: "b" in test and train and validation; nothing was committed: group what belongs together before it is split`
	if err := c.Err(); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	for i := range 9 {
		c.Add(fmt.Sprint("k", i), Train)
		c.Add(fmt.Sprint("k", i), Test)
	}
	if err := c.Err(); !strings.Contains(err.Error(), "10 of 12") || !strings.Contains(err.Error(), "and 5 more") {
		t.Error(err)
	}
}

// Examples by the default split never leak a quote; by example they do, and the
// check sees it.
func TestDefaultSplitDoesNotLeak(t *testing.T) {
	doc := commonplace.Document{ID: "b", Text: strings.Repeat("now is the time ", 40)}
	var rows []commonplace.Alignment
	for i := range 40 {
		rows = append(rows, at(doc, fmt.Sprint("q", i%3), 16*i, 16*i+15))
	}
	for by, leaks := range map[string]bool{ByQuote: false, ByDocument: false, ByExample: true} {
		o := Defaults()
		o.Split.By = by
		examples, _ := Triples(doc, cut(doc, 9), rows, o)
		c := NewLeakCheck("quote")
		for _, e := range examples {
			c.Add(e.QuoteID, e.Split)
		}
		if (c.Err() != nil) != leaks || c.Keys() != 3 {
			t.Errorf("by %s: %v", by, c.Err())
		}
	}
}

func TestDateSplit(t *testing.T) {
	for day, want := range map[string]string{
		"2009-01-01": Train, "2012-11-07": Train, "2012-11-07T23:59:59Z": Train, "2012-11-08": Validation,
		"2013-06-19": Validation, "2013-06-20": Test, "2014-12-31": Test,
		"2008-12-31": "", "2015-01-01": "", "": "", "2012-02-30": "", "yesterday!": "",
	} {
		if got, err := QuotusDates.Of(day); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", day, got, err)
		}
	}
	if err := QuotusDates.Validate(); err != nil {
		t.Error(err)
	}
	bad := QuotusDates
	bad.ValidationLast = "2011-01-01"
	if err := bad.Validate(); err == nil || !strings.Contains(err.Error(), "2012-11-07 comes after 2011-01-01") {
		t.Error(err)
	}
	bad.TestLast = "2014"
	if (DateSplit{}).Validate() == nil || bad.Validate() == nil {
		t.Error("what is no day was taken")
	}
}
