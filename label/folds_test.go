package label

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

func spans(pairs ...int) (out []commonplace.Span) {
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, commonplace.Span{Begin: pairs[i], End: pairs[i+1]})
	}
	return out
}

func TestMarked(t *testing.T) {
	// Passages of one word: a 0, b 2, c 4, d 6.
	doc := commonplace.Document{ID: "b", Text: "a b c d"}
	for _, c := range []struct {
		genre    Genre
		sections Sections
		want     string
	}{
		{Scripture, Sections{"Chapter": spans(0, 3, 3, 7)},
			"[Starts-Book] [Starts-Chapter] [Book@0] [Chapter@0] a|[Book@2] [Chapter@5] b [Ends-Chapter]|" +
				"[Starts-Chapter] [Book@5] [Chapter@0] c|[Book@7] [Chapter@5] d [Ends-Chapter] [Ends-Book]"},
		{Drama, Sections{"Act": spans(0, 7), "Scene": spans(0, 5, 6, 7)},
			"[Starts-Play] [Starts-Act] [Starts-Scene] [Play@0] [Act@0] [Scene@0] a|[Play@2] [Act@2] [Scene@3] b|" +
				"[Play@5] [Act@5] [Scene@6] c [Ends-Scene]|[Starts-Scene] [Play@7] [Act@7] [Scene@0] d [Ends-Scene] [Ends-Act] [Ends-Play]"},
		// In prose the decile is the chapter's place in the book; a is a title page.
		{Prose, Sections{"Chapter": spans(2, 5, 6, 7), "Paragraph": spans(0, 1, 2, 5, 6, 7)},
			"[Starts-Book] [Starts-Paragraph] [Book@0] [Paragraph@0] a [Ends-Paragraph]|" +
				"[Starts-Chapter] [Starts-Paragraph] [Book@2] [Chapter@0] [Paragraph@3] b|" +
				"[Book@5] [Chapter@0] [Paragraph@3] c [Ends-Paragraph] [Ends-Chapter]|" +
				"[Starts-Chapter] [Starts-Paragraph] [Book@7] [Chapter@5] [Paragraph@6] d [Ends-Paragraph] [Ends-Chapter] [Ends-Book]"},
		{Scripture, nil, "[Starts-Book] [Book@0] a|[Book@2] b|[Book@5] c|[Book@7] d [Ends-Book]"},
	} {
		got, err := Marked(c.genre, cut(doc, 1), c.sections)
		if err != nil || strings.Join(got, "|") != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s (%v)", c.genre, strings.Join(got, "|"), c.want, err)
		}
	}
}

func TestMarkedLatinSectionsStandWhereTheyBegin(t *testing.T) {
	doc := commonplace.Document{ID: "b", Text: "ab çd ef  gh"}
	for _, c := range []struct{ sections, want string }{
		{"0 4 4 12", "[Starts-Section] ab ç [Ends-Section] [Starts-Section] d|ef gh [Ends-Section]"},
		{"0 5 5 9", "[Starts-Section] ab çd [Ends-Section]|[Starts-Section] ef [Ends-Section] gh"},
		{"0 6 6 12", "[Starts-Section] ab çd [Ends-Section]|[Starts-Section] ef gh [Ends-Section]"},
		{"5 6 6 12", "ab çd|[Starts-Section] ef gh [Ends-Section]"}, // the first is white space alone
	} {
		var n [4]int
		fmt.Sscan(c.sections, &n[0], &n[1], &n[2], &n[3])
		passages := cut(doc, 2)
		got, err := Marked(Latin, passages, Sections{"Section": spans(n[:]...)})
		want := strings.Split(c.want, "|")
		want = []string{"[Starts-Book] [Book@0] " + want[0], "[Book@5] " + want[1] + " [Ends-Book]"}
		for i := range got {
			got[i] = strings.Join(strings.Fields(strings.ReplaceAll(got[i], "][", "] [")), " ")
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("sections %s:\ngot  %q\nwant %q (%v)", c.sections, got, want, err)
		}
	}
}

func TestMarkedKeepsTheText(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for range 200 {
		doc := randomBook(r, "b", 30)
		passages := cut(doc, 1+r.IntN(5))
		n := commonplace.NewOffsets(doc.Text).Len()
		var cuts []int
		for range 2 * r.IntN(6) {
			cuts = append(cuts, r.IntN(n))
		}
		slices.Sort(cuts)
		cuts = slices.Compact(cuts)
		got, err := Marked(Latin, passages, Sections{"Section": spans(cuts[:len(cuts)/2*2]...)})
		if err != nil {
			t.Fatal(err)
		}
		open := 0
		for i, marked := range got {
			open += strings.Count(marked, "[Starts-Section]") - strings.Count(marked, "[Ends-Section]")
			for _, m := range []string{"[Starts-Section] ", " [Ends-Section]", "[Starts-Book] ", " [Ends-Book]"} {
				marked = strings.ReplaceAll(marked, m, "")
			}
			_, marked, _ = strings.Cut(marked, "] ")
			if marked != passages[i].Text {
				t.Fatalf("%q without its marks is %q", got[i], marked)
			}
			if open < 0 || open > 1 {
				t.Fatalf("%d sections are open after %q", open, got)
			}
		}
		if open != 0 {
			t.Fatalf("a section does not end: %q", got)
		}
	}
}

func TestMarkedIsRefused(t *testing.T) {
	passages := cut(commonplace.Document{ID: "b", Text: "a b c d"}, 1)
	if _, err := Marked("novel", passages, nil); err == nil || !strings.Contains(err.Error(), `"novel"`) {
		t.Errorf("unknown genre: %v", err)
	}
	for _, s := range []Sections{{"Chapter": spans(3, 7, 0, 3)}, {"Chapter": spans(0, 4, 3, 7)}, {"Chapter": spans(2, 2)}} {
		if _, err := Marked(Scripture, passages, s); err == nil {
			t.Errorf("%v was taken", s)
		}
	}
	if _, err := Marked(Latin, passages, Sections{"Section": spans(2, 2)}); err == nil {
		t.Error("an empty section was taken")
	}
}

// verses are n passages "w0", "w1 w1", ... with the counts given.
func verses(t *testing.T, counts ...int64) []commonplace.Counted {
	t.Helper()
	var passages []commonplace.Passage
	var marked []string
	var rows []commonplace.QuoteCount
	for i, n := range counts {
		id := commonplace.PassageID("b", int64(i))
		passages = append(passages, commonplace.Passage{ID: id, DocID: "b", Index: int64(i)})
		marked = append(marked, strings.TrimSpace(strings.Repeat(fmt.Sprint("w", i, " "), i+1)))
		rows = append(rows, commonplace.QuoteCount{PassageID: id, DocID: "b", Index: int64(i), Count: n})
	}
	singles, err := Singles(passages, marked, rows, 3)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Singles(passages, marked, slices.Concat(rows[1:], rows[:1]), 0); err == nil && len(rows) > 1 {
		t.Error("counts in another order were taken")
	}
	if _, err := Singles(passages, marked[1:], rows, 0); err == nil {
		t.Error("too few texts were taken")
	}
	return singles
}

func TestSequencesAreGreedy(t *testing.T) {
	pieces := func(s string) int { return len(strings.Fields(s)) } // 1, 2, 3, 4, 5
	got := ""
	for _, s := range Sequences(verses(t, 5, 6, 7, 8, 9), pieces, 5) {
		got += fmt.Sprintf("%s %v %d %v %d %d %s|", s.ID, s.Counts, s.Pieces, s.Truncated, s.Fold, len(s.Marked), s.PassageIDs[0])
	}
	want := "b:000000-000001 [5 6] 5 false 3 2 b:000000|b:000002-000002 [7] 4 false 3 1 b:000002|b:000003-000003 [8] 5 false 3 1 b:000003|b:000004-000004 [9] 6 true 3 1 b:000004|"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if s := Sequences(nil, pieces, 5); len(s) != 0 {
		t.Errorf("of nothing: %v", s)
	}
}

func TestPairsPutTheMoreQuotedFirst(t *testing.T) {
	rows := verses(t, 0, 3, 0, 1, 3, 0)
	for n, want := range map[int]int{0: 0, 1: 3, 3: 9, 10: 11} { // 3, 4 and 4 are quoted less
		pairs := Pairs(rows, n, 1)
		if len(pairs) != want {
			t.Errorf("%d negatives: %d pairs, want %d", n, len(pairs), want)
		}
		seen := map[string]bool{}
		for _, p := range pairs {
			if p.MoreCount <= p.LessCount || seen[p.MoreID+p.LessID] || p.Fold != 3 || p.MoreMarked == "" || p.LessMarked == "" || p.DocID != "b" {
				t.Errorf("%+v", p)
			}
			seen[p.MoreID+p.LessID] = true
		}
	}
	if len(Pairs(verses(t, 0, 0), 3, 1)) != 0 {
		t.Error("what is never quoted has no pairs")
	}
}

func TestDrawIsFair(t *testing.T) {
	n := make([]int, 5)
	for seed := range int64(5000) {
		got := draw(seed, "x", 5, 2)
		if len(got) != 2 || got[0] >= got[1] {
			t.Fatalf("drew %v", got)
		}
		n[got[0]]++
		n[got[1]]++
	}
	for i, k := range n {
		if k < 1850 || k > 2150 {
			t.Errorf("%d was drawn %d times in 5000, want about 2000", i, k)
		}
	}
	if got := draw(1, "x", 2, 9); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("all of two: %v", got)
	}
}

func TestFoldsAreEven(t *testing.T) {
	n := make([]int, Folds)
	for i := range 5000 {
		n[Fold(1, fmt.Sprint("book ", i), Folds)]++
	}
	for i, k := range n {
		if k < 900 || k > 1100 {
			t.Errorf("fold %d has %d of 5000", i, k)
		}
	}
}
