package segment

import (
	"iter"

	commonplace "github.com/commonplace/commonplace"
)

// Piece is one passage of a text: bytes [Begin, End) and how many words they hold.
type Piece struct {
	Begin, End int
	Words      int
}

// A Cut yields the pieces of a text in order.
type Cut func(text string) iter.Seq[Piece]

// Segmenter is a named way to cut a text.
type Segmenter struct {
	By  string // the name with all its numbers, such as words:200; column passages.by
	Cut Cut
}

// Passages cuts a document's text into rows of the table passages. Offsets are
// code points; Text shares the document's memory.
func Passages(doc commonplace.Document, seg Segmenter) iter.Seq[commonplace.Passage] {
	return func(yield func(commonplace.Passage) bool) {
		text := doc.Text
		points := counter(text)
		length := int64(points(text))
		at, point := 0, int64(0) // point is the code point that begins at byte at
		index := int64(0)
		for piece := range seg.Cut(text) {
			if piece.Begin >= at {
				point += int64(points(text[at:piece.Begin]))
			} else { // chunks overlap
				point -= int64(points(text[piece.Begin:at]))
			}
			at = piece.Begin
			body := text[piece.Begin:piece.End]
			p := commonplace.Passage{
				ID:    commonplace.PassageID(doc.ID, index),
				DocID: doc.ID,
				Index: index,
				Begin: point,
				End:   point + int64(points(body)),
				Text:  body,
				Words: int64(piece.Words),
				By:    seg.By,
			}
			if length > 0 {
				p.Position = float64(p.Begin) / float64(length)
			}
			if !yield(p) {
				return
			}
			at, point = piece.End, p.End
			index++
		}
	}
}
