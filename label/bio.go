package label

import (
	"cmp"
	"slices"

	"github.com/commonplace/commonplace"
)

// Tags of RA-MTR's sequence tagger (Appendix D), IOB2.
const (
	TagBegin   = "B" // first token of the quote
	TagInside  = "I" // its other tokens
	TagOutside = "O"
)

// tag gives the tokens with B on the first that the span touches, I on the rest
// of those, O elsewhere. A token that the span covers in part is covered.
func tag(words []token, begin, end int) (texts, tags []string) {
	texts, tags = make([]string, len(words)), make([]string, len(words))
	started := false
	for i, w := range words {
		texts[i] = w.text
		switch {
		case w.end <= begin || w.begin >= end:
			tags[i] = TagOutside
		case started:
			tags[i] = TagInside
		default:
			tags[i], started = TagBegin, true
		}
	}
	return texts, tags
}

// PieceTags are the tags of word pieces: pieces[i] is how many pieces the i-th
// word has. The pieces of a word with B are B, I, ... I; those of a word with I
// or O repeat it. A word without pieces (a tokenizer that drops it) passes its
// B on to the quote's next word, so that a quote never begins with I.
func PieceTags(tags []string, pieces []int) []string {
	var out []string
	owed := false // a B whose word has no pieces
	for i, t := range tags {
		for k := range pieces[i] {
			switch {
			case t == TagBegin && k == 0, t == TagInside && k == 0 && owed:
				out = append(out, TagBegin)
			case t == TagBegin:
				out = append(out, TagInside)
			default:
				out = append(out, t)
			}
		}
		owed = pieces[i] == 0 && (t == TagBegin || owed && t == TagInside)
	}
	return out
}

// cutPieces fills in the pieces of an example's passage and their tags. spans
// are the pieces' code points in the passage, in order; a piece belongs to the
// first word that it shares a character with, one of white space alone to none.
func cutPieces(e *commonplace.Example, words []token, spans []commonplace.Span) {
	counts := make([]int, len(words))
	offsets := commonplace.NewOffsets(e.PassageText)
	at := 0
	for _, s := range spans {
		for at < len(words) && words[at].end <= s.Begin {
			at++
		}
		if at == len(words) {
			break
		}
		if s.End <= words[at].begin {
			continue
		}
		counts[at]++
		e.Pieces = append(e.Pieces, offsets.Slice(commonplace.Span{Begin: max(s.Begin, words[at].begin), End: s.End}))
	}
	e.PieceTags = PieceTags(e.Tags, counts)
}

// TagAll cuts a text into words and marks and tags them by all spans at once, in code points
// of the text: spans that share a character are one. So a passage that several quotes stand
// in has one row, and no row says O where another says B.
func TagAll(text string, spans []commonplace.Span) (texts, tags []string, merged []commonplace.Span) {
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b commonplace.Span) int {
		return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.End, b.End))
	})
	for _, s := range spans {
		if last := len(merged) - 1; last >= 0 && s.Begin < merged[last].End {
			merged[last].End = max(merged[last].End, s.End)
		} else {
			merged = append(merged, s)
		}
	}
	words := wordsAndMarks(text)
	tags = slices.Repeat([]string{TagOutside}, len(words))
	for _, s := range merged {
		_, of := tag(words, s.Begin, s.End)
		for i, t := range of {
			if t != TagOutside && (t == TagBegin || tags[i] == TagOutside) {
				tags[i] = t
			}
		}
	}
	for _, w := range words {
		texts = append(texts, w.text)
	}
	return texts, tags, merged
}
