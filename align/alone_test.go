package align

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/aligntest"
	"github.com/commonplace/commonplace/align/merge"
)

// listOfNeighbours is quotes that could know each other in a list: the same words under
// several ids, longer and shorter, damaged alike, with ellipses, colons and brackets at their
// ends, and what begins where another ends.
func listOfNeighbours(r *rand.Rand, c *corpus, n int) []commonplace.Quote {
	var texts []string
	for len(texts) < n {
		b := c.books[r.IntN(len(c.books))].Text
		f := strings.Fields(b[r.IntN(len(b)/2):])
		k := 4 + r.IntN(25)
		some := func(from, to int) string { return strings.Join(f[1+from:1+to], " ") }
		q, every := some(0, k), []int{1 << 30, 1 << 30, 12, 6}[r.IntN(4)]
		switch r.IntN(9) {
		case 0:
			texts = append(texts, aligntest.Damage(r, q, every), aligntest.Damage(r, some(0, k+3), every), aligntest.Damage(r, some(3, k+3), every))
		case 1:
			texts = append(texts, aligntest.Damage(r, q, every)+" ...", "… "+aligntest.Damage(r, some(k+4, 2*k+4), every), aligntest.Damage(r, some(k, 2*k), every))
		case 2:
			texts = append(texts, "who said it: "+aligntest.Damage(r, q, every), aligntest.Damage(r, some(k, 2*k), every)+":")
		case 3:
			texts = append(texts, aligntest.Damage(r, q, every)+" [and", "so] on", aligntest.Damage(r, some(k, k+9), every)+" [sic] "+some(k+9, k+14))
		case 4: // split within a sentence, or a word
			at := len(q) / 2
			texts = append(texts, q[:at], q[at:])
		case 5: // what one says is a misprint, is said again by another
			w := strings.Fields(aligntest.Damage(r, q, 9))
			texts = append(texts, strings.Join(w, " "), strings.Join(w[1:], " "), strings.Join(w[2:], " ")+" "+w[0])
		case 6: // repeats itself
			texts = append(texts, strings.Repeat(some(0, 3)+" ", 100)+q)
		default:
			texts = append(texts, aligntest.Damage(r, q, every))
		}
		if r.IntN(3) == 0 {
			texts = append(texts, texts[r.IntN(len(texts))])
		}
	}
	var quotes []commonplace.Quote
	for i, text := range texts {
		quotes = append(quotes, commonplace.Quote{ID: fmt.Sprintf("q%d", i), Text: text})
	}
	return quotes
}

// inList is what is found of every quote when all are looked for together.
func inList(t testing.TB, quotes []commonplace.Quote, docs []commonplace.Document, stats *Stats, o Options) map[string][]commonplace.Alignment {
	t.Helper()
	l, err := NewQuoteList(quotes, stats, o)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]commonplace.Alignment{}
	for _, d := range docs {
		for _, a := range l.Find(d) {
			found[a.QuoteID] = append(found[a.QuoteID], a)
		}
	}
	return found
}

// What is found of a quote is the same in any list, in any order, however often it or
// others stand there: it is what a list of that quote alone gives.
func TestQuotesDoNotKnowEachOther(t *testing.T) {
	c := made()
	o := Defaults()
	r := rand.New(rand.NewPCG(71, 72))
	docs := append(slices.Clone(c.books), document("lines", strings.ReplaceAll(c.books[1].Text[:9000], " ", strings.Repeat(" ", 400))))
	found := 0
	for range 4 {
		quotes := listOfNeighbours(r, c, 60)
		alone := map[string][]commonplace.Alignment{}
		for _, q := range quotes {
			for id, rows := range inList(t, []commonplace.Quote{q}, docs, c.stats, o) {
				alone[id] = rows
				found += len(rows)
			}
		}
		check := func(what string, list []commonplace.Quote) {
			together := inList(t, list, docs, c.stats, o)
			for _, q := range list {
				if !reflect.DeepEqual(together[q.ID], alone[q.ID]) {
					t.Errorf("%s: %q gives %d rows, alone %d", what, q.Text, len(together[q.ID]), len(alone[q.ID]))
				}
			}
		}
		check("in order", quotes)
		for range 3 {
			list := slices.Clone(quotes)
			r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			check("shuffled", list)
			check("some of them", list[:1+r.IntN(len(list))])
			for range 100 { // the same entry again
				list = slices.Insert(list, r.IntN(len(list)), list[r.IntN(len(list))])
			}
			check("again and again", list)
		}
		// Under other ids: each gives the rows of the text.
		var copies []commonplace.Quote
		for n := range 300 {
			for _, q := range quotes {
				copies = append(copies, commonplace.Quote{ID: fmt.Sprintf("%s again %d", q.ID, n), Text: q.Text})
			}
		}
		for _, adjacent := range []bool{false, true} {
			if adjacent {
				slices.SortStableFunc(copies, func(a, b commonplace.Quote) int { return strings.Compare(a.Text, b.Text) })
			}
			together := inList(t, copies, docs[:2], c.stats, o)
			for _, q := range copies {
				id, _, _ := strings.Cut(q.ID, " ")
				want := slices.DeleteFunc(slices.Clone(alone[id]), func(a commonplace.Alignment) bool { return a.SourceID != docs[0].ID && a.SourceID != docs[1].ID })
				if len(together[q.ID]) != len(want) {
					t.Fatalf("300 copies, adjacent %v: %q gives %d rows, alone %d", adjacent, q.Text, len(together[q.ID]), len(want))
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("%d finds", found)
	}
}

// Lists as people keep them: highlights beside the same ones three words longer, every entry twice,
// one entry hundreds of times.
func TestCopiesInAListAreAllFound(t *testing.T) {
	c := made()
	o := Defaults()
	r := rand.New(rand.NewPCG(73, 74))
	var highlights, longer []commonplace.Quote
	for i := range 120 {
		b := i % 4
		f := strings.Fields(c.books[b].Text)
		at := 40 * (i / 4)
		for _, k := range []int{12, 15} {
			q := commonplace.Quote{ID: fmt.Sprintf("%d of %d words", i, k), Text: strings.Join(f[at:at+k], " ")}
			if k == 12 {
				highlights = append(highlights, q)
			}
			longer = append(longer, q)
		}
	}
	for _, list := range [][]commonplace.Quote{highlights, longer} {
		found := inList(t, list, c.books, c.stats, o)
		if len(found) != len(list) {
			t.Errorf("%d of %d highlights are found", len(found), len(list))
		}
		names := r.Perm(len(list))
		for i := range list {
			list[i].ID = fmt.Sprint(names[i])
		}
		if again := inList(t, list, c.books, c.stats, o); len(again) != len(found) {
			t.Errorf("%d of %d highlights are found under other names, %d before", len(again), len(list), len(found))
		}
	}
	var copies []commonplace.Quote
	for i := range 600 {
		copies = append(copies, commonplace.Quote{ID: fmt.Sprintf("copy %d", i), Text: highlights[0].Text},
			commonplace.Quote{ID: fmt.Sprintf("other %d", i), Text: highlights[1+i%100].Text})
	}
	if found := inList(t, copies, c.books[:4], c.stats, o); len(found) != len(copies) {
		t.Errorf("%d of %d are found, half of them the same", len(found), len(copies))
	}
	copies = nil
	for i := range 100_000 {
		copies = append(copies, commonplace.Quote{ID: fmt.Sprintf("copy %d", i), Text: highlights[0].Text})
	}
	if found := inList(t, copies, c.books[:1], c.stats, o); len(found) != len(copies) {
		t.Errorf("%d of %d copies are found", len(found), len(copies))
	}
}

// The lists that ship with configs: every quote alone gives what it gives in the list, and
// explain says of it what the rows say.
func TestExplainAgreesWithTheList(t *testing.T) {
	for _, c := range []struct {
		name, sources, quotes string
		every                 int // of that many documents one is asked about a quote that is not found there
	}{
		{"demo", filepath.Join("..", "testdata", "demo", "books", "*"), filepath.Join("..", "testdata", "demo", "quotes.jsonl"), 1},
		{"twain", filepath.Join("..", "..", "shared", "data", "twain", "*.txt.gz"), filepath.Join("..", "..", "shared", "data", "twain", "quotes.jsonl"), 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			docs, quotes := readTexts(t, c.sources), readQuotes(t, c.quotes)
			if len(docs) == 0 || testing.Short() && c.every > 1 {
				t.Skip("no shared data beside the checkout, or a short run")
			}
			o := Defaults()
			stats := NewStats(o)
			for _, d := range docs {
				stats.Count(d)
			}
			l, err := NewQuoteList(quotes, stats, o)
			if err != nil {
				t.Fatal(err)
			}
			asked, found := 0, 0
			for _, d := range docs {
				rows := map[string][]commonplace.Alignment{}
				for _, a := range l.Find(d) {
					rows[a.QuoteID] = append(rows[a.QuoteID], a)
				}
				for _, q := range quotes {
					asked++
					if len(rows[q.ID]) == 0 && asked%c.every != 0 {
						continue
					}
					found += len(rows[q.ID])
					e, err := Explain(q, d, stats, o)
					if err != nil {
						t.Fatal(err)
					}
					slices.SortFunc(rows[q.ID], merge.BestFirst)
					if e.Found != (len(rows[q.ID]) > 0) || e.Found && !reflect.DeepEqual(*e.Best, rows[q.ID][0]) {
						t.Errorf("%s in %s: %d rows in the list; explain says: %s", q.ID, d.ID, len(rows[q.ID]), e.Verdict)
					}
				}
			}
			if found == 0 {
				t.Error("nothing is found")
			}
		})
	}
}

func readTexts(t testing.TB, glob string) (docs []commonplace.Document) {
	t.Helper()
	names, _ := filepath.Glob(glob)
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var r io.Reader = f
		if strings.HasSuffix(name, ".gz") {
			if r, err = gzip.NewReader(f); err != nil {
				t.Fatal(err)
			}
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, document(filepath.Base(name), string(b)))
	}
	return docs
}

func readQuotes(t testing.TB, path string) (quotes []commonplace.Quote) {
	t.Helper()
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil
	} else if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var q commonplace.Quote
		if err := json.Unmarshal(s.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		quotes = append(quotes, q)
	}
	return quotes
}
