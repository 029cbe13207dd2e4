package segment

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func cutBy(t testing.TB, spec, text string) []string {
	t.Helper()
	seg, err := Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for p := range seg.Cut(text) {
		out = append(out, text[p.Begin:p.End])
	}
	return out
}

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"One. Two! Three? Four", []string{"One.", "Two!", "Three?", "Four"}},
		{"It rained\r\nall day. Nobody\ncame.\n\nNext", []string{"It rained\r\nall day.", "Nobody\ncame.", "Next"}},
		{"Mr. and Mrs. Miller met Dr. Fell in St. Ives. They spoke.", []string{"Mr. and Mrs. Miller met Dr. Fell in St. Ives.", "They spoke."}},
		{"“Mr. Miller, how can you! You know.”", []string{"“Mr. Miller, how can you!", "You know.”"}},
		{"J. H. W. Smith lodged in S. Place, by K. bridge. He left.", []string{"J. H. W. Smith lodged in S. Place, by K. bridge.", "He left."}},
		{"It was I. He knew it.", []string{"It was I.", "He knew it."}},
		{"“Poor devil!” he said. “What now?” I asked. “Nothing.” Miller answered it.", []string{"“Poor devil!” he said.", "“What now?” I asked.", "“Nothing.” Miller answered it."}},
		{"“Come.” He went.", []string{"“Come.”", "He went."}},
		{"“Looking for lodgings.” [3] I answered. Then", []string{"“Looking for lodgings.” [3] I answered.", "Then"}},
		{"Hm... yes, I thought... But no.", []string{"Hm... yes, I thought...", "But no."}},
		{"He stopped. . . . Then he went on.", []string{"He stopped. . . .", "Then he went on."}},
		{"See No. 12 and vol. ii. No. That is all.", []string{"See No. 12 and vol. ii.", "No.", "That is all."}},
		{"1. The first. 2. The second.", []string{"1. The first.", "2. The second."}},
		{"It cost 3.50 at 4 p.m. on Monday.", []string{"It cost 3.50 at 4 p.m. on Monday."}},
		{"彼は来た。雨が降った。", []string{"彼は来た。", "雨が降った。"}},
		{"L’été. « Où ? » Là-bas.", []string{"L’été.", "« Où ? »", "Là-bas."}},
		{"one; two: three... four", []string{"one; two: three... four"}},
		{"* * *", []string{"* * *"}},
	} {
		if got := cutBy(t, "sentences", c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q:\ngot  %q\nwant %q", c.text, got, c.want)
		}
	}
}

func TestClauses(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"One; two: three... four. Five", []string{"One;", "two:", "three...", "four.", "Five"}},
		{"“But it is,” she said; “for\nMrs. Long was here.” … “And told?”", []string{"“But it is,” she said;", "“for\nMrs. Long was here.”", "… “And told?”"}},
		{"At 10:30, e.g., a ratio 1:2; so", []string{"At 10:30, e.g., a ratio 1:2;", "so"}},
		{"He went . . . and came; ", []string{"He went . . .", "and came;"}},
	} {
		if got := cutBy(t, "sentences:relic", c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q:\ngot  %q\nwant %q", c.text, got, c.want)
		}
	}
}

// Three pages were cut by hand before the rules were written; testdata holds
// where their sentences begin. Boundaries between paragraphs are not counted:
// every segmenter gets those.
func TestSentencesOfHandCutPages(t *testing.T) { handCut(t, "pages.json") }

// Three more were cut when the rules were done, and no rule was changed for them.
func TestSentencesOfHeldOutHandCutPages(t *testing.T) { handCut(t, "heldout.json") }

func handCut(t *testing.T, file string) {
	t.Helper()
	const folder = "../../shared/data/books"
	if _, err := os.Stat(folder); err != nil {
		t.Skip("the shared books are not here")
	}
	var pages []struct {
		Book       string
		Begin, End int
		Sentences  []int
	}
	readJSON(t, "testdata/sentences/"+file, &pages)
	right, wrong, missed := 0, 0, 0
	for _, page := range pages {
		runes := []rune(gunzip(t, filepath.Join(folder, page.Book+".txt.gz")))
		text := string(runes[page.Begin:page.End])
		inner := func(begins []int) map[int]bool {
			set := map[int]bool{}
			for _, b := range begins {
				set[b] = true
			}
			for begin := range eachParagraph(text) {
				delete(set, page.Begin+points(text[:begin]))
			}
			return set
		}
		var found []int
		for p := range BySentences(text) {
			found = append(found, page.Begin+points(text[:p.Begin]))
		}
		got, want := inner(found), inner(page.Sentences)
		for b := range got {
			if want[b] {
				right++
				continue
			}
			wrong++
			t.Logf("%s: no sentence begins at %q", page.Book, string(runes[b:b+30]))
		}
		for b := range want {
			if !got[b] {
				missed++
				t.Logf("%s: a sentence begins at %q", page.Book, strings.TrimSpace(string(runes[b:b+30])))
			}
		}
	}
	f1 := 2 * float64(right) / float64(2*right+wrong+missed)
	t.Logf("%d right, %d wrong, %d missed: F1 %.3f", right, wrong, missed, f1)
	if f1 < 0.98 {
		t.Errorf("F1 %.3f", f1)
	}
}
