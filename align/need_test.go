package align

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// What of an entry has no partner is evidence against a find: fragments need more, and wholes less.
func TestCoverageIsEvidence(t *testing.T) {
	if whole, damaged, some, most := coverBits(0, 0), coverBits(0, 1), coverBits(1, 0), coverBits(5, 0); !(whole > damaged && damaged > some && some > most) {
		t.Errorf("%v %v %v %v", whole, damaged, some, most)
	}
	c := made()
	l := func(text string) (best commonplace.Alignment) {
		for _, rows := range inList(t, []commonplace.Quote{{ID: "q", Text: text}}, c.books, c.stats, Defaults()) {
			for _, a := range rows {
				if a.Score > best.Score {
					best = a
				}
			}
		}
		return best
	}
	words := strings.Fields(c.books[0].Text)[100:108]
	whole := strings.Join(words, " ")
	// The same words within an entry that has others, too.
	fragment := "Xaxa xexe xixi " + whole + " xoxo xuxu"
	a, b := l(whole), l(fragment)
	if a.Score == 0 || a.Score-b.Score != wholeBits-(missingBits+5*missingEach) && b.Score != 0 {
		t.Errorf("whole %.1f bits, as a part %.1f", a.Score, b.Score)
	}
	for _, text := range []string{"[" + whole[:1] + "]" + whole[1:], whole + " [sic]", strings.Join(words[:4], " ") + " [xaxa xexe] " + strings.Join(words[4:], " "), strings.ToUpper(whole) + "!"} {
		if got := l(text); math.Abs(got.Score-a.Score) > 3 {
			t.Errorf("%q has %.1f bits, without brackets %.1f", text, got.Score, a.Score)
		}
	}
}

// Names and titles as people write them.
func TestAttribution(t *testing.T) {
	for _, c := range []struct {
		author, work   string // of the quote
		docAuthor, doc string
		want           int
	}{
		{"G. Eliot", "", "Eliot, George", "Middlemarch", byAuthor},
		{"GEORGE ELIOT", "", "George Eliot", "Middlemarch", byAuthor},
		{"— by George Eliot", "", "Eliot, George, 1819-1880", "Middlemarch", byAuthor},
		{"Eliot", "", "Eliot, George", "Middlemarch", byAuthor},
		{"T. S. Eliot", "", "Eliot, George", "Middlemarch", elsewhere},
		{"Emily Brontë", "", "Brontë, Charlotte", "Jane Eyre", elsewhere},
		{"Bronte, Charlotte", "", "Charlotte Brontë", "Jane Eyre", byAuthor},
		{"", "Middlemarch, ch. 3", "Eliot, George", "Middlemarch", ofWork},
		{"", "*Middlemarch* (1871), p. 12", "Eliot, George", "Middlemarch: A Study of Provincial Life", ofWork},
		{"Eliot", "\"Middlemarch\"", "Eliot, George", "Middlemarch", ofWork},
		{"G. Eliot, Middlemarch", "", "Eliot, George", "Middlemarch", ofWork},
		{"Eliot", "Silas Marner", "Eliot, George", "Middlemarch", byAuthor},
		{"", "FOLLOWING THE EQUATOR, by Mark Twain", "Mark Twain (Samuel Clemens)", "Following the Equator: A Journey", ofWork},
		{"Mark Twain", "", "Mark Twain (Samuel Clemens)", "Roughing It", byAuthor},
		{"Samuel Clemens", "", "Mark Twain (Samuel Clemens)", "Roughing It", byAuthor},
		{"H. G. Wells", "", "Wells, H. G. (Herbert George)", "The Time Machine", byAuthor},
		{"Herbert George Wells", "", "Wells, H. G. (Herbert George)", "The Time Machine", byAuthor},
		{"Thomas Hardy", "Jude", "Wells, H. G.", "The Time Machine", elsewhere},
		{"", "", "Wells, H. G.", "The Time Machine", elsewhere},
		{"Anonymous", "It", "", "", elsewhere},
		{"Emma Goldman", "", "Austen, Jane", "Emma", elsewhere},
		{"Jane Austen: Emma", "", "Austen, Jane", "Emma", ofWork},
		{"Dickinson, Emily", "Poems", "Keats, John", "Poems", elsewhere},
		{"Horace Walpole", "", "Horace", "Works", elsewhere},
		{"Henry James Byron", "", "James, Henry", "The Ambassadors", elsewhere},
		{"J. S. Mill", "", "Mill, James", "Government", elsewhere},
		{"John Stuart Mill", "", "Mill, J. S.", "On Liberty", byAuthor},
		{"Samuel Langhorne Clemens", "", "Mark Twain (Samuel Clemens)", "Roughing It", byAuthor},
		{"Charles Dickens", "", "Dickens", "Hard Times", byAuthor},
		{"Friedrich Engels", "", "Marx, Karl; Engels, Friedrich", "Manifesto", byAuthor},
		{"Marx and Engels", "", "Marx, Karl; Engels, Friedrich", "Manifesto", byAuthor},
		{"Tennyson", "", "Alfred, Lord Tennyson", "Idylls", byAuthor},
		{"Mark Twain", "", "", "", elsewhere},
	} {
		a := newAttribution(keyOf(&commonplace.Quote{Author: c.author, Work: c.work}))
		n := namesOf(&commonplace.Document{ID: "d", Author: c.docAuthor, Title: c.doc})
		if got := a.of(&n); got != c.want {
			t.Errorf("%q, %q: %d for %q by %q, want %d", c.author, c.work, got, c.doc, c.docAuthor, c.want)
		}
	}
	file := namesOf(&commonplace.Document{ID: "eliot-george-the-mill-on-the-floss"})
	for q, want := range map[commonplace.Quote]int{{Author: "G. Eliot"}: byAuthor, {Work: "The Mill on the Floss, book 2"}: ofWork, {Author: "J. Austen", Work: "Emma"}: elsewhere} {
		if a := newAttribution(keyOf(&q)); a.of(&file) != want {
			t.Errorf("%+v is %d in the file %v, want %d", q, a.of(&file), file.file, want)
		}
	}
	for author, id := range map[string]string{"Mark Twain": "gospel-of-mark", "Stephen King": "king-john"} {
		n, a := namesOf(&commonplace.Document{ID: id}), newAttribution(keyOf(&commonplace.Quote{Author: author}))
		if a.of(&n) != elsewhere {
			t.Errorf("%s is by %s", id, author)
		}
	}
	n := namesOf(&commonplace.Document{ID: "d", EBook: 145})
	for _, q := range []commonplace.Quote{{EBook: 145}, {SourceID: "d"}} {
		if a := newAttribution(keyOf(&q)); a.of(&n) != ofWork {
			t.Errorf("%+v is not attributed", q)
		}
	}
}

// A quote needs less evidence where its list says it is from, and as much as ever elsewhere.
func TestAttributedQuotesNeedLess(t *testing.T) {
	c := made()
	docs := slices.Clone(c.books)
	for i := range docs {
		docs[i].Author, docs[i].Title = fmt.Sprintf("Anna Writer%c", 'a'+i), fmt.Sprintf("Story Number%c", 'a'+i)
	}
	more := map[string]int{}
	for n := range 300 {
		f := strings.Fields(docs[0].Text)
		text := strings.Join(f[10*n:10*n+2+n%2], " ")
		q := commonplace.Quote{ID: "q", Text: text}
		plain := inList(t, []commonplace.Quote{q}, docs, c.stats, Defaults())["q"]
		q.Author = "A. Writera"
		by := inList(t, []commonplace.Quote{q}, docs, c.stats, Defaults())["q"]
		q.Work, q.Author = "Story Numbera, p. 3", ""
		of := inList(t, []commonplace.Quote{q}, docs, c.stats, Defaults())["q"]
		for _, a := range by {
			want := map[bool]string{true: commonplace.AttributedTrue, false: commonplace.AttributedOther}[a.SourceID == docs[0].ID]
			if a.Attributed != want {
				t.Fatalf("%s in %s is attributed: %s", text, a.SourceID, a.Attributed)
			}
		}
		for _, a := range plain {
			if a.Attributed != commonplace.AttributedFalse {
				t.Fatalf("attributed: %s", a.Attributed)
			}
		}
		elsewhere := func(rows []commonplace.Alignment) (out []string) {
			for _, a := range rows {
				if a.SourceID != docs[0].ID {
					out = append(out, a.ID)
				}
			}
			return out
		}
		if !reflect.DeepEqual(elsewhere(plain), elsewhere(of)) {
			t.Fatalf("%q is found elsewhere %d times, without an attribution %d", text, len(elsewhere(of)), len(elsewhere(plain)))
		}
		more["plain"] += min(1, len(plain))
		more["by"] += min(1, len(by))
		more["of"] += min(1, len(of))
	}
	if !(more["plain"] < more["by"] && more["by"] <= more["of"]) {
		t.Errorf("found: %v", more)
	}
}

// The habit of a list changes what is reported, within bounds, and neither evidence nor places. A list of nonsense gains nothing.
func TestHabitOfAList(t *testing.T) {
	c := made()
	o := Defaults()
	o.MaxFalse = 0.05
	r := rand.New(rand.NewPCG(91, 92))
	var present, absent, short []commonplace.Quote
	for i := range 200 {
		_, long := c.Cut(r, 14)
		present = append(present, commonplace.Quote{ID: fmt.Sprint("p", i), Text: long})
		absent = append(absent, commonplace.Quote{ID: fmt.Sprint("a", i), Text: nonsense(r, 3)})
		_, few := c.Cut(r, 2+i%2)
		short = append(short, commonplace.Quote{ID: fmt.Sprint("s", i), Text: few})
	}
	found := func(o Options, lists ...[]commonplace.Quote) (map[string]commonplace.Alignment, *QuoteList) {
		l, err := NewQuoteList(slices.Concat(lists...), c.stats, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Learn(each(c.books)); err != nil {
			t.Fatal(err)
		}
		rows := map[string]commonplace.Alignment{}
		for _, d := range c.books {
			for _, a := range l.Find(d) {
				rows[a.ID] = a
			}
		}
		return rows, l
	}
	shortOf := func(rows map[string]commonplace.Alignment) (n int) {
		for id := range rows {
			if rows[id].QuoteID[0] == 's' {
				n++
			}
		}
		return n
	}
	plain, _ := found(Defaults(), present, short)
	likely, l := found(o, present, short)
	unlikely, m := found(o, absent, absent, short)
	if !(shortOf(likely) > shortOf(plain) && shortOf(likely) > shortOf(unlikely)) {
		t.Errorf("of the short quotes are found: %d beside quotations, %d beside nonsense, %d without a habit", shortOf(likely), shortOf(unlikely), shortOf(plain))
	}
	for id, a := range likely {
		if b, ok := plain[id]; ok && (a.Score != b.Score || a.SourceText != b.SourceText) {
			t.Errorf("%s has %.2f bits, without a habit %.2f", id, a.Score, b.Score)
		}
	}
	for _, l := range []*QuoteList{l, m} {
		for _, d := range c.books {
			if b := l.habit.bitsOf(d.ID, 1e4, 1e6); math.Abs(b) > habitMost {
				t.Errorf("a habit of %.1f bits", b)
			}
		}
	}
	if none, _ := found(o, absent); len(none) > 0 {
		t.Errorf("%d finds in a list of nonsense", len(none))
	}
	// Before Learn nothing is known.
	l, err := NewQuoteList(short, c.stats, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range c.books {
		for _, a := range l.Find(d) {
			if a.Confidence < 1-o.MaxFalse {
				t.Errorf("%s is reported with a posterior of %.3f", a.ID, a.Confidence)
			}
		}
	}
}

func each(docs []commonplace.Document) func(func(commonplace.Document, error) bool) {
	return func(yield func(commonplace.Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// nonsense is words that no book has.
func nonsense(r *rand.Rand, n int) string {
	var words []string
	for range n {
		words = append(words, fmt.Sprintf("qx%cqz%cqj%c", 'a'+r.IntN(26), 'a'+r.IntN(26), 'a'+r.IntN(26)))
	}
	return strings.Join(words, " ")
}
