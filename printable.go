package commonplace

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable is a text from outside as a terminal may show it. Control characters
// are written as \u001b, and so are line separators and the marks that turn the
// direction of a text: they would move the cursor, write the clipboard, or show
// one thing for another. Bytes that are no UTF-8 are written as \x9b. Newlines
// and tabs stay.
func Printable(text string) string {
	bad := strings.IndexFunc(text, func(r rune) bool { return r == utf8.RuneError || commands(r) })
	if bad < 0 {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + 16)
	b.WriteString(text[:bad])
	for i := bad; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case commands(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

// commands says whether a terminal may do something other than show a character.
func commands(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r == 0x061C, r == 0x200E, r == 0x200F, 0x2028 <= r && r <= 0x202E, 0x2066 <= r && r <= 0x2069:
		return true
	}
	return unicode.IsControl(r)
}
