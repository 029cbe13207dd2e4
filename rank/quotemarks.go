package rank

import (
	"strings"
	"unicode/utf8"
)

// Unquoted is text[begin:end] without the quotation marks at its edges whose other
// half lies outside of it, as where a line is one sentence of a speech. An
// apostrophe at the end of a word stays.
func Unquoted(text string) (begin, end int) {
	end = len(text)
	for begin < end {
		t := text[begin:end]
		first, n := utf8.DecodeRuneInString(t)
		last, m := utf8.DecodeLastRuneInString(t)
		switch {
		case opensAlone(first, t[n:]):
			begin += n
		case closesAlone(last, t[:len(t)-m]):
			end -= m
		default:
			return begin, end
		}
	}
	return begin, end
}

// opensAlone says that a mark opens what rest does not close.
func opensAlone(mark rune, rest string) bool {
	switch mark {
	case '“', '„':
		return !strings.ContainsAny(rest, "”“")
	case '«':
		return !strings.Contains(rest, "»")
	case '"':
		return !strings.Contains(rest, `"`) // which of several is alone, nothing says
	}
	return false
}

// closesAlone says that a mark closes what rest does not open.
func closesAlone(mark rune, rest string) bool {
	switch mark {
	case '”':
		return !strings.ContainsAny(rest, "“„")
	case '»':
		return !strings.Contains(rest, "«")
	case '"':
		return !strings.Contains(rest, `"`)
	case '’':
		last, _ := utf8.DecodeLastRuneInString(rest)
		return strings.ContainsRune(".,;:!?…", last) && !strings.Contains(rest, "‘")
	}
	return false
}
