package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A megabyte of spaces behind a full stop takes Unicode's rules a quarter of an hour as the
// library has them: from each space anew it looks ahead for a small letter (SB8 of UAX #29).
// Behind an exclamation mark it does not look, and where no small letter follows, both
// marks end a sentence at the same place (SB8a to SB11).

// longRun is how many bytes of marks and spaces behind a full stop are too many to look
// ahead from each.
const longRun = 16

// quickStops has an exclamation mark of the same length in the place of each full stop
// that a long run of marks and spaces follows, and no small letter behind it.
func quickStops(s string) string {
	var changed []byte
	for i := 0; i < len(s); i++ {
		size := fullStop(s, i)
		if size == 0 {
			continue
		}
		if isSlow(s[i+size:]) {
			if changed == nil {
				changed = []byte(s)
			}
			copy(changed[i:i+size], map[int]string{1: "!", 3: "！"}[size])
		}
		i += size - 1
	}
	if changed == nil {
		return s
	}
	return string(changed)
}

// fullStop is the length of the full stop at byte i, 0 where there is none.
func fullStop(s string, i int) int {
	switch {
	case s[i] == '.':
		return 1
	case s[i] == 0xe2 && strings.HasPrefix(s[i:], "\u2024"),
		s[i] == 0xef && (strings.HasPrefix(s[i:], "\ufe52") || strings.HasPrefix(s[i:], "\uff0e")):
		return 3
	}
	return 0
}

// isSlow says that a long run of marks and spaces begins a text, and no small letter
// follows it before another letter or stop.
func isSlow(after string) bool {
	run, marked := 0, false
	for run < len(after) {
		r, size := utf8.DecodeRuneInString(after[run:])
		if endsLook(r) || unicode.IsNumber(r) {
			break
		}
		marked = marked || !unicode.In(r, unicode.M, unicode.Cf) // these belong to the full stop
		run += size
	}
	if run < longRun || !marked {
		return false
	}
	for _, r := range after[run:] {
		if endsLook(r) {
			return !unicode.IsLower(r) && !unicode.Is(unicode.Other_Lowercase, r)
		}
	}
	return true
}

// endsLook says that the library looks no further: at a letter, a stop, a paragraph's end.
func endsLook(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || strings.ContainsRune(".!?\n\r", r)
	}
	if unicode.Is(unicode.M, r) {
		return false
	}
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Other_Alphabetic, unicode.Sentence_Terminal) ||
		strings.ContainsRune("\u0085\u05f3\u2024\u2028\u2029", r)
}
