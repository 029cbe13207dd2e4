package group

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label"
)

// foundIn is an alignment of words that stand in a text.
func foundIn(t *testing.T, doc commonplace.Document, quote, derived, words string) commonplace.Alignment {
	t.Helper()
	at := strings.Index(doc.Text, words)
	if at < 0 {
		t.Fatalf("%s has no %q", doc.ID, words)
	}
	begin := int64(len([]rune(doc.Text[:at])))
	a := commonplace.Alignment{QuoteID: quote, DerivedID: derived, SourceID: doc.ID, SourceBegin: begin, SourceEnd: begin + int64(len([]rune(words))), SourceText: words, Similarity: 1}
	a.ID = fmt.Sprint(a.SourceID, a.SourceBegin, a.SourceEnd, quote, derived)
	return a
}

func TestGrouping(t *testing.T) {
	first := commonplace.Document{ID: "first", Text: "It was évident to all that a wise man hears one word and understands two. Nobody said so, and the rain fell on the roofs of the town all night."}
	again := commonplace.Document{ID: "again", Text: "Preface. Nobody said so, and the rain fell upon the roofs of the town all night. Nothing else is in this one but what follows from it."}
	quotes := []commonplace.Quote{
		{ID: "wise", Text: "A wise man hears one word and understands two"},
		{ID: "two", Text: "understands two. Nobody said so, and the"}, // overlaps wise in first, no near-duplicate
		{ID: "else", Text: "Nothing else is in this one"},
	}
	rows := map[string]commonplace.Alignment{
		"wise":    foundIn(t, first, "wise", "", "a wise man hears one word and understands two"),
		"two":     foundIn(t, first, "two", "", "understands two. Nobody said so, and the"),
		"essay":   foundIn(t, first, "", "essay", "and the rain fell on the roofs of the town"), // overlaps two by "and the"
		"alone":   foundIn(t, first, "", "note", "It was évident to all that"),
		"other":   foundIn(t, again, "", "tale", "so, and the rain fell upon the roofs of the town"), // says what essay says
		"else":    foundIn(t, again, "else", "", "Nothing else is in this one"),
		"follows": foundIn(t, again, "", "tract", "what follows from it"),
	}
	var all []Region
	for _, doc := range []commonplace.Document{again, first} {
		var of []commonplace.Alignment
		for _, a := range rows {
			of = append(of, a)
		}
		all = append(all, Regions(doc, of)...)
	}
	if len(all) != 5 {
		t.Fatalf("regions: %+v", all)
	}
	g := grouping(t, quotes, all, map[string]string{"again": "a work", "first": "first"})
	for name, want := range map[string]string{
		"wise": "a wise man hears one word and understands two", "two": "a wise man hears one word and understands two",
		"essay": "a wise man hears one word and understands two", "other": "a wise man hears one word and understands two",
		"alone": "first", "else": "nothing else is in this one", "follows": "a work",
	} {
		if got := groupOf(t, g, rows[name]); got.Group != want {
			t.Errorf("%s is in %q, want %q", name, got.Group, want)
		}
	}
}

// Whatever spans and texts there are: two alignments of one source that share a
// character are in one group, and so are two that are of one quote or whose words
// are equal.
func TestGroupingLeaksNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	most := 0
	for round := range 60 {
		var quotes []commonplace.Quote
		var regions []Region
		var rows []commonplace.Alignment
		for i := range 6 {
			quotes = append(quotes, commonplace.Quote{ID: fmt.Sprint("q", i), Text: randomWords(r, 3+r.IntN(6))})
		}
		for d := range 4 {
			doc := commonplace.Document{ID: fmt.Sprint("d", d), Text: randomWords(r, 60) + sentence(r, 60)}
			offsets := commonplace.NewOffsets(doc.Text)
			var of []commonplace.Alignment
			for i := range 8 {
				begin := r.IntN(offsets.Len() - 30)
				a := commonplace.Alignment{ID: fmt.Sprint(doc.ID, "/", i), SourceID: doc.ID, SourceBegin: int64(begin), SourceEnd: int64(begin + 1 + r.IntN(29))}
				a.SourceText = offsets.Slice(commonplace.Span{Begin: int(a.SourceBegin), End: int(a.SourceEnd)})
				if i%2 == 0 {
					a.QuoteID = quotes[r.IntN(len(quotes))].ID
				} else { // one passage may be found in several sources
					a.DerivedID, a.DerivedBegin = "e", int64(r.IntN(20))
					a.DerivedEnd = a.DerivedBegin + 5
				}
				of = append(of, a)
			}
			regions = append(regions, Regions(doc, of)...)
			rows = append(rows, of...)
		}
		g, groups := grouping(t, quotes, regions, nil), map[string]bool{}
		for _, a := range rows {
			groups[groupOf(t, g, a).Group] = true
			for _, b := range rows {
				overlap := a.SourceID == b.SourceID && a.SourceBegin < b.SourceEnd && b.SourceBegin < a.SourceEnd
				words := label.Normalise(a.SourceText)
				same := overlap || label.QuoteID(a) == label.QuoteID(b) || words != "" && words == label.Normalise(b.SourceText)
				if same && groupOf(t, g, a).Group != groupOf(t, g, b).Group {
					t.Fatalf("round %d: %+v in %q, %+v in %q", round, a, groupOf(t, g, a).Group, b, groupOf(t, g, b).Group)
				}
			}
		}
		most = max(most, len(groups))
	}
	if most < 2 {
		t.Error("all is one group: no test of grouping")
	}
}

// A line that stands in two books, and in each inside something longer that
// others quote: the regions are neither equal nor near, and what was found in
// them is the same.
func TestGroupingSeesInsideStretches(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	line, phrase := sentence(r, 24), sentence(r, 3)
	text := func(id string) (commonplace.Document, string) {
		wide := sentence(r, 60) + " " + line + " " + sentence(r, 60)
		return commonplace.Document{ID: id, Text: "Before. " + wide + " after it. " + sentence(r, 80) + " " + phrase + " " + sentence(r, 80)}, wide
	}
	one, wideOne := text("one")
	two, wideTwo := text("two")
	end := func(doc commonplace.Document, at int) string { // around the phrase
		i := strings.LastIndex(doc.Text, phrase)
		return doc.Text[i-at : i+len(phrase)+at]
	}
	for name, c := range map[string]struct {
		quotes []commonplace.Quote
		a, b   commonplace.Alignment
		wide   []commonplace.Alignment
	}{
		"one passage of an essay": {
			a:    foundIn(t, one, "", "essay", line),
			b:    foundIn(t, two, "", "essay", line[:len(line)/2]),
			wide: []commonplace.Alignment{foundIn(t, one, "", "wide", wideOne), foundIn(t, two, "", "other", wideTwo)},
		},
		"equal words of two essays": {
			a:    foundIn(t, one, "", "essay", line),
			b:    foundIn(t, two, "", "tract", line),
			wide: []commonplace.Alignment{foundIn(t, one, "", "wide", wideOne), foundIn(t, two, "", "other", wideTwo)},
		},
		"three words that two quotes were found by": {
			quotes: []commonplace.Quote{{ID: "q1", Text: sentence(r, 9)}, {ID: "q2", Text: sentence(r, 9)}},
			a:      foundIn(t, one, "q1", "", phrase),
			b:      foundIn(t, two, "q2", "", phrase),
			wide:   []commonplace.Alignment{foundIn(t, one, "", "wide", end(one, 90)), foundIn(t, two, "", "other", end(two, 80))},
		},
		"three words that are a quote": {
			quotes: []commonplace.Quote{{ID: "listed", Text: phrase}},
			a:      foundIn(t, one, "listed", "", sentenceAt(one.Text, 4)),
			b:      foundIn(t, two, "", "tract", phrase),
			wide:   []commonplace.Alignment{foundIn(t, two, "", "other", end(two, 80))},
		},
	} {
		var all []Region
		for _, doc := range []commonplace.Document{one, two} {
			all = append(all, Regions(doc, append([]commonplace.Alignment{c.a, c.b}, c.wide...))...)
		}
		g := grouping(t, c.quotes, all, nil)
		if a, b := groupOf(t, g, c.a).Group, groupOf(t, g, c.b).Group; a != b {
			t.Errorf("%s: %q and %q", name, a, b)
		}
	}
}

// sentenceAt is four words of a text, from the word with the number i.
func sentenceAt(text string, i int) string {
	return strings.Join(strings.Fields(text)[i:i+4], " ")
}

// Marks are no words: what says nothing is equal to nothing.
func TestGroupingOfMarks(t *testing.T) {
	rows := []commonplace.Alignment{}
	var all []Region
	for _, id := range []string{"one", "two"} {
		doc := commonplace.Document{ID: id, Text: "A rain … of marks"}
		rows = append(rows, foundIn(t, doc, "", "essay of "+id, "…"))
		all = append(all, Regions(doc, rows)...)
	}
	g := grouping(t, nil, all, nil)
	if a, b := groupOf(t, g, rows[0]).Group, groupOf(t, g, rows[1]).Group; a == b {
		t.Errorf("both are in %q", a)
	}
}

// A book more, or an essay more, leaves every other example where it was.
func TestGroupingIsStable(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var quotes []commonplace.Quote
	for i := range 200 {
		quotes = append(quotes, commonplace.Quote{ID: fmt.Sprint("q", i), Text: sentence(r, 8)})
	}
	book := func(id string) (commonplace.Document, []commonplace.Alignment) {
		doc := commonplace.Document{ID: id}
		var rows []commonplace.Alignment
		for i := range 40 {
			q := quotes[r.IntN(len(quotes))]
			doc.Text += sentence(r, 12) + " "
			begin := int64(len(doc.Text))
			doc.Text += q.Text
			a := commonplace.Alignment{ID: fmt.Sprint(id, "/", i), SourceID: id, SourceBegin: begin, SourceEnd: int64(len(doc.Text)), QuoteID: q.ID}
			if doc.Text += " "; i%3 == 0 {
				a.QuoteID, a.DerivedID = "", "essay"
				a.SourceBegin -= 20 // the essay quotes some words before it too
			}
			rows = append(rows, a)
		}
		return doc, rows
	}
	group := func(books int) map[string]string {
		r = rand.New(rand.NewPCG(9, 10))
		var regions []Region
		var rows []commonplace.Alignment
		for i := range books {
			doc, of := book(fmt.Sprint("book", i))
			regions, rows = append(regions, Regions(doc, of)...), append(rows, of...)
		}
		g, out := grouping(t, quotes, regions, nil), map[string]string{}
		for _, a := range rows {
			out[a.ID] = groupOf(t, g, a).Group
		}
		return out
	}
	before, after := group(12), group(13)
	if len(after) != len(before)+40 {
		t.Fatalf("%d and %d", len(before), len(after))
	}
	for id, was := range before {
		if after[id] != was {
			t.Errorf("%s was in %q, is in %q", id, was, after[id])
		}
	}
}

func randomWords(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(string([]string{"ab", "cd", "éf", "gh", "ij"}[r.IntN(5)]) + " ")
	}
	return b.String()
}

// sentence is words that hardly come twice.
func sentence(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		fmt.Fprintf(&b, "w%d ", r.IntN(1_000_000))
	}
	return strings.TrimSpace(b.String())
}

func TestWorks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	book, other := sentence(r, 30000), sentence(r, 8000)
	edited := strings.Fields(book)
	for i := 0; i < len(edited); i += 40 { // one word in forty: 8 of 40 runs go
		edited[i] = "changed"
	}
	licence := sentence(r, 3000)
	texts := map[string]string{
		"a-book": book + " " + licence, "b-edition": "Preface. " + sentence(r, 2000) + strings.ToUpper(strings.Join(edited, ",\n")),
		"c-part": strings.Join(strings.Fields(book)[12000:15000], " "), "d-other": other + " " + licence,
		"e-short": "Nothing but this.", "f-short": "Nothing but this.", "g-empty": "",
	}
	finder, err := NewWorkFinder("")
	if err != nil {
		t.Fatal(err)
	}
	defer finder.Close()
	ids := []string{"a-book", "b-edition", "c-part", "d-other", "e-short", "f-short", "g-empty"}
	sketches := map[string]Sketch{}
	for _, i := range r.Perm(len(ids)) { // the order does not matter
		sketches[ids[i]] = SketchOf(texts[ids[i]])
		if err := finder.Add(ids[i], sketches[ids[i]]); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := finder.Works()
	if err != nil || len(rows) != len(ids) {
		t.Fatal(rows, err)
	}
	for i, row := range rows {
		want, editions := "a-book", int64(3)
		if i > 2 {
			want, editions = ids[i], 1
		}
		if row.DocID != ids[i] || row.Work != want || row.Editions != editions {
			t.Errorf("%+v, want work %s of %d", row, want, editions)
		}
	}
	if s := sketches["a-book"].Shared(sketches["b-edition"]); s < 0.6 || s > 0.95 {
		t.Errorf("the edition shares %v", s)
	}
	if s := sketches["a-book"].Shared(sketches["d-other"]); s < 0.15 || s > 0.4 { // 3,000 of 11,000 runs
		t.Errorf("the licence is %v of the shorter", s)
	}
}
