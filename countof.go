package commonplace

import (
	"fmt"
	"strings"
)

// CountOf is a number with the noun of what is counted: 1 row, 2 rows, 0 entries.
// It takes the noun in the singular.
func CountOf[N int | int64](n N, noun string) string {
	return fmt.Sprintf("%d %s", n, NounOf(n, noun))
}

// NounOf is the noun alone, in the number that n wants.
func NounOf[N int | int64](n N, noun string) string {
	stem, y := strings.CutSuffix(noun, "y")
	switch {
	case n == 1:
		return noun
	case y && !strings.ContainsAny(stem[max(0, len(stem)-1):], "aeiou"):
		return stem + "ies"
	}
	for _, hiss := range []string{"s", "x", "ch", "sh"} {
		if strings.HasSuffix(noun, hiss) {
			return noun + "es"
		}
	}
	return noun + "s"
}
