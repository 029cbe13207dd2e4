package gutenberg

import "strings"

// line is one line of a text: bytes [begin, end) without its line break, and
// the byte at which the next one begins.
type line struct{ begin, end, next int }

// lineAt is the line that begins at byte i. A lone CR ends a line, as on old Macs.
func lineAt(text string, i int) line {
	n := strings.IndexAny(text[i:], "\r\n")
	if n < 0 {
		return line{i, len(text), len(text)}
	}
	next := i + n + 1
	if text[i+n] == '\r' && next < len(text) && text[next] == '\n' {
		next++
	}
	return line{i, i + n, next}
}

// lineBegin is the first byte of the line that holds byte i.
func lineBegin(text string, i int) int { return strings.LastIndexAny(text[:i], "\r\n") + 1 }

// trimmed is the line's text without the white space around it.
func (l line) trimmed(text string) string { return strings.Trim(text[l.begin:l.end], space) }

// paragraph is the run of lines up to the next blank one, from the first line
// at or after byte i that is not blank, at most limit bytes.
func paragraph(text string, i, limit int) (begin, end int) {
	for i < len(text) {
		l := lineAt(text, i)
		if l.trimmed(text) != "" {
			break
		}
		i = l.next
	}
	begin, end = i, i
	for i < len(text) && i-begin < limit {
		l := lineAt(text, i)
		if l.trimmed(text) == "" {
			break
		}
		i, end = l.next, l.end
	}
	return begin, end
}

// hasPrefixFold says that s begins with prefix, which is in lower case, whatever the case of ASCII letters in s.
func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

func containsFold(s, lower string) bool { return strings.Contains(strings.ToLower(s), lower) }
