package gutenberg

import "strings"

// front is how far into a file a header can reach. The longest of the old
// "small print" headers, with its newsletters, are under 40 KB.
const front = 64 << 10

// mostMarks are more lines that look like a header's last one than any book has. What is
// before each is looked at, and a text of nothing else took as long as a thousand books.
const mostMarks = 16

// findStart is the byte after the header's last line, and the lines that showed it.
//
// A header can have several marks: the START line of 2004 was put above the
// small print of 1993. A later mark counts when only frame is between. Behind
// mostMarks that do not count, none does.
func findStart(text string) (int, []string) {
	begin, marks, others := 0, []string(nil), 0
	for i := 0; i < len(text) && i < front; {
		l := lineAt(text, i)
		s := l.trimmed(text)
		next := l.next
		if isStart(s) {
			next = wrapped(text, l, s)
			if marks == nil || onlyFrame(text[begin:l.begin]) {
				begin = next
				marks = append(marks, s)
			} else if others++; others == mostMarks {
				break
			}
		}
		i = next
	}
	return begin, marks
}

// isStart recognises the last line of a header.
func isStart(s string) bool {
	if len(s) < 12 || s[0] != '*' {
		return false
	}
	words := strings.TrimLeft(s, "* ")
	switch {
	case hasPrefixFold(words, "start of the project gutenberg"),
		hasPrefixFold(words, "start of this project gutenberg"),
		hasPrefixFold(words, "start of project gutenberg"),
		hasPrefixFold(words, "start of the copyrighted project gutenberg"),
		hasPrefixFold(words, "start of this copyrighted project gutenberg"):
		return true
	case hasPrefixFold(words, "start"):
		return false // "***START**THE SMALL PRINT!" begins what "*END*" ends
	}
	return isSmallPrintEnd(s)
}

// isSmallPrintEnd recognises "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN
// ETEXTS*Ver.04.29.93*END*", its variants, and the line of asterisks and the
// words SMALL PRINT that closes the World Library's conditions.
func isSmallPrintEnd(s string) bool {
	words := strings.TrimLeft(s, "* ")
	if hasPrefixFold(words, "end") {
		words = strings.TrimLeft(words[3:], "* ")
		return hasPrefixFold(words, "the small print") || hasPrefixFold(words, "small print")
	}
	return hasPrefixFold(words, "small print! for") && strings.HasSuffix(s, "*")
}

// wrapped is the byte after a START or END mark that goes on over the next
// line or two because the title is long: it ends where asterisks do.
func wrapped(text string, l line, s string) int {
	if len(s) > 3 && strings.HasSuffix(s, "**") || isSmallPrintEnd(s) {
		return l.next
	}
	next := l
	for range 3 {
		if next.next >= len(text) {
			break
		}
		next = lineAt(text, next.next)
		t := next.trimmed(text)
		if t == "" {
			break
		}
		if strings.HasSuffix(t, "**") {
			return next.next
		}
	}
	return l.next
}

// onlyFrame says that what is between two marks is no part of a book: most
// of its paragraphs speak of Gutenberg's own affairs.
func onlyFrame(between string) bool {
	all, own := 0, 0
	for i := 0; i < len(between); {
		begin, end := paragraph(between, i, front)
		if begin == end {
			break
		}
		i = end
		size := end - begin
		all += size
		if isOwnAffair(between[begin:end]) {
			own += size
		}
	}
	return 2*own >= all
}

// isOwnAffair recognises paragraphs of headers, credits and licences.
func isOwnAffair(p string) bool {
	p = strings.ToLower(p)
	for _, words := range []string{
		"gutenberg", "etext", "e-text", "ebook", "small print", "produced by", "prepared by",
		"copyright laws", "volunteer", "donation", "public domain", "character set encoding",
		"the project", "refund", "warrant", "indemnity", "ftp", "license", "licence", "trademark",
	} {
		if strings.Contains(p, words) {
			return true
		}
	}
	return false
}
