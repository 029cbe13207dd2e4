package segment

import (
	"cmp"
	"iter"
	"slices"

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

// Text cuts a text into passages in the way that by names: one of [Names], or "" for
// words:200. It fails on an unknown name.
func Text(id, text, by string) ([]commonplace.Passage, error) {
	seg, err := Parse(cmp.Or(by, "words:200"))
	if err != nil {
		return nil, err
	}
	return slices.Collect(Passages(commonplace.Document{ID: id, Text: text}, seg)), nil
}

// Passages cuts a document's text into rows of the table passages, each with its
// place in the document's structure. Offsets are code points; Text shares the
// document's memory. It keeps the pieces and the outline of one document.
func Passages(doc commonplace.Document, seg Segmenter) iter.Seq[commonplace.Passage] {
	return func(yield func(commonplace.Passage) bool) {
		text := doc.Text
		points, length := counter(text)
		pieces := slices.Collect(seg.Cut(text))
		units := outline(text)
		units.countPassages(pieces)
		places := &placed{s: units, heads: sweep{units: units.headed}}
		at, point := 0, int64(0) // point is the code point that begins at byte at
		for i, piece := range pieces {
			if piece.Begin >= at {
				point += int64(points(text[at:piece.Begin]))
			} else { // chunks overlap
				point -= int64(points(text[piece.Begin:at]))
			}
			body := text[piece.Begin:piece.End]
			p := commonplace.Passage{
				ID:       commonplace.PassageID(doc.ID, int64(i)),
				DocID:    doc.ID,
				Index:    int64(i),
				Begin:    point,
				End:      point + int64(points(body)),
				Text:     body,
				Words:    int64(piece.Words),
				Position: float64(point) / float64(length),
				By:       seg.By,
			}
			places.fill(&p, piece.Begin)
			if !yield(p) {
				return
			}
			at, point = piece.End, p.End
		}
	}
}
