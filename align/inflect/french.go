package inflect

import snowball "github.com/kljensen/snowball/french"

// french is the number of letters that stay of a French word: those that its stem by Snowball has in common with it.
func french(letters []rune) int {
	n := 0
	for _, r := range snowball.Stem(string(letters), true) {
		if n == len(letters) || letters[n] != r {
			break
		}
		n++
	}
	if n < 2 {
		return len(letters)
	}
	return n
}
