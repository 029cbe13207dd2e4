package marks

import (
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// The marks that close are found as before where kinds are mixed.
func TestQuotationsOfMixedMarks(t *testing.T) {
	text := strings.Repeat("“one two three ‘four five six’ seven” ", 2) + "“never closed at all ‘eight nine ten’"
	var got []string
	for _, s := range Quotations(text) {
		got = append(got, commonplace.Slice(text, s))
	}
	want := []string{"one two three ‘four five six’ seven", "four five six", "one two three ‘four five six’ seven", "four five six", "eight nine ten"}
	if !slices.Equal(got, want) {
		t.Errorf("quotations %q", got)
	}
}

// A line that is set in is a block quote where blank lines part it from the rest,
// or where there are two; the first line of a paragraph is none.
func TestBlockQuotesAreSetOff(t *testing.T) {
	const line, more = "   Some words that are set in", "   and some more of them"
	for text, want := range map[string][]string{
		"Prose before it all.\n\n" + line + "\nand then it goes on as prose does.\n": nil,
		"Prose before it all.\n" + line + "\n\nand then another.\n":                  nil,
		"Prose before it all.\n\n" + line + "\n\nand then another.\n":                {"Some words that are set in"},
		line + "\n\nProse.\n":                                     {"Some words that are set in"},
		"Prose.\n\n" + line:                                       {"Some words that are set in"},
		"Prose.\n" + line + "\n" + more + "\nProse.\n":            {"Some words that are set in\n   and some more of them"},
		"Prose.\n\n" + line + "\n\n" + more + "\nand prose again": {"Some words that are set in\n\n   and some more of them"},
		"> Some words that are set in\n> and some more of them":   {"Some words that are set in\n> and some more of them"},
	} {
		var got []string
		for _, s := range Quotations(text) {
			got = append(got, commonplace.Slice(text, s))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q has the quotations %q, want %q", text, got, want)
		}
	}
}
