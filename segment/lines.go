package segment

import (
	"iter"
	"math/bits"
)

// line is bytes [begin, end) of a text without the line break; next is where
// the following line begins.
type line struct{ begin, end, next int }

// eachLine yields the lines of a text. LF, CRLF and a lone CR end a line.
func eachLine(text string) iter.Seq[line] {
	return func(yield func(line) bool) {
		for i := 0; i < len(text); {
			l := lineAt(text, i)
			if !yield(l) {
				return
			}
			i = l.next
		}
	}
}

// lineAt is the line that begins at byte i.
func lineAt(text string, i int) line {
	end := lineBreak(text, i)
	switch {
	case end == len(text):
		return line{i, end, end}
	case text[end] == '\r' && end+1 < len(text) && text[end+1] == '\n':
		return line{i, end, end + 2}
	}
	return line{i, end, end + 1}
}

// lineBreak is the first CR or LF from byte i on, or the end of the text.
func lineBreak(text string, i int) int {
	for ; i+8 <= len(text); i += 8 {
		x := load(text, i)
		lf, cr := x^'\n'*ones, x^'\r'*ones
		// The lowest mark is right; those above it may be borrowed.
		if found := ((lf-ones)&^lf | (cr-ones)&^cr) & highs; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(text); i++ {
		if text[i] == '\n' || text[i] == '\r' {
			break
		}
	}
	return i
}

// ByLines makes every line that is not blank a piece, without the white space
// around it: the lines of a play.
func ByLines(text string) iter.Seq[Piece] {
	return func(yield func(Piece) bool) {
		for l := range eachLine(text) {
			begin, end := trim(text, l.begin, l.end)
			if begin < end && !yield(Piece{begin, end, Words(text[begin:end])}) {
				return
			}
		}
	}
}

// ByVerseLines makes every line of a poem a piece. A number that stands in the
// right margin, two spaces or more after the line, counts lines and is left
// out; so is a line that holds nothing else.
func ByVerseLines(text string) iter.Seq[Piece] {
	return func(yield func(Piece) bool) {
		for l := range eachLine(text) {
			begin, end := trim(text, l.begin, l.end)
			begin, end = withoutMargin(text, begin, end)
			if begin < end && !yield(Piece{begin, end, Words(text[begin:end])}) {
				return
			}
		}
	}
}

// withoutMargin moves end before a line number in the right margin.
func withoutMargin(text string, begin, end int) (int, int) {
	digits := end
	for digits > begin && text[digits-1] >= '0' && text[digits-1] <= '9' {
		digits--
	}
	switch n := end - digits; {
	case n == 0 || n > 5:
		return begin, end
	case digits == begin:
		return begin, begin // only a number
	case digits-begin > 2 && text[digits-2:digits] == "  ":
		return trim(text, begin, digits)
	}
	return begin, end
}

// ByParagraphs makes the text between blank lines a piece: native paragraphs,
// stanzas, headings. A line of nothing but white space is blank.
func ByParagraphs(text string) iter.Seq[Piece] {
	return func(yield func(Piece) bool) {
		for begin, end := range eachParagraph(text) {
			if !yield(Piece{begin, end, Words(text[begin:end])}) {
				return
			}
		}
	}
}

// eachParagraph yields where paragraphs begin and end, without the white space around them.
func eachParagraph(text string) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		begin, end := -1, -1
		for l := range eachLine(text) {
			if b := skipSpace(text[:l.end], l.begin); b < l.end {
				if begin < 0 {
					begin = b
				}
				end = l.end
				continue
			}
			if begin >= 0 {
				if b, e := trim(text, begin, end); !yield(b, e) {
					return
				}
				begin = -1
			}
		}
		if begin >= 0 {
			b, e := trim(text, begin, end)
			yield(b, e)
		}
	}
}
