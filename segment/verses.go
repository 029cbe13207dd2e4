package segment

import (
	"iter"
	"slices"
)

// ByVerses makes every verse of a scripture a piece and leaves its number out.
// It knows "1:1 In the beginning" with the marks anywhere in a paragraph, also
// as {1:1}, [1:1] and 01:001:001, and, where there are none of these, chapters
// whose lines begin with the verse's number. A paragraph or a paragraph's head
// without a number, such as a book's title, is a piece of its own.
//
// A number counts as a verse's only where it follows on the one before: the
// next verse, or verse 1 of another chapter.
func ByVerses(text string) iter.Seq[Piece] {
	return func(yield func(Piece) bool) {
		marks := verseMarks(text)
		next := 0
		for begin, end := range eachParagraph(text) {
			for next < len(marks) && marks[next].begin < begin {
				next++
			}
			from := begin
			for {
				to := end
				if next < len(marks) && marks[next].begin < end {
					to = marks[next].begin
				}
				if b, e := trim(text, from, to); b < e && !yield(Piece{b, e, Words(text[b:e])}) {
					return
				}
				if to == end {
					break
				}
				from = marks[next].end
				next++
			}
		}
	}
}

// verseMark is a verse's number in a text.
type verseMark struct{ begin, end, chapter, verse int }

// verseMarks finds the numbers of verses in order.
func verseMarks(text string) []verseMark {
	if marks := slices.Collect(colonMarks(text)); len(marks) > 1 {
		return marks
	}
	return lineMarks(text)
}

// follows says that a mark can come after another.
func (m verseMark) follows(before verseMark) bool {
	return m.chapter == before.chapter && m.verse == before.verse+1 || m.verse == 1 && m.chapter != before.chapter ||
		m.verse == 1 && m.chapter == 1
}

// colonMarks finds 1:1, {1:1}, [1:1] and 01:001:001 between white space.
func colonMarks(text string) iter.Seq[verseMark] {
	return func(yield func(verseMark) bool) {
		var last verseMark // its end is 0 before the first
		for i := 0; i < len(text); i++ {
			c := text[i]
			if c < '0' || c > '9' {
				continue
			}
			begin := i
			for i < len(text) && (text[i] >= '0' && text[i] <= '9' || text[i] == ':') {
				i++
			}
			m, ok := parseColons(text[begin:i])
			if !ok {
				continue
			}
			m.begin, m.end = begin, i
			if begin > 0 && i < len(text) && (text[begin-1] == '{' && text[i] == '}' || text[begin-1] == '[' && text[i] == ']') {
				m.begin, m.end = begin-1, i+1
			}
			if m.begin > 0 && asciiSpace[text[m.begin-1]] == 0 || m.end < len(text) && asciiSpace[text[m.end]] == 0 {
				continue
			}
			if last.end == 0 && m.verse == 1 || last.end > 0 && m.follows(last) {
				if last = m; !yield(m) {
					return
				}
			}
		}
	}
}

// parseColons reads chapter:verse or book:chapter:verse.
func parseColons(s string) (m verseMark, ok bool) {
	var numbers [4]int
	n, digits := 0, 0
	for i := range len(s) {
		if s[i] == ':' {
			if digits == 0 || n == 2 {
				return m, false
			}
			n, digits = n+1, 0
			continue
		}
		if digits++; digits > 3 {
			return m, false
		}
		numbers[n] = numbers[n]*10 + int(s[i]-'0')
	}
	if n == 0 || digits == 0 {
		return m, false
	}
	return verseMark{chapter: numbers[n-1], verse: numbers[n]}, true
}

// lineMarks finds lines that begin with the verse's number: "1 In the
// beginning", "1. In the beginning". The number 1 begins another chapter.
func lineMarks(text string) []verseMark {
	var marks []verseMark
	chapter, verse := 0, 0
	for l := range eachLine(text) {
		begin := skipSpace(text[:l.end], l.begin)
		i, number := begin, 0
		for i < l.end && i-begin < 3 && text[i] >= '0' && text[i] <= '9' {
			number = number*10 + int(text[i]-'0')
			i++
		}
		if i == begin {
			continue
		}
		if i < l.end && text[i] == '.' {
			i++
		}
		if i >= l.end || spaceLen(text, i) == 0 || skipSpace(text[:l.end], i) == l.end {
			continue
		}
		switch {
		case number == 1:
			chapter++
		case number != verse+1:
			continue
		}
		verse = number
		marks = append(marks, verseMark{begin, i, chapter, verse})
	}
	return marks
}
