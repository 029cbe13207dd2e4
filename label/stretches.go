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
	Quotes     []string // what is found in it, by [QuoteID], each once in order
	Said       []byte   // the words of each span in it, each once, as hashes of 16 bytes
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
	said := map[[16]byte]bool{}
	for _, a := range rows {
		if len(out) == 0 || out[len(out)-1].End <= a.SourceBegin {
			out = append(out, Stretch{DocID: doc.ID, Begin: a.SourceBegin})
			clear(said)
		}
		s := &out[len(out)-1]
		s.End = max(s.End, a.SourceEnd)
		s.Quotes = append(s.Quotes, QuoteID(a))
		words := Normalise(offsets.Slice(commonplace.Span{Begin: int(a.SourceBegin), End: int(a.SourceEnd)}))
		if sum := hashed(words); words != "" && !said[sum] {
			said[sum] = true
			s.Said = append(s.Said, sum[:]...)
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
	for _, text := range append([]string{s.DocID, s.Text, string(s.Said)}, s.Quotes...) {
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
	s.DocID, s.Text, s.Said, s.Quotes = texts[0], texts[1], []byte(texts[2]), texts[3:]
	return s, nil
}
