package label

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
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

// in places a passage: kind, unit i of n, passage k of m in it.
func in(kind string, i, n, k, m int64) commonplace.Place {
	return commonplace.Place{Kind: kind, Index: i, Count: n, PassageIndex: k, Passages: m, Decile: 10 * k / m, First: k == 0, Last: k == m-1}
}

func TestMarked(t *testing.T) {
	for _, c := range []struct {
		genre  Genre
		places [][]commonplace.Place // of the passages a, b, c, d, besides the document
		want   string
	}{
		{Scripture, [][]commonplace.Place{{in("chapter", 0, 2, 0, 2)}, {in("chapter", 0, 2, 1, 2)}, {in("chapter", 1, 2, 0, 2)}, {in("chapter", 1, 2, 1, 2)}},
			"[Starts-Book] [Starts-Chapter] [Book@0] [Chapter@0] a|[Book@2] [Chapter@5] b [Ends-Chapter]|" +
				"[Starts-Chapter] [Book@5] [Chapter@0] c|[Book@7] [Chapter@5] d [Ends-Chapter] [Ends-Book]"},
		{Drama, [][]commonplace.Place{{in("act", 0, 1, 0, 4), in("scene", 0, 2, 0, 3)}, {in("act", 0, 1, 1, 4), in("scene", 0, 2, 1, 3)},
			{in("act", 0, 1, 2, 4), in("scene", 0, 2, 2, 3)}, {in("act", 0, 1, 3, 4), in("scene", 1, 2, 0, 1)}},
			"[Starts-Play] [Starts-Act] [Starts-Scene] [Play@0] [Act@0] [Scene@0] a|[Play@2] [Act@2] [Scene@3] b|" +
				"[Play@5] [Act@5] [Scene@6] c [Ends-Scene]|[Starts-Scene] [Play@7] [Act@7] [Scene@0] d [Ends-Scene] [Ends-Act] [Ends-Play]"},
		// In prose the decile is the chapter's place in the book; a is a title page, b and c one paragraph.
		{Prose, [][]commonplace.Place{{in("paragraph", 0, 3, 0, 1)}, {in("chapter", 0, 2, 0, 2), in("paragraph", 1, 3, 0, 2)},
			{in("chapter", 0, 2, 1, 2), in("paragraph", 1, 3, 1, 2)}, {in("chapter", 1, 2, 0, 1), in("paragraph", 2, 3, 0, 1)}},
			"[Starts-Book] [Starts-Paragraph] [Book@0] [Paragraph@0] a [Ends-Paragraph]|" +
				"[Starts-Chapter] [Starts-Paragraph] [Book@2] [Chapter@0] [Paragraph@3] b|" +
				"[Book@5] [Chapter@0] [Paragraph@3] c [Ends-Paragraph] [Ends-Chapter]|" +
				"[Starts-Chapter] [Starts-Paragraph] [Book@7] [Chapter@5] [Paragraph@6] d [Ends-Paragraph] [Ends-Chapter] [Ends-Book]"},
		{Scripture, make([][]commonplace.Place, 4), "[Starts-Book] [Book@0] a|[Book@2] b|[Book@5] c|[Book@7] d [Ends-Book]"},
	} {
		passages := cut(commonplace.Document{ID: "b", Text: "a b c d"}, 1)
		for i := range passages {
			passages[i].Places = append([]commonplace.Place{in("document", 0, 1, int64(i), 4)}, c.places[i]...)
		}
		got, err := Marked(c.genre, passages, nil)
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
		got, err := Marked(Latin, passages, spans(n[:]...))
		want := strings.Split(c.want, "|")
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
		got, err := Marked(Latin, passages, spans(cuts[:len(cuts)/2*2]...))
		if err != nil {
			t.Fatal(err)
		}
		open := 0
		for i, marked := range got {
			open += strings.Count(marked, "[Starts-Section]") - strings.Count(marked, "[Ends-Section]")
			for _, m := range []string{startsSection, endsSection} {
				marked = strings.ReplaceAll(marked, m, "")
			}
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
	for _, s := range [][]commonplace.Span{spans(3, 7, 0, 3), spans(0, 4, 3, 7), spans(2, 2)} {
		if _, err := Marked(Latin, passages, s); err == nil {
			t.Errorf("%v was taken", s)
		}
	}
	if _, err := Marked(Prose, passages, spans(0, 1)); err == nil {
		t.Error("sections were taken for prose")
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
	pieces := func(s string) (int, error) { return len(strings.Fields(s)), nil } // 1, 2, 3, 4, 5
	got := ""
	sequences, _ := Sequences(verses(t, 5, 6, 7, 8, 9), pieces, 6) // one is [CLS]
	for _, s := range sequences {
		got += fmt.Sprintf("%s %v %d %v %d %d %s|", s.ID, s.Counts, s.Pieces, s.Truncated, s.Fold, len(s.Marked), s.PassageIDs[0])
	}
	want := "b:000000-000001 [5 6] 6 false 3 2 b:000000|b:000002-000002 [7] 5 false 3 1 b:000002|b:000003-000003 [8] 6 false 3 1 b:000003|b:000004-000004 [9] 7 true 3 1 b:000004|"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if s, _ := Sequences(nil, pieces, 5); len(s) != 0 {
		t.Errorf("of nothing: %v", s)
	}
}

// A passage that the tokenizer refuses is a reject, and the sequence goes on behind it, as if
// it were not there.
func TestSequencesLeaveOutRefusedPassages(t *testing.T) {
	rows := verses(t, 5, 6, 7, 8, 9)
	pieces := func(s string) (int, error) {
		if strings.HasPrefix(s, "w0") || strings.HasPrefix(s, "w2") {
			return 1, errors.New("too much")
		}
		return len(strings.Fields(s)), nil
	}
	got, rejects := Sequences(rows, pieces, 9)
	want, none := Sequences([]commonplace.Counted{rows[1], rows[3], rows[4]}, pieces, 9)
	if !reflect.DeepEqual(got, want) || len(got) != 2 || len(got[0].PassageIDs) != 2 || none != nil {
		t.Errorf("%+v, want %+v", got, want)
	}
	for i, r := range rejects {
		if r.ID != rows[2*i].PassageID || r.Location != "b" || r.Reason != ReasonUnreadable || r.Detail != "too much" {
			t.Errorf("%+v", r)
		}
	}
	if len(rejects) != 2 {
		t.Errorf("%d rejects", len(rejects))
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

// The 66 books of the King James Bible, in verses: by hashes the folds had 2,267 to 9,622.
func TestEvenFoldsOfTheBible(t *testing.T) {
	verses := []int64{
		1533, 1213, 859, 1288, 959, 658, 618, 85, 810, 695, 816, 719, 942, 822, 280, 406, 167, 1070, 2461, 915, 222, 117, 1292, 1364, 154, 1273,
		357, 197, 73, 146, 21, 48, 105, 47, 56, 53, 38, 211, 55, 1071, 678, 1151, 879, 1007, 433, 437, 257, 149, 155, 104, 95, 89, 47, 113, 83,
		46, 25, 303, 108, 105, 61, 105, 13, 14, 25, 404,
	}
	books := map[string]int64{}
	for i, n := range verses {
		books[fmt.Sprint("book ", i)] = n
	}
	for seed := range int64(5) {
		sizes := make([]int64, Folds)
		for book, fold := range EvenFolds(seed, books, Folds) {
			sizes[fold] += books[book]
		}
		if least, most := slices.Min(sizes), slices.Max(sizes); most-least > 50 || least < 6000 {
			t.Errorf("seed %d: folds of %v verses", seed, sizes)
		}
	}
}
