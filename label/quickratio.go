package label

import (
	"strings"
	"unicode"

	"github.com/commonplace/commonplace/align/lcs"
)

// QuickRatio is RapidFuzz's QRatio as a fraction: twice the length of the longest common
// subsequence of two texts over the sum of their lengths, in lower case and with every
// character that is neither letter nor digit as a space. A text of such alone is like none.
func QuickRatio(a, b string) float64 {
	return ratioAbove(plain(a), plain(b), 0)
}

// ratioAbove is the ratio of two texts that are [plain]; 0 where their lengths or their
// letters alone show that it is below least.
func ratioAbove(x, y []rune, least float64) float64 {
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	both := float64(len(x) + len(y))
	if 2*float64(min(len(x), len(y)))/both < least || least > 0 && 2*float64(sharedLetters(x, y))/both < least {
		return 0
	}
	return 2 * float64(lcs.Runes(x, y)) / both
}

// sharedLetters is at least the length of the longest common subsequence: how many
// characters both have, in any order.
func sharedLetters(x, y []rune) int {
	var counts [64]int // characters of one remainder count as one
	for _, r := range x {
		counts[r&63]++
	}
	n := 0
	for _, r := range y {
		if counts[r&63] > 0 {
			counts[r&63]--
			n++
		}
	}
	return n
}

// plain are the characters that are compared; none for a text without letters and digits.
func plain(text string) []rune {
	folded := strings.Trim(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return unicode.ToLower(r)
		}
		return ' '
	}, text), " ")
	if folded == "" {
		return nil
	}
	return []rune(folded)
}
