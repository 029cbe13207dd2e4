package tokenizer

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// mostTranslated leaves room for a hundred sets such as \w.
const mostTranslated = 2 << 20

// otherwise are what Go's engine takes and Oniguruma reads otherwise.
var otherwise = regexp.MustCompile(`^(?:\\[bBQC]|\(\?[a-zA-Z-]*[msUx-][a-zA-Z-]*[:)]|\{,|\{[0-9]+\}\?)`)

// translated writes an expression of Oniguruma's (with Ruby's syntax, as the
// reference compiles it) for Go's engine: \s, \d and \w are Unicode's, and ^ and $
// stand at every line. What both take and read differently is an error.
// A shorthand of two bytes becomes 15 KB: [mostTranslated] is how many bytes all of it may.
func translated(source string) (string, error) {
	var out strings.Builder
	inClass := false
	for i := 0; i < len(source); i++ {
		if out.Len() > mostTranslated {
			return "", fmt.Errorf("it has more than %d bytes with its sets of characters written out", mostTranslated)
		}
		rest := source[i:]
		if found := otherwise.FindString(rest); !inClass && found != "" {
			return "", fmt.Errorf("%s means something else here", found)
		}
		switch c := source[i]; {
		case c == '\\' && len(rest) > 1:
			i++
			same, err := shorthand(source[i], inClass)
			if err != nil {
				return "", err
			}
			out.WriteString(same)
		case inClass && (c == '[' || strings.HasPrefix(rest, "&&")):
			return "", fmt.Errorf("a set of characters within another (%.2s)", rest)
		case !inClass && (c == '^' || c == '$'):
			out.WriteString("(?m:" + string(c) + ")")
		default:
			if c == '[' || c == ']' {
				inClass = c == '['
			}
			out.WriteByte(c)
		}
	}
	return out.String(), nil
}

// shorthand is what follows a backslash, with the backslash.
func shorthand(c byte, inClass bool) (string, error) {
	const (
		space = `\t-\r\x{85}\p{Z}`
		digit = `\p{Nd}`
	)
	set := ""
	switch c {
	case 's', 'S':
		set = space
	case 'd', 'D':
		set = digit
	case 'w', 'W':
		set = wordSet()
		if !inClass { // the reference's own inconsistency
			set += "²³¹¼-¾"
		}
	default:
		return `\` + string(c), nil
	}
	negated := c < 'a'
	switch {
	case inClass && negated:
		return "", fmt.Errorf(`a complement within a set of characters (\%c)`, c)
	case inClass:
		return set, nil
	case negated:
		return "[^" + set + "]", nil
	}
	return "[" + set + "]", nil
}

// wordSet is \w as ranges: what the pre-tokenizer Whitespace takes for it, but for
// the joiners of letters.
var wordSet = sync.OnceValue(func() string {
	var set strings.Builder
	word := func(r rune) bool { return classOf(r)&isWord != 0 && r != '\u200c' && r != '\u200d' }
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !word(r) {
			continue
		}
		first := r
		for word(r + 1) {
			r++
		}
		fmt.Fprintf(&set, `\x{%x}-\x{%x}`, first, r)
	}
	return set.String()
})
