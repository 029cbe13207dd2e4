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
