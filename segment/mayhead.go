package segment

import "strings"

// openers are the first words of headings in capitals: keywords, numbers in
// words, headings that stand alone.
var openers = func() map[string]opener {
	m := map[string]opener{"THE": opensSecond}
	for w := range numberWords {
		m[strings.ToUpper(w)] = opensSecond
	}
	for w := range alone {
		first, _, _ := strings.Cut(w, " ")
		if m[first] == 0 {
			m[first] = opensAny
		}
	}
	for w := range keywords {
		m[w] = opensAny
	}
	return m
}()

// opener says what a first word tells of its line.
type opener uint8

const (
	opensNothing opener = iota
	opensAny            // the line may be a heading
	opensSecond         // it may be one if the second word opens one, too, or there is none
)

// mayHead says quickly, and without memory, that a paragraph may begin with a
// heading. Nearly every paragraph of a book has a first word that rules it out.
func mayHead(p string) bool {
	i := 0
	for i < len(p) && (strings.IndexByte(" \t_*=[](){}-#~|.", p[i]) >= 0 || strings.HasPrefix(p[i:], "—") || strings.HasPrefix(p[i:], "–")) {
		if p[i] >= 0x80 {
			i += 2
		}
		i++
	}
	switch kind, end := openerAt(p, i); kind {
	case opensAny:
		return true
	case opensSecond:
		for end < len(p) && (p[end] == ' ' || p[end] == '\t') {
			end++
		}
		if end >= len(p) || asciiSpace[p[end]] != 0 || strings.IndexByte("_*=.:])}-~|", p[end]) >= 0 || p[end] == 0xe2 {
			return true
		}
		second, _ := openerAt(p, end)
		return second != opensNothing || hasFold(p[end:], "EPILOGUE") || hasFold(p[end:], "PROLOGUE")
	}
	return false
}

// openerAt reads the word at byte i and says where it ends.
func openerAt(p string, i int) (opener, int) {
	var upper [24]byte
	n, digits, roman := 0, 0, 0
	for i < len(p) && n < len(upper) {
		c := p[i]
		switch {
		case c >= 'a' && c <= 'z':
			c -= 'a' - 'A'
		case c >= '0' && c <= '9':
			digits++
		case c >= 'A' && c <= 'Z', c >= 0x80 && c != 0xe2:
		default:
			goto end
		}
		if strings.IndexByte("IVXLC", c) >= 0 {
			roman++
		}
		upper[n] = c
		n++
		i++
	}
end:
	switch {
	case n == 0 || n == len(upper):
		return opensNothing, i
	case digits == n || roman == n:
		return numberOpens(p, i), i
	}
	if kind := openers[string(upper[:n])]; kind != opensNothing {
		return kind, i
	}
	for j := range n { // É in small letters: let the slow way decide
		if upper[j] >= 0x80 {
			return opensAny, i
		}
	}
	return opensNothing, i
}

// numberOpens says that a number in digits or Roman numerals stands alone or
// before a stop. Anything else, such as "I am", is prose.
func numberOpens(p string, i int) opener {
	for i < len(p) && (p[i] == ' ' || p[i] == '\t') {
		i++
	}
	if i >= len(p) || strings.IndexByte("\r\n.:])}-_*=~|", p[i]) >= 0 || p[i] == 0xe2 {
		return opensAny
	}
	return opensNothing
}

func hasFold(s, upper string) bool {
	return len(s) >= len(upper) && strings.EqualFold(s[:len(upper)], upper)
}
