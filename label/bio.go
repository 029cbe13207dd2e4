package label

import "github.com/commonplace/commonplace"

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
