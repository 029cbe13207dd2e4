package label

import (
	"unicode"

	"github.com/clipperhouse/uax29/v2/words"

	"github.com/commonplace/commonplace"
)

// WordUnits are the words of a turn, for conversations that can break off
// between any two. A text whose Han characters stand in runs between white
// space, as corpora that a tokenizer has been over have them, breaks off at the
// white space; in any other one every Han character is a word, for Unicode's
// word boundaries (UAX #29) know no dictionary. Punctuation belongs to the word
// before it, also over white space; an opening mark, and what a turn begins with,
// to the word after it.
func WordUnits(turn string) []commonplace.Span {
	var spans []commonplace.Span
	segmented := segmentedHan(turn)
	point := 0
	grow := false   // the next piece belongs to the last span
	opened := false // so far it has marks and no word
	for it := words.FromString(turn); it.Next(); {
		piece := it.Value()
		begin := point
		end := begin + len([]rune(piece))
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
