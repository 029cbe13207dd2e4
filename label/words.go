package label

import (
	"strings"
	"unicode"
	"unicode/utf8"

	uax "github.com/clipperhouse/uax29/v2/words"
)

// isSpace says whether Python's str.split splits at r: Unicode white space and
// the four separators U+001C to U+001F, which Go's unicode.IsSpace leaves out.
func isSpace(r rune) bool {
	return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f
}

// wordsBefore is the byte range of the last n words of text[:end], without
// white space around them; empty at end where there is none.
func wordsBefore(text string, end, n int) (from, to int) {
	from, to = end, end
	inside := false // within a word, reading leftwards
	for b, words := end, 0; b > 0; {
		r, size := utf8.DecodeLastRuneInString(text[:b])
		space := isSpace(r)
		if !space && !inside {
			if words == n {
				break
			}
			if words == 0 {
				to = b
			}
			words++
		}
		b -= size
		if !space {
			from = b
		}
		inside = !space
	}
	return from, to
}

// wordsAfter is the byte range of the first n words of text[begin:], without
// white space around them; empty at begin where there is none.
func wordsAfter(text string, begin, n int) (from, to int) {
	from, to = begin, begin
	inside := false
	for b, words := begin, 0; b < len(text); {
		r, size := utf8.DecodeRuneInString(text[b:])
		space := isSpace(r)
		if !space && !inside {
			if words == n {
				break
			}
			if words == 0 {
				from = b
			}
			words++
		}
		b += size
		if !space {
			to = b
		}
		inside = !space
	}
	return from, to
}

// token is a word or mark and where it stands, in code points.
type token struct {
	text       string
	begin, end int
}

// tokens are the words of a text, as Python's str.split gives them.
func tokens(text string) []token {
	out := make([]token, 0, len(text)/5+1) // most words are longer
	point, start, startPoint := 0, -1, 0
	for b, r := range text {
		switch {
		case isSpace(r) && start >= 0:
			out = append(out, token{text[start:b], startPoint, point})
			start = -1
		case !isSpace(r) && start < 0:
			start, startPoint = b, point
		}
		point++
	}
	if start >= 0 {
		out = append(out, token{text[start:], startPoint, point})
	}
	return out
}

// wordsAndMarks are the tokens of a text as models' tokenizers first cut it: words apart at
// white space and at Unicode's word boundaries (UAX #29), so that a mark of punctuation is
// a token of its own. An underscore, which plain texts set about what is in italics, is one.
func wordsAndMarks(text string) []token {
	var out []token
	for _, word := range tokens(text) {
		point := word.begin
		add := func(s string) {
			if s != "" {
				out = append(out, token{s, point, point + utf8.RuneCountInString(s)})
				point = out[len(out)-1].end
			}
		}
		for it := uax.FromString(word.text); it.Next(); {
			rest := it.Value()
			for {
				before, after, found := strings.Cut(rest, "_")
				add(before)
				if !found {
					break
				}
				add("_")
				rest = after
			}
		}
	}
	return out
}
