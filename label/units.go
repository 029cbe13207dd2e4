package label

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"

	"github.com/commonplace/commonplace"
)

// WordUnits are the words of a turn without a dictionary, as [Dictionary.Units] has them.
func WordUnits(turn string) []commonplace.Span { return (*Dictionary)(nil).Units(turn) }

// Units are the words of a turn, for conversations that can break off between any two.
// The dictionary says what is a word. Without one, a text whose Han characters stand in
// runs between white space, as corpora that a tokenizer has been over have them, breaks off
// at the white space; in any other one every Han character is a word, for Unicode's word
// boundaries (UAX #29) know no dictionary. Punctuation belongs to the word before it, also
// over white space; an opening mark, and what a turn begins with, to the word after it.
func (d *Dictionary) Units(turn string) []commonplace.Span {
	var spans []commonplace.Span
	segmented := d == nil && segmentedHan(turn)
	point := 0
	grow := false   // the next piece belongs to the last span
	opened := false // so far it has marks and no word
	for _, piece := range d.pieces(turn) {
		begin := point
		end := begin + utf8.RuneCountInString(piece)
		point = end
		switch {
		case blank(piece):
			grow = false
		case len(spans) > 0 && (opened || grow && segmented || !worded(piece) && !opens(piece)):
			spans[len(spans)-1].End = end
			grow, opened = true, opened && !worded(piece)
		default:
			spans = append(spans, commonplace.Span{Begin: begin, End: end})
			grow, opened = true, !worded(piece)
		}
	}
	return spans
}

// pieces are the words, marks and white space of a text: all of it.
func (d *Dictionary) pieces(text string) []string {
	var all []string
	start := 0 // of the pieces since the last white space
	join := func() {
		if d == nil || start == len(all) {
			return
		}
		run := slices.Clone(all[start:])
		all = all[:start]
		for _, n := range d.words(run) {
			all = append(all, strings.Join(run[:n], ""))
			run = run[n:]
		}
	}
	for it := words.FromString(text); it.Next(); {
		if !blank(it.Value()) {
			all = append(all, it.Value())
			continue
		}
		join()
		all = append(all, it.Value())
		start = len(all)
	}
	join()
	return all
}

// UndividedHan says that turns have Han characters side by side, and white space between such
// characters in none of them: only a dictionary can tell their words.
func UndividedHan(turns []string) bool {
	if slices.ContainsFunc(turns, segmentedHan) {
		return false
	}
	return slices.ContainsFunc(turns, func(turn string) bool {
		before := false
		for _, r := range turn {
			han := unicode.Is(unicode.Han, r)
			if han && before {
				return true
			}
			before = han
		}
		return false
	})
}

// segmentedHan says that white space stands between two Han characters.
func segmentedHan(text string) bool {
	han, space := false, false
	for _, r := range text {
		switch {
		case isSpace(r):
			space = true
		case unicode.Is(unicode.Han, r):
			if han && space {
				return true
			}
			han, space = true, false
		default:
			han, space = false, false
		}
	}
	return false
}

// opens says that a piece is opening marks: a bracket, a quotation mark.
func opens(s string) bool {
	for _, r := range s {
		if !unicode.In(r, unicode.Ps, unicode.Pi) {
			return false
		}
	}
	return true
}

func blank(s string) bool {
	for _, r := range s {
		if !isSpace(r) {
			return false
		}
	}
	return true
}

func worded(s string) bool {
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return true
		}
	}
	return false
}
