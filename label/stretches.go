package label

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/commonplace/commonplace"
)

// Stretch is a part of a source in which every character is quoted, between
// characters that are not: the spans in it overlap from one to the next.
type Stretch struct {
	DocID      string
	Begin, End int64    // code points of the source
	Text       string   // its words, as [Normalise] folds them
	Quotes     []string // the listed quotes among those found in it, in order
}

// Stretches are those of one source, in order. Alignments of other documents
// and spans outside the text are passed over; [Triples] rejects them.
func Stretches(doc commonplace.Document, alignments []commonplace.Alignment) []Stretch {
	offsets := commonplace.NewOffsets(doc.Text)
	rows := slices.DeleteFunc(slices.Clone(alignments), func(a commonplace.Alignment) bool {
		return a.SourceID != doc.ID || a.SourceBegin < 0 || a.SourceEnd <= a.SourceBegin || a.SourceEnd > int64(offsets.Len())
	})
	slices.SortFunc(rows, func(a, b commonplace.Alignment) int {
		return cmp.Or(cmp.Compare(a.SourceBegin, b.SourceBegin), cmp.Compare(a.SourceEnd, b.SourceEnd), cmp.Compare(a.ID, b.ID))
	})
	var out []Stretch
	for _, a := range rows {
		if len(out) == 0 || out[len(out)-1].End <= a.SourceBegin {
			out = append(out, Stretch{DocID: doc.ID, Begin: a.SourceBegin})
		}
		s := &out[len(out)-1]
		s.End = max(s.End, a.SourceEnd)
		if a.QuoteID != "" {
			s.Quotes = append(s.Quotes, a.QuoteID)
		}
	}
	for i := range out {
		s := &out[i]
		slices.Sort(s.Quotes)
		s.Quotes = slices.Compact(s.Quotes)
		s.Text = Normalise(offsets.Slice(commonplace.Span{Begin: int(s.Begin), End: int(s.End)}))
	}
	return out
}

// bytes are the stretch as it is sorted.
func (s Stretch) bytes() []byte {
	b := binary.BigEndian.AppendUint64(nil, uint64(s.Begin))
	b = binary.BigEndian.AppendUint64(b, uint64(s.End))
	for _, text := range append([]string{s.DocID, s.Text}, s.Quotes...) {
		b = append(binary.AppendUvarint(b, uint64(len(text))), text...)
	}
	return b
}

// stretchFrom is the stretch of its bytes.
func stretchFrom(b []byte) (Stretch, error) {
	s := Stretch{Begin: int64(binary.BigEndian.Uint64(b)), End: int64(binary.BigEndian.Uint64(b[8:]))}
	var texts []string
	for b = b[16:]; len(b) > 0; {
		n, k := binary.Uvarint(b)
		if k <= 0 || n > uint64(len(b)-k) {
			return s, errors.New("group: a stretch was not sorted as it was written")
		}
		texts, b = append(texts, string(b[k:k+int(n)])), b[k+int(n):]
	}
	s.DocID, s.Text, s.Quotes = texts[0], texts[1], texts[2:]
	return s, nil
}
