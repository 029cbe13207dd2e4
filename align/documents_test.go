package align

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/aligntest"
	"github.com/commonplace/commonplace/align/marks"
	"github.com/commonplace/commonplace/align/ngrams"
)

func document(id, text string) commonplace.Document {
	return commonplace.Document{ID: id, Text: text}
}

// essay is prose of other words with quotations of the books in it.
func essay(r *rand.Rand, c *corpus, quotes int) commonplace.Document {
	var t strings.Builder
	prose := func(n int) {
		for range n {
			fmt.Fprintf(&t, "x%sx ", c.words[r.IntN(len(c.words))])
		}
	}
	for range quotes {
		prose(40)
		_, q := c.Cut(r, 12+r.IntN(40))
		switch r.IntN(4) {
		case 0:
			q = aligntest.Damage(r, q, 15)
		case 1:
			f := strings.Fields(q)
			q = strings.Join(f[:4], " ") + " … " + strings.Join(f[7:], " ")
		case 2:
			f := strings.Fields(q)
			q = strings.Join(f[:6], " ") + " [sic et non] " + strings.Join(f[6:], " ")
		}
		fmt.Fprintf(&t, "“%s” ", q)
	}
	prose(40)
	return document(fmt.Sprintf("essay-%d", r.IntN(1000)), t.String())
}

func TestPartsGiveWhatOneIndexGives(t *testing.T) {
	c := made()
	o := Defaults()
	r := rand.New(rand.NewPCG(21, 22))
	one := openPart(t, c.books, c.stats, o)
	splits := [][]*Part{}
	for _, n := range []int{2, 3, 8} {
		var parts []*Part
		for k := range n {
			parts = append(parts, openPart(t, c.books[len(c.books)*k/n:len(c.books)*(k+1)/n], c.stats, o))
		}
		splits = append(splits, parts)
	}
	found := 0
	for range 25 {
		d := essay(r, c, 6)
		want := Merge(one.Find(d), o)
		found += len(want)
		for _, parts := range splits {
			var rows []Candidate
			for i := range parts {
				rows = append(rows, parts[len(parts)-1-i].Find(d)...)
			}
			if got := Merge(rows, o); !reflect.DeepEqual(got, want) {
				t.Fatalf("%d parts give %d rows, one index %d", len(parts), len(got), len(want))
			}
		}
		for _, a := range want {
			checkSpans(t, a, d.Text, c.text(a.SourceID))
		}
	}
	if found < 25*5 {
		t.Errorf("%d finds of %d quotations", found, 25*6)
	}
}

func (c *corpus) text(id string) string {
	for _, b := range c.books {
		if b.ID == id {
			return b.Text
		}
	}
	return ""
}

func TestFindIsTheSameFromManyGoroutines(t *testing.T) {
	c := made()
	p := openPart(t, c.books, c.stats, Defaults())
	d := essay(rand.New(rand.NewPCG(31, 32)), c, 8)
	want := p.Find(d)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 5 {
				if got := p.Find(d); !reflect.DeepEqual(got, want) {
					t.Error("another goroutine found something else")
				}
			}
		})
	}
	wg.Wait()
}

func TestOneAlignmentPerQuotation(t *testing.T) {
	c := made()
	o := Defaults()
	p := openPart(t, c.books, c.stats, o)
	f := strings.Fields(c.books[2].Text)[500:560]
	whole := strings.Join(f[:40], " ")
	for name, q := range map[string]string{
		"exact":     whole,
		"upper":     strings.ToUpper(whole),
		"ellipsis":  strings.Join(f[:15], " ") + " [...] " + strings.Join(f[30:40], " "),
		"insertion": strings.Join(f[:15], " ") + " [wholly other words] " + strings.Join(f[15:40], " "),
		"changed":   strings.Join(f[:15], " ") + " xylophone " + strings.Join(f[16:40], " "),
		"said he":   strings.Join(f[:15], " ") + ",” said he, “" + strings.Join(f[15:40], " "),
	} {
		d := document("d", "xaxa xexe xixi xoxo xuxu “"+q+"” xaxa xexe xixi xoxo xuxu")
		rows := Merge(p.Find(d), o)
		if len(rows) != 1 {
			t.Errorf("%s: %d rows: %+v", name, len(rows), rows)
			continue
		}
		a := rows[0]
		checkSpans(t, a, d.Text, c.books[2].Text)
		if begin := int64(len("xaxa xexe xixi xoxo xuxu ") + 1); a.DerivedBegin > begin || a.DerivedBegin < begin-1 {
			t.Errorf("%s begins at %d, not %d", name, a.DerivedBegin, begin)
		}
		want := commonplace.KindInexact
		switch name {
		case "exact", "upper":
			want = commonplace.KindExact
		case "ellipsis":
			want = commonplace.KindEllipsis
		}
		if a.Kind != want || a.SourceID != "book-2" || !a.Marked {
			t.Errorf("%s: kind %s in %s, marked %v", name, a.Kind, a.SourceID, a.Marked)
		}
		if name == "ellipsis" && len(a.Parts) != 2 {
			t.Errorf("ellipsis has parts %v", a.Parts)
		}
	}
}

func TestEditionsAreGroupedAndBoilerplateReportedOnce(t *testing.T) {
	c := made()
	o := Defaults()
	passage := strings.Join(strings.Fields(c.books[1].Text)[100:130], " ")
	for _, copies := range []int{3, ngrams.LongLimit + 5} {
		var docs []commonplace.Document
		stats := NewStats(o)
		for i := range copies {
			docs = append(docs, document(fmt.Sprintf("copy-%02d", i), fmt.Sprintf("zz%d %s zz%d", i, passage, i)))
		}
		for _, d := range append(docs, c.books...) {
			stats.Count(d)
		}
		p := openPart(t, docs, stats, o)
		rows := Merge(p.Find(document("d", "xaxa xexe "+passage+" xoxo xuxu")), o)
		want := copies
		if copies > ngrams.LongLimit {
			want = 1
		}
		if len(rows) != want {
			t.Fatalf("%d rows for %d copies", len(rows), copies)
		}
		for _, a := range rows {
			if a.Group != rows[0].Group || a.Group == "" {
				t.Errorf("groups %q and %q", a.Group, rows[0].Group)
			}
		}
		o := o
		o.Places = 1
		if rows := Merge(p.Find(document("d", "xaxa xexe "+passage+" xoxo xuxu")), o); len(rows) != 1 {
			t.Errorf("%d rows where one place was asked for", len(rows))
		}
	}
}

// In a large collection more places are needed for text to be boilerplate: 20
// editions of a book are none, and all are reported.
func TestBoilerplateGrowsWithTheCollection(t *testing.T) {
	c := made()
	o := Defaults()
	passage := strings.Join(strings.Fields(c.books[1].Text)[100:130], " ")
	const copies = ngrams.LongLimit + 4
	stats := NewStats(o)
	var docs []commonplace.Document
	for i := range copies {
		docs = append(docs, document(fmt.Sprintf("copy-%02d", i), fmt.Sprintf("zz%d %s zz%d", i, passage, i)))
	}
	for _, d := range append(docs, c.books...) {
		stats.Count(d)
	}
	for _, l := range []struct {
		words int64
		rows  int
	}{{stats.counts.Words, 1}, {2 * ngrams.NominalWords, copies}} {
		stats.counts.Words = l.words
		rows := Merge(openPart(t, docs, stats, o).Find(document("d", "xaxa xexe "+passage+" xoxo xuxu")), o)
		if len(rows) != l.rows || rows[0].Places < copies || rows[0].Group == "" {
			t.Errorf("%d of %d places in %d words reported", len(rows), copies, l.words)
		}
	}
}

// A seed may stand at more places of a part than a bucket holds, where the
// collection is large: none is lost, and parts give what one index gives.
func TestFullBucketsLoseNothing(t *testing.T) {
	c := made()
	o := Defaults()
	passage := strings.Map(dropMarks, strings.Join(strings.Fields(c.books[1].Text)[100:130], " "))
	const copies = 600
	stats := NewStats(o)
	var docs []commonplace.Document
	for i := range copies {
		docs = append(docs, document(fmt.Sprintf("s%03d", i), fmt.Sprintf("zz%d %s yy%d", i, passage, i)))
		stats.Count(docs[i])
	}
	stats.counts.Words = 100 * ngrams.NominalWords
	prose := essay(rand.New(rand.NewPCG(7, 8)), c, 0).Text
	derived := document("d", prose+" "+passage+" "+prose)
	for _, n := range []int{1, 3} {
		var found []Candidate
		for k := range n {
			found = append(found, openPart(t, docs[copies*k/n:copies*(k+1)/n], stats, o).Find(derived)...)
		}
		if rows := Merge(found, o); len(rows) != copies {
			t.Errorf("%d parts give %d places of %d", n, len(rows), copies)
		}
	}
}

func TestSwappedAndRepeatedPassages(t *testing.T) {
	c := made()
	o := Defaults()
	p := openPart(t, c.books, c.stats, o)
	f := strings.Fields(c.books[4].Text)
	a, b := strings.Join(f[1000:1025], " "), strings.Join(f[2000:2025], " ")
	rows := Merge(p.Find(document("d", b+" xaxa xexe xixi xoxo xuxu xyxy "+a+" xaxa xexe xixi xoxo xuxu xyxy "+b)), o)
	if len(rows) != 3 {
		t.Fatalf("%d rows, want the later passage, the earlier and the later again: %+v", len(rows), rows)
	}
	if rows[0].SourceBegin <= rows[1].SourceBegin || rows[0].SourceBegin != rows[2].SourceBegin {
		t.Errorf("places %d, %d, %d", rows[0].SourceBegin, rows[1].SourceBegin, rows[2].SourceBegin)
	}
}

func TestBadParts(t *testing.T) {
	c := made()
	var b strings.Builder
	if _, err := BuildPart("", &b, func(yield func(commonplace.Document) bool) { yield(c.books[0]) }, c.stats, Defaults()); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, s := range map[string]string{"empty": "", "text": "not an index part at all, but long enough to be looked at: " + strings.Repeat(".", 100), "cut": b.String()[:b.Len()-5], "half": b.String()[:b.Len()/2]} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenPart(path, c.stats, Defaults()); err == nil {
			t.Errorf("part %q was opened", name)
		}
	}
	if _, err := OpenPart(filepath.Join(dir, "missing"), c.stats, Defaults()); err == nil {
		t.Error("a missing part was opened")
	}
}

func TestMarkedQuotations(t *testing.T) {
	c := made()
	o := Defaults()
	p := openPart(t, c.books, c.stats, o)
	f := strings.Fields(c.books[5].Text)
	short, long := strings.Join(f[700:705], " "), strings.Join(f[710:740], " ")
	strip := strings.NewReplacer("“", "", "”", "")
	text := "xaxa xexe “" + strip.Replace(short) + "” xixi xoxo “" + strip.Replace(long) + "” xuxu “no such words in any of them xaxa”"
	if n := len(marks.Quotations(text)); n != 3 {
		t.Fatalf("%d marked quotations", n)
	}
	all := o
	all.MinConfidence = 0
	rows := MergeMarked(p.FindMarked(document("d", text)), all)
	if len(rows) != 2 {
		t.Fatalf("%d rows: %+v", len(rows), rows)
	}
	for _, a := range rows {
		checkSpans(t, a, text, c.books[5].Text)
	}
	if rows[0].Confidence >= rows[1].Confidence {
		t.Errorf("five words %.3f, thirty %.3f", rows[0].Confidence, rows[1].Confidence)
	}
	if rows := MergeMarked(p.FindMarked(document("d", text)), o); len(rows) == 0 || rows[len(rows)-1].Confidence < o.MinConfidence {
		t.Errorf("rows at the default confidence: %+v", rows)
	}
}
