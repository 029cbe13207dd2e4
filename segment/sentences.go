package segment

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// BySentences cuts at the sentence boundaries of Unicode (UAX #29), tailored as
// its section 5 asks for: a sentence does not end at an abbreviation or an
// initial, nor between what is said and who says it ("Poor devil!" he said);
// single line breaks are no more than spaces; it never goes over a blank line.
func BySentences(text string) iter.Seq[Piece] { return bySentences(text, false) }

// ByClauses cuts as RELiC does (Appendix A of the paper): like [BySentences],
// and also after ellipses, colons and semicolons.
func ByClauses(text string) iter.Seq[Piece] { return bySentences(text, true) }

func bySentences(text string, clauses bool) iter.Seq[Piece] {
	return func(yield func(Piece) bool) {
		var flat []byte
		put := func(begin, end int) bool {
			if begin, end = trim(text, begin, end); begin == end {
				return true
			}
			return yield(Piece{begin, end, Words(text[begin:end])})
		}
		for begin, end := range eachParagraph(text) {
			flat = flatten(flat[:0], text[begin:end])
			from := begin // where the sentence begins
			for at := range cuts(flat, clauses) {
				if !put(from, begin+at) {
					return
				}
				from = begin + at
			}
			if !put(from, end) {
				return
			}
		}
	}
}

// flatten copies a paragraph with its line breaks as spaces, byte for byte.
// Unicode's rules end a sentence at every line break.
func flatten(into []byte, paragraph string) []byte {
	into = append(into, paragraph...)
	for i, c := range into {
		if c == '\n' || c == '\r' {
			into[i] = ' '
		}
	}
	return into
}

// cuts yields where sentences after the first begin.
func cuts(flat []byte, clauses bool) iter.Seq[int] {
	return func(yield func(int) bool) {
		s := string(flat)
		lastWord := strings.LastIndexFunc(s, unicode.IsLetter) // no sentence begins after it
		from := 0                                              // where the sentence so far begins
		worded, upTo := false, 0                               // whether it has a word before upTo
		cut := func(at int) bool {
			from, worded, upTo = at, false, at
			return yield(at)
		}
		hasLeft := func(at int) bool {
			worded, upTo = worded || hasWord(s[min(upTo, at):at]), at
			return worded
		}
		it := sentences.FromString(quickStops(s))
		for it.Next() {
			at := it.End()
			if mark := strings.TrimPrefix(s[at:], "»"); len(mark) < len(s)-at && at < len(s) { // French sets a space before it
				at = skipSpace(s, len(s)-len(mark))
			}
			if clauses {
				for c := range clauseEnds(s, it.Start(), at) {
					if c <= lastWord && hasLeft(c) && !cut(c) {
						return
					}
				}
			}
			if at > lastWord || !hasLeft(at) || joined(s[from:at], s[at:]) {
				continue // "1. The", ". . ."
			}
			if !cut(at) {
				return
			}
		}
	}
}

// joined says that Unicode's boundary between left and right is none here.
func joined(left, right string) bool {
	if !hasWord(firstPiece(right)) || begins(right, unicode.IsLower) {
		return true
	}
	end := strings.TrimRight(left, " \t\u00a0")
	if endsWithAbbreviation(end, right) {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(end)
	return strings.ContainsRune("”’\"'»", last) && saysWho(right)
}

// firstPiece is the beginning of a text up to its second stop.
func firstPiece(s string) string { return s[:min(len(s), 40)] }

// hasWord says that there is a letter in it.
func hasWord(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }

// begins says that the first letter or digit of s, after opening marks, is of a kind.
func begins(s string, kind func(rune) bool) bool {
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return kind(r)
		}
		if unicode.IsSpace(r) || strings.ContainsRune("_*([{", r) {
			continue
		}
		// After an opening quotation mark another sentence begins, whatever its first letter.
		return false
	}
	return false
}

// clauseEnds yields where clauses end inside a sentence: after an ellipsis, a
// colon or a semicolon that white space follows, with closing marks between.
func clauseEnds(s string, from, to int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := from; i < to; i++ {
			n := clauseMark(s[i:to])
			if n == 0 {
				continue
			}
			i += n
			for i < to {
				r, size := utf8.DecodeRuneInString(s[i:to])
				if !strings.ContainsRune("”’\"')]_.", r) {
					break
				}
				i += size
			}
			if i < to && spaceLen(s, i) > 0 {
				if next := skipSpace(s[:to], i); next < to && !yield(next) {
					return
				}
			}
			i--
		}
	}
}

// clauseMark is the length of the clause mark that s begins with, 0 when with none.
func clauseMark(s string) int {
	switch {
	case s[0] == ':' || s[0] == ';':
		return 1
	case strings.HasPrefix(s, "…"):
		return len("…")
	case strings.HasPrefix(s, "..."):
		return 3
	case strings.HasPrefix(s, ". . ."):
		return 5
	}
	return 0
}
