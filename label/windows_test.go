package label

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// sentences cuts where RELiC does: at full stops, ellipses, colons, semicolons, none of
// them in a citation.
func sentences(doc commonplace.Document) []commonplace.Passage {
	var out []commonplace.Passage
	for _, at := range regexp.MustCompile(`[^\s.;:…"][^.;:…]*[.;:…]+`).FindAllStringIndex(BlankCitations(doc.Text), -1) {
		begin := len([]rune(doc.Text[:at[0]]))
		text := doc.Text[at[0]:at[1]]
		out = append(out, commonplace.Passage{
			ID: commonplace.PassageID(doc.ID, int64(len(out))), DocID: doc.ID, Index: int64(len(out)),
			Begin: int64(begin), End: int64(begin + len([]rune(text))), Text: text,
		})
	}
	return out
}

// between aligns words of the derived text with words of the source.
func between(derived, source commonplace.Document, said, own string) commonplace.Alignment {
	a := found(source, "", own)
	d := found(derived, "", said)
	a.DerivedID, a.DerivedBegin, a.DerivedEnd = derived.ID, d.SourceBegin, d.SourceEnd
	a.ID = fmt.Sprint(a.ID, "@", a.DerivedBegin)
	return a
}

var primary = commonplace.Document{ID: "novel", Text: `The rain had stopped. We walked along the wet and shining quay toward the lamp.
Nobody spoke; the boats were in. "You will be late," said the pilot at last, "as usual." And so I was.
The tide turned. She had gone.`}

func TestWindow(t *testing.T) {
	critic := commonplace.Document{ID: "critic", Text: "One. Two. Three. Four. Five. The novel says it well. Nobody  spoke; the boats were in. Six. Seven."}
	windows, rejects := Windows(critic, sentences(critic), primary, sentences(primary),
		[]commonplace.Alignment{between(critic, primary, "Nobody  spoke; the boats were in", "Nobody spoke; the boats were in")}, DefaultWindows())
	if len(rejects) > 0 || len(windows) != 1 {
		t.Fatal(windows, rejects)
	}
	w := windows[0]
	if w.Quote != "Nobody spoke; the boats were in." || w.Sentences != 2 || w.FirstSentence != 2 || w.Extended != 0 {
		t.Errorf("quote %q, %d sentences from %d", w.Quote, w.Sentences, w.FirstSentence)
	}
	if !slices.Equal(w.Left, []string{"Three.", "Four.", "Five.", "The novel says it well."}) || !slices.Equal(w.Right, []string{"Six.", "Seven."}) {
		t.Errorf("left %q right %q", w.Left, w.Right)
	}
	if n := len(sentences(primary)); w.Candidates != int64(n-1) {
		t.Errorf("%d candidates of two among %d sentences", w.Candidates, n)
	}
	if w.Split != DefaultWindows().Split.Of("novel") || w.Covered < 0.9 || w.Covered >= 1 || len(w.AlignmentIDs) != 1 {
		t.Errorf("%+v", w)
	}
	for _, s := range []struct {
		doc        commonplace.Document
		begin, end int64
		text       string
	}{
		{primary, w.SourceBegin, w.SourceEnd, w.Quote}, {critic, w.DerivedBegin, w.DerivedEnd, "Nobody  spoke; the boats were in."},
		{critic, w.LeftBegin, w.LeftEnd, strings.Join(w.Left, " ")}, {critic, w.RightBegin, w.RightEnd, strings.Join(w.Right, " ")},
	} {
		if got := commonplace.Slice(s.doc.Text, commonplace.Span{Begin: int(s.begin), End: int(s.end)}); got != s.text {
			t.Errorf("[%d:%d] is %q, want %q", s.begin, s.end, got, s.text)
		}
	}
}

// A block quote whose first sentence has lost its beginning to an ellipsis: the
// aligner found the second sentence alone, and the neighbour shares enough.
func TestWindowOfABlockWithAnEllipsis(t *testing.T) {
	critic := commonplace.Document{ID: "critic", Text: "He tells us that… wet and shining quay toward the lamp. Nobody spoke; the boats were in. How true."}
	alone := between(critic, primary, "Nobody spoke", "Nobody spoke")
	block := between(critic, primary, "the boats were in", "the boats were in")
	windows, _ := Windows(critic, sentences(critic), primary, sentences(primary), []commonplace.Alignment{block, alone}, DefaultWindows())
	if len(windows) != 1 {
		t.Fatal(windows)
	}
	w := windows[0]
	if w.Quote != "We walked along the wet and shining quay toward the lamp.\nNobody spoke; the boats were in." || w.Sentences != 3 || w.Extended != 1 || len(w.AlignmentIDs) != 2 {
		t.Errorf("%+v", w)
	}
	if !slices.Equal(w.Left, []string{"He tells us that…"}) || !slices.Equal(w.Right, []string{"How true."}) {
		t.Errorf("left %q right %q", w.Left, w.Right)
	}
	o := DefaultWindows()
	o.Shared = 40 // more than the 39 characters that they share
	if windows, _ = Windows(critic, sentences(critic), primary, sentences(primary), []commonplace.Alignment{block, alone}, o); windows[0].Extended != 0 {
		t.Errorf("shared %d characters: %+v", o.Shared, windows[0])
	}
}

func TestWindowsStayApart(t *testing.T) {
	critic := commonplace.Document{ID: "critic", Text: "The boats were in. A thought. And so I was. The tide turned. Nobody spoke."}
	rows := []commonplace.Alignment{
		between(critic, primary, "he boats were in", "he boats were in"),
		between(critic, primary, "And so I was", "And so I was"),
		between(critic, primary, "The tide turned", "The tide turned"),
		between(critic, primary, "Nobody spoke", "Nobody spoke"), // next in the essay, not in the novel
	}
	windows, _ := Windows(critic, sentences(critic), primary, sentences(primary), rows, DefaultWindows())
	var got []string
	for _, w := range windows {
		got = append(got, w.Quote)
	}
	if want := []string{"the boats were in.", "And so I was.\nThe tide turned.", "Nobody spoke;"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Neighbours in the essay that are far apart in the novel are two quotations,
// and neither takes a sentence of the other, however alike the novel's are.
func TestWindowsDoNotTakeFromEachOther(t *testing.T) {
	novel := commonplace.Document{ID: "novel", Text: "Alpha beta gamma delta one. Epsilon zeta eta theta nine. Filler. Alpha beta gamma delta two. Epsilon zeta eta theta."}
	critic := commonplace.Document{ID: "critic", Text: "Alpha beta gamma delta one. Epsilon zeta eta theta."}
	first := between(critic, novel, "Alpha beta gamma delta one", "Alpha beta gamma delta one")
	second := between(critic, novel, "Epsilon zeta eta theta.", "Epsilon zeta eta theta.")
	windows, _ := Windows(critic, sentences(critic), novel, sentences(novel), []commonplace.Alignment{first, second}, DefaultWindows())
	if len(windows) != 2 || windows[0].Quote != "Alpha beta gamma delta one." || windows[1].Quote != "Epsilon zeta eta theta." {
		t.Errorf("%+v", windows)
	}
}

func TestWindowLeavesOutWhatIsHardlyQuoted(t *testing.T) {
	critic := commonplace.Document{ID: "critic", Text: "As in “the lamp. Nobody spoke; the boats were in” and no more."}
	a := between(critic, primary, "the lamp. Nobody spoke; the boats were in", "the lamp.\nNobody spoke; the boats were in")
	windows, _ := Windows(critic, sentences(critic), primary, sentences(primary), []commonplace.Alignment{a}, DefaultWindows())
	if windows[0].Quote != "Nobody spoke; the boats were in." {
		t.Errorf("quote %q", windows[0].Quote)
	}
	short := between(critic, primary, "the lamp", "the lamp")
	if windows, rejects := Windows(critic, sentences(critic), primary, sentences(primary), []commonplace.Alignment{short}, DefaultWindows()); len(windows)+len(rejects) != 0 {
		t.Errorf("two words of a sentence are no window and no fault: %+v, %+v", windows, rejects)
	}
}

// A part of a sentence is no window (RELiC's QRatio of 80), and what a critic says around a
// whole one stays in the context.
func TestWindowKeepsTheClaim(t *testing.T) {
	novel := commonplace.Document{ID: "novel", Text: "He saw the whole of it at once and was glad of the evening, which had come so late. The tide turned slowly in the estuary."}
	one := func(said, own, critics string) []commonplace.Window {
		t.Helper()
		critic := commonplace.Document{ID: "critic", Text: "A claim of the critic. " + critics + " Another claim."}
		windows, rejects := Windows(critic, sentences(critic), novel, sentences(novel),
			[]commonplace.Alignment{between(critic, novel, said, own)}, DefaultWindows())
		if len(rejects) > 0 {
			t.Fatal(rejects)
		}
		return windows
	}
	eight := "saw the whole of it at once and"
	if w := one(eight, eight, "That he “"+eight+"” forgave is the point of all her later novels."); len(w) != 0 {
		t.Errorf("eight words are a window of %q", w[0].Quote)
	}
	tide := "The tide turned slowly in the estuary"
	w := one(tide, tide, "All that the essays of this decade have to say of time is in one line, “"+tide+"”, which she wrote last (p. 12).")
	if len(w) != 1 || w[0].Quote != tide+"." {
		t.Fatalf("%+v", w)
	}
	if want := []string{"A claim of the critic.", "All that the essays of this decade have to say of time is in one line,"}; !slices.Equal(w[0].Left, want) {
		t.Errorf("left %q, want %q", w[0].Left, want)
	}
	if want := []string{"which she wrote last.", "Another claim."}; !slices.Equal(w[0].Right, want) {
		t.Errorf("right %q, want %q", w[0].Right, want)
	}
	w = one(tide, tide, "So “"+tide+"”.")
	if len(w) != 1 || !slices.Equal(w[0].Left, []string{"A claim of the critic."}) || !slices.Equal(w[0].Right, []string{"Another claim."}) {
		t.Errorf("a sentence that is like the source's as a whole: %+v", w)
	}
}

func TestWindowsRefuse(t *testing.T) {
	critic := commonplace.Document{ID: "critic", Text: "The tide turned."}
	good := between(critic, primary, "The tide", "The tide")
	for reason, change := range map[string]func(*commonplace.Alignment){
		ReasonDocument:  func(a *commonplace.Alignment) { a.DerivedID = "other" },
		ReasonSpan:      func(a *commonplace.Alignment) { a.DerivedEnd = 999 },
		ReasonNoPassage: func(a *commonplace.Alignment) { a.SourceBegin, a.SourceEnd = 21, 22 },
	} {
		a := good
		change(&a)
		windows, rejects := Windows(critic, sentences(critic), primary, sentences(primary), []commonplace.Alignment{a}, DefaultWindows())
		if len(windows) != 0 || len(rejects) != 1 || rejects[0].Reason != reason {
			t.Errorf("%s: %v %v", reason, windows, rejects)
		}
	}
	if _, rejects := Windows(critic, sentences(critic)[:0], primary, sentences(critic), []commonplace.Alignment{good}, DefaultWindows()); len(rejects) != 1 || rejects[0].Reason != ReasonPassages {
		t.Errorf("sentences of another text: %v", rejects)
	}
}

func TestShareSubstringAgainstTheObviousWay(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	word := func() string {
		var b strings.Builder
		for range r.IntN(20) {
			b.WriteString([]string{"a", "é", "愛", " ", "\n "}[r.IntN(5)])
		}
		return b.String()
	}
	yes := 0
	for range 3000 {
		a, b, n := word(), word(), 1+r.IntN(6)
		x, y, want := []rune(strings.Join(strings.Fields(a), " ")), []rune(strings.Join(strings.Fields(b), " ")), false
		for i := 0; i+n <= len(x); i++ {
			for k := 0; k+n <= len(y); k++ {
				want = want || string(x[i:i+n]) == string(y[k:k+n])
			}
		}
		if got := shareSubstring(a, b, n); got != want {
			t.Fatalf("%q and %q share %d: %v", a, b, n, got)
		}
		if want {
			yes++
		}
	}
	if yes < 100 || yes > 2900 {
		t.Errorf("%d of 3000 share: the test is one-sided", yes)
	}
}

func TestVolumeFilter(t *testing.T) {
	f := DefaultVolumes()
	for _, c := range []struct {
		title, language string
		matches         int
		want            string
	}{
		{"Studies in the Novel", "English", 10, ""}, {"Studies in the Novel", "eng", 10, ""}, {"Studies", "", 10, ""},
		{"A Dictionary of Quotations", "en", 10, "dictionary"}, {"Studien", "de", 10, "language"},
		{"Studies", "en", 2, "2 matches"}, {"The Novel", "en", 500, "500 matches"},
	} {
		got := f.Refuses(commonplace.Document{Title: c.title, Language: c.language}, c.matches)
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
