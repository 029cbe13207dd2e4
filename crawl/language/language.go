// Package language identifies the language of a text whose source does not say
// it. The statistics are whatlanggo's: trigrams of 84 languages in a quarter of
// a megabyte. They are made for short texts and lose their sense of certainty in
// long ones, so stretches from all over a text vote.
package language

import (
	"unicode"
	"unicode/utf8"

	"github.com/abadojack/whatlanggo"
)

const (
	few, many = 3, 15 // stretches that are asked: few, and many where those are not of one certain mind
	window    = 400   // code points
	fewest    = 80    // letters of a window that votes
	majority  = 0.6   // of the stretches
	certainty = 0.4   // of a vote that counts, as whatlanggo gives it
	certain   = 0.9   // of each of the few that decide alone
)

// Nynorsk takes votes from Swedish, and is written in few books.
var options = whatlanggo.Options{Blacklist: map[whatlanggo.Lang]bool{whatlanggo.Nno: true}}

// Identify is the ISO 639 code of a text's language, of two letters where there
// is one, and empty when it is not certain: in a short text, in two languages at
// once, or in one that the statistics do not know, such as Latin.
func Identify(text string) string {
	if lang := vote(text, few, 1, certain); lang != "" {
		return lang
	}
	return vote(text, many, majority, certainty)
}

// vote asks stretches at even distances for the language of most of them.
func vote(text string, stretches int, share, certainty float64) string {
	votes := map[whatlanggo.Lang]int{}
	all := 0
	step := max(len(text)/stretches, window)
	for at := step / 2; at-step/2 < len(text); at += step {
		s := part(text, min(at, max(0, len(text)-window)))
		if letters(s) < fewest {
			continue
		}
		all++
		if info := whatlanggo.DetectWithOptions(s, options); info.Lang >= 0 && info.Confidence >= certainty {
			votes[info.Lang]++
		}
	}
	for lang, n := range votes {
		if float64(n) >= share*float64(all) { // of at most one
			if code := lang.Iso6391(); code != "" {
				return code
			}
			return lang.Iso6393()
		}
	}
	return ""
}

// part is a window of a text.
func part(text string, begin int) string {
	for begin < len(text) && !utf8.RuneStart(text[begin]) {
		begin++
	}
	end := begin
	for n := 0; n < window && end < len(text); n++ {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return text[begin:end]
}

func letters(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}
