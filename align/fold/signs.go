package fold

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// SameSigns reports whether two texts have the same letters of the scripts whose letters
// share symbols, accents and case aside: folded texts may be equal where these are not.
func SameSigns(a, b string) bool {
	return slices.Equal(sharedSigns(a), sharedSigns(b))
}

func sharedSigns(text string) (signs []rune) {
	for _, r := range text {
		if r < utf8.RuneSelf || expand(r).s[0] < sharedSymbol {
			continue
		}
		for _, c := range norm.NFKD.String(strings.ToLower(string(r))) {
			if unicode.IsLetter(c) || unicode.IsDigit(c) {
				signs = append(signs, c)
			}
		}
	}
	return signs
}

// Shared reports whether the text has letters of the scripts whose letters share symbols.
func (f *Text) Shared() bool {
	return slices.ContainsFunc(f.Sym, func(s byte) bool { return s&Mask >= sharedSymbol })
}

// AppendSigns appends the letters themselves, after folding, of those symbols for which keep holds: two letters that share a
// symbol differ. A Chinese character, which has two symbols, is one letter.
func (f *Text) AppendSigns(signs []rune, text string, keep func(symbol int) bool) []rune {
	for i, s := range f.Sym {
		if !keep(i) {
			continue
		}
		if s &= Mask; s < sharedSymbol && (i == 0 || f.Pos[i] != f.Pos[i-1] || f.Sym[i-1]&Mask < sharedSymbol) {
			signs = append(signs, rune(s))
			continue
		}
		if i > 0 && f.Pos[i] == f.Pos[i-1] {
			continue
		}
		r, _ := utf8.DecodeRuneInString(text[f.Pos[i]:])
		for _, c := range norm.NFKD.String(strings.ToLower(string(r))) {
			if unicode.IsLetter(c) || unicode.IsDigit(c) {
				signs = append(signs, WordStart+c) // beyond all symbols
			}
		}
	}
	return signs
}
