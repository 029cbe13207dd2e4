package standalone

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/sorting"
)

// A page for people keeps to the columns that it has, also in the line of the book.
func TestInMarks(t *testing.T) {
	for text, want := range map[string]string{
		"Know thyself.":               "“Know thyself.”",
		"“Know thyself.”":             "“Know thyself.”",
		`"Know thyself."`:             "“Know thyself.”",
		"“Know,” he said, “thyself.”": "“Know,” he said, “thyself.”",
		"He said: “Know thyself.”":    "He said: “Know thyself.”",
		"He said “no” to us.":         "“He said “no” to us.”",
	} {
		if got := inMarks(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestAPageKeepsToItsWidth(t *testing.T) {
	for _, width := range []int{0, 40, 60, 80} {
		var sorted sorting.Sorter
		defer sorted.Close()
		r := Found{
			QuoteID: "a:1", QuoteText: strings.Repeat("a wheel which does not turn ", 5), QuoteAuthor: "Ann Miller",
			SourceTitle: "The Mill on the Floss, and Other Stories of Wheels that Turn", SourceAuthor: "Ann Miller", Chapter: "CHAPTER THE FIRST · In which the Wheel is Turned",
			SourceBegin: 123456, SourceEnd: 123489, SourceText: strings.Repeat("a wheel which does not turn ", 5), Before: "The miller said that ", After: " and went home.",
			Similarity: 1, Attributed: commonplace.AttributedOther,
		}
		if err := add(&sorted, []byte("k"), r); err != nil {
			t.Fatal(err)
		}
		var page bytes.Buffer
		if err := (Find{Width: width}).writeText(&page, &sorted, []commonplace.Quote{{ID: "a:2", Text: strings.Repeat("nobody wrote this ", 6)}}); err != nil {
			t.Fatal(err)
		}
		most := 80
		if width > 0 {
			most = width
		}
		longest := 0
		for line := range strings.Lines(page.String()) {
			longest = max(longest, utf8.RuneCountInString(strings.TrimRight(line, "\n")))
		}
		if longest > most || longest < most-15 {
			t.Errorf("of %d columns the page has %d:\n%s", width, longest, page.String())
		}
		if !strings.Contains(page.String(), "[123456:123489]  100 %,") {
			t.Errorf("the offsets are torn:\n%s", page.String())
		}
	}
}
