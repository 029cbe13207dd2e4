// Package inflect hides the endings of inflected words, so that the aligner compares stems.
//
// A hidden letter is moved to the last but one plane of Unicode, which is for private use: it is no
// letter to the aligner, and the text keeps its length in code points. So offsets into a
// text with hidden endings are offsets into the text itself, and [Show] gives the letters back.
//
// Latin has the suffix lists of Schinke, Greengrass, Robertson and Willett (1996), "A stemming
// algorithm for Latin text databases", Journal of Documentation 52; see latin.go. French has Snowball's
// stemmer. Ancient Greek has a list of our own; see greek.go.
package inflect

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/commonplace/commonplace/align/fold"
)

// Languages are those whose endings can be hidden, by their ISO 639-1 codes.
var Languages = []string{"la", "el", "fr"}

// stems is, for a language, the number of letters that stay of a word. The word is in lower case,
// without accents except in French, and has at least two letters.
var stems = map[string]func(letters []rune) int{"la": latin, "el": greek, "fr": french}

// Hide hides the endings of all words of a text in UTF-8. A text that has hidden letters already, or characters
// of the same plane, is returned as it is, and false with it: its letters could not be given back.
func Hide(text, language string) (string, bool) {
	if strings.ContainsFunc(text, fold.Hidden) {
		return text, false
	}
	stem, accents := stems[language], language == "fr"
	var out strings.Builder
	out.Grow(len(text) + len(text)/2)
	var w word
	for at := 0; at < len(text); {
		if !w.read(text[at:], accents) {
			_, size := utf8.DecodeRuneInString(text[at:])
			out.WriteString(text[at : at+size])
			at += size
			continue
		}
		keep := w.size
		if n := len(w.letters); n > 1 && !w.strange {
			if k := stem(w.letters); k < n {
				keep = w.from[k]
			}
		}
		out.WriteString(text[at : at+keep])
		for _, r := range text[at+keep : at+w.size] {
			out.WriteRune(r + fold.HiddenPlane)
		}
		at += w.size
	}
	return out.String(), true
}

// Show gives a text with hidden endings its letters back.
func Show(text string) string {
	return strings.Map(func(r rune) rune {
		if fold.Hidden(r) {
			return r - fold.HiddenPlane
		}
		return r
	}, text)
}

// word is a run of letters at the beginning of a text.
type word struct {
	letters []rune // in lower case; a ligature is two
	from    []int  // the byte at which each begins
	size    int    // bytes
	strange bool   // it has characters that cannot be hidden
}

// read reads the word at the beginning of text, with or without its accents, and says whether there is one.
func (w *word) read(text string, accents bool) bool {
	*w = word{letters: w.letters[:0], from: w.from[:0]}
	for at, r := range text {
		letter := unicode.IsLetter(r)
		if !letter && (at == 0 || !unicode.Is(unicode.M, r)) {
			break
		}
		w.size = at + utf8.RuneLen(r)
		w.strange = w.strange || r >= 0xfffe // the plane has no more characters
		if !letter {
			continue // an accent goes with its letter
		}
		r = unicode.ToLower(r)
		add := func(r rune) { w.letters, w.from = append(w.letters, r), append(w.from, at) }
		switch {
		case r == 'æ', r == 'œ' && !accents:
			add(map[rune]rune{'æ': 'a', 'œ': 'o'}[r])
			add('e')
		case accents || r < utf8.RuneSelf:
			add(r)
		default:
			base, _ := utf8.DecodeRune(norm.NFD.AppendString(nil, string(r)))
			add(base)
		}
	}
	return w.size > 0
}

// without is the number of letters of a word before the longest of these suffixes, if at least so many stay;
// otherwise all of them.
func without(letters []rune, suffixes map[string]bool, longest, least int) int {
	for n := min(longest, len(letters)-least); n > 0; n-- {
		if suffixes[string(letters[len(letters)-n:])] {
			return len(letters) - n
		}
	}
	return len(letters)
}

// set is a set of words separated by space, and the letters of the longest.
func set(words string) (of map[string]bool, longest int) {
	of = map[string]bool{}
	for _, w := range strings.Fields(words) {
		of[w] = true
		longest = max(longest, utf8.RuneCountInString(w))
	}
	return of, longest
}
