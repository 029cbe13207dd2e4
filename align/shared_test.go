package align

import (
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/ngrams"
)

// licence is a real licence text: this project's own.
func licence(t *testing.T) string {
	b, err := os.ReadFile("../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestBoilerplateIsReportedOnce(t *testing.T) {
	c := made()
	o := Defaults()
	text := licence(t)
	words := strings.Fields(text)
	stats := NewStats(o)
	var docs []commonplace.Document
	for i := range 60 {
		book := c.books[i%len(c.books)].Text
		d := document(fmt.Sprintf("vol-%02d", (i*37)%60), strings.ToValidUTF8(book[i*400:i*400+8000], "")+"\n\n"+text)
		docs = append(docs, d)
		stats.Count(d)
	}
	r := rand.New(rand.NewPCG(5, 6))
	clause := strings.Join(words[60:110], " ")
	quote := strings.Fields(docs[7].Text)[600:630]
	derived := essay(r, c, 0)
	derived.Text += "\n\n" + clause + "\n\n" + derived.Text + " “" + strings.Join(quote, " ") + "” " + derived.Text
	var want []commonplace.Alignment
	for _, n := range []int{1, 2, 5} {
		var found []Candidate
		for k := range n {
			found = append(found, openPart(t, docs[len(docs)*k/n:len(docs)*(k+1)/n], stats, o).Find(derived)...)
		}
		rows := Merge(found, o)
		if n == 1 {
			want = rows
		} else if !reflect.DeepEqual(rows, want) {
			t.Errorf("%d parts give other rows: %d, one gives %d", n, len(rows), len(want))
		}
	}
	var shared []commonplace.Alignment
	for _, a := range want {
		if a.Places > ngrams.LongLimit {
			shared = append(shared, a)
		}
		source := docs[slices.IndexFunc(docs, func(d commonplace.Document) bool { return d.ID == a.SourceID })]
		checkSpans(t, a, derived.Text, source.Text)
	}
	for _, a := range want {
		t.Logf("%s %d places %.1f bits sim %.2f %q", a.SourceID, a.Places, a.Score, a.Similarity, a.DerivedText)
	}
	if len(shared) != 1 {
		t.Fatalf("boilerplate of 60 documents reported %d times, of %d finds", len(shared), len(want))
	}
	if a := shared[0]; a.Similarity < 0.99 || a.Places < 50 || !strings.Contains(a.DerivedText, strings.Join(words[70:100], " ")) {
		t.Errorf("boilerplate is %+v", a)
	}
	if len(want) < 2 {
		t.Error("the quotation beside the boilerplate was not found")
	}
}

// Where only older documents are quoted, the copy of boilerplate that is searched for is
// that of the oldest document: each of the others may quote it.
func TestTheOldestRepresentsBoilerplate(t *testing.T) {
	c := made()
	text := licence(t)
	clause := text[len(text)/2:][:200]
	for _, same := range []bool{false, true} {
		o := Defaults()
		o.OldestFirst = true
		stats := NewStats(o)
		var docs []commonplace.Document
		for i := range 60 {
			book := c.books[i%len(c.books)].Text
			d := document(fmt.Sprintf("vol-%02d", (i*37)%60), strings.ToValidUTF8(book[i*400:i*400+8000], "")+"\n\n"+text)
			switch {
			case same && i%10 == 3:
			case same:
				d.Date = "1871-05-06"
			default:
				d.Date = fmt.Sprintf("%d-%02d", 1850+(i*17)%60, 1+i%12)
			}
			docs = append(docs, d)
			stats.Count(d)
		}
		p := openPart(t, docs, stats, o)
		dates := map[string]string{}
		for _, d := range docs {
			dates[d.ID] = d.Date
		}
		sources := 0
		for _, d := range docs {
			allowed := slices.DeleteFunc(p.Find(d), func(a Candidate) bool { return a.SourceID == d.ID || d.Date != "" && dates[a.SourceID] > d.Date })
			if slices.ContainsFunc(Merge(allowed, o), func(a commonplace.Alignment) bool { return strings.Contains(a.DerivedText, clause) }) {
				sources++
			}
		}
		if sources < 59 { // all but the oldest
			t.Errorf("one day %v: %d of 60 documents quote an older one", same, sources)
		}
	}
}

// The copies of a text must not make its own words look common.
func TestAllEditionsAreFoundAndGrouped(t *testing.T) {
	c := made()
	o := Defaults()
	r := rand.New(rand.NewPCG(8, 9))
	for _, editions := range []int{1, 2, 5, 12} {
		stats := NewStats(o)
		var docs []commonplace.Document
		for e := range editions {
			for _, b := range c.books {
				d := document(fmt.Sprintf("%s-ed%02d", b.ID, e), strings.Repeat("Preface of another kind. ", e)+b.Text)
				docs = append(docs, d)
				stats.Count(d)
			}
		}
		p := openPart(t, docs, stats, o)
		found := 0
		const tries = 30
		for range tries {
			_, q := c.Cut(r, 12)
			d := essay(r, c, 0)
			d.Text += "“" + q + "” " + d.Text
			rows := Merge(p.Find(d), o)
			if len(rows) == editions {
				found++
			}
			for _, a := range rows {
				if editions > 1 && a.Group != rows[0].Group || a.Places != int64(len(rows)) {
					t.Fatalf("%d editions: place %q is in group %q, of %d places", editions, a.ID, a.Group, a.Places)
				}
			}
		}
		if found < tries*9/10 {
			t.Errorf("%d editions: all were found for %d of %d quotations of twelve words", editions, found, tries)
		}
	}
}
