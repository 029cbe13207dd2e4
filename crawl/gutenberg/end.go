package gutenberg

import "strings"

// back is how far from a file's end the weaker end lines count. The licence
// that follows them is about 19 KB.
const back = 48 << 10

// findEnd is the byte at which the footer begins, not before from, and the
// lines that showed it.
func findEnd(text string, from int) (int, []string) {
	if at, marks := findStarredEnd(text, from); marks != nil {
		// "End of the Project Gutenberg EBook of Emma, by Jane Austen" is above.
		if above, line := softEnd(text, max(from, at-1000), at); line != "" && onlyFrame(text[above:at]) {
			return dropNotice(text, from, above), append([]string{line}, marks...)
		}
		return dropNotice(text, from, at), marks
	}
	if at, line := softEnd(text, max(from, len(text)-back), len(text)); line != "" {
		return dropNotice(text, from, at), []string{line}
	}
	if at, line := licenceHead(text, max(from, len(text)-back)); line != "" {
		return at, []string{line}
	}
	return len(text), nil
}

// findStarredEnd finds the last "*** END OF THE PROJECT GUTENBERG EBOOK" line
// after from. The last, because collections hold the frames of their parts.
func findStarredEnd(text string, from int) (int, []string) {
	for to := len(text); to > from; {
		i := strings.LastIndex(text[from:to], "***")
		if i < 0 {
			break
		}
		begin := max(lineBegin(text, from+i), from)
		l := lineAt(text, begin)
		if s := l.trimmed(text); isStarredEnd(s) {
			return l.begin, []string{s}
		}
		to = begin
	}
	return 0, nil
}

func isStarredEnd(s string) bool {
	if !strings.HasPrefix(s, "***") {
		return false
	}
	words := strings.TrimLeft(s, "* ")
	for _, p := range []string{
		"end of the project gutenberg", "end of this project gutenberg", "end of project gutenberg",
		"end of the copyrighted project gutenberg", "end of this copyrighted project gutenberg",
	} {
		if hasPrefixFold(words, p) {
			return true
		}
	}
	return false
}

// softEnd finds the first line in [from, to) that says in words that the text ends.
func softEnd(text string, from, to int) (int, string) {
	i := from
	if i > 0 && i < len(text) && lineBegin(text, i) != i {
		i = lineAt(text, i).next
	}
	for i < to {
		l := lineAt(text, i)
		if s := l.trimmed(text); isSoftEnd(s) {
			return l.begin, s
		}
		i = l.next
	}
	return 0, ""
}

// isSoftEnd recognises the last line of a book in files of all times, in
// English, German, French, Dutch, Italian, Spanish, Portuguese and Finnish.
func isSoftEnd(s string) bool {
	s = strings.TrimLeft(s, "*[ ")
	if hasPrefixFold(s, "this is a copyrighted project gutenberg etext, details above") {
		return true
	}
	for _, p := range []string{"end of", "ende d", "fin de", "fin du", "einde van", "fine del", "fine di", "fim d", "this is the end of", "the end of", "end project gutenberg"} {
		if !hasPrefixFold(s, p) {
			continue
		}
		rest := strings.ToLower(s[len(p):min(len(s), len(p)+60)])
		return strings.Contains(rest, "project gutenberg") || strings.Contains(rest, "projekt gutenberg") ||
			strings.Contains(rest, "gutenberg etext") || strings.Contains(rest, "gutenberg ebook") ||
			strings.HasPrefix(rest, "ieses etext") || strings.HasPrefix(rest, "ieses e-text") || strings.HasPrefix(rest, " this etext") || strings.HasPrefix(rest, " the etext") || strings.HasPrefix(rest, " this ebook")
	}
	return false
}

// licenceHead finds where a licence begins that has no end line above it.
func licenceHead(text string, from int) (int, string) {
	i := from
	if i > 0 && i < len(text) && lineBegin(text, i) != i {
		i = lineAt(text, i).next
	}
	for i < len(text) {
		l := lineAt(text, i)
		s := l.trimmed(text)
		if (hasPrefixFold(s, "*** start: full license ***") || hasPrefixFold(s, "the full project gutenberg license")) && isLicence(text[l.begin:]) {
			return l.begin, s
		}
		i = l.next
	}
	return 0, ""
}

// dropNotice moves the end of a body up over a notice in double angle brackets
// that mentions Gutenberg: the World Library's, at the end of each of its plays.
func dropNotice(text string, from, end int) int {
	body := strings.TrimRight(text[from:end], space)
	if !strings.HasSuffix(body, ">>") {
		return end
	}
	open := strings.LastIndex(body, "<<")
	if open < 0 || len(body)-open > 2000 || !isNotice(body[open:]) {
		return end
	}
	return from + open
}

func isNotice(s string) bool {
	return strings.HasPrefix(s, "<<") && containsFold(s, "gutenberg")
}
