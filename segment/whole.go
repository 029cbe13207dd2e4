package segment

import (
	"iter"
	"strings"
)

// Sentence is a sentence of a document: bytes [Begin, End) of its text.
type Sentence struct {
	Piece
	Paragraph int  // among those of the text, from 0
	Heading   bool // it holds a part of a heading, or is a paragraph that ends with no mark
}

// Sentences cuts a document's text as [BySentences] does, and says of each
// sentence in which paragraph it is and whether it is a heading.
func Sentences(text string) iter.Seq[Sentence] {
	return func(yield func(Sentence) bool) {
		var paragraphs []span
		for begin, end := range eachParagraph(text) {
			paragraphs = append(paragraphs, span{begin, end})
		}
		next, stop := iter.Pull(findHeadings(text, paragraphs).each())
		defer stop()
		h, more := next() // a heading that has not ended
		at := 0
		for piece := range BySentences(text) {
			for paragraphs[at].end <= piece.Begin {
				at++
			}
			for more && h.end <= piece.Begin {
				h, more = next()
			}
			s := Sentence{Piece: piece, Paragraph: at}
			s.Heading = more && h.begin < piece.End || isAlone(text, paragraphs[at], piece) && !endsWithMark(text[piece.Begin:piece.End])
			if !yield(s) {
				return
			}
		}
	}
}

// isAlone says that a paragraph holds one sentence and no more.
func isAlone(text string, paragraph span, s Piece) bool {
	begin, end := trim(text, paragraph.begin, paragraph.end)
	return s.Begin == begin && s.End == end
}

// endsWithMark says that a text ends as prose and verse do, and titles do not.
func endsWithMark(text string) bool {
	text = strings.TrimRight(text, "\"'”’»)]_* ")
	for _, mark := range []string{".", "!", "?", "…", ",", ";", ":", "-", "—", "–"} {
		if strings.HasSuffix(text, mark) {
			return true
		}
	}
	return false
}

// EndsWithinSentences says that a segmenter's passages are units of the text whose
// ends may lie within a sentence: the lines of a poem, the verses of a Bible.
func EndsWithinSentences(by string) bool {
	switch name, _, _ := strings.Cut(by, ":"); name {
	case "lines", "verses", "verse-lines":
		return true
	}
	return by == "sentences:relic"
}
