package group

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/label/internal/compare"
)

// Region is a part of a source in which every character is quoted, between
// characters that are not: the spans in it overlap from one to the next.
type Region struct {
	DocID      string
	Begin, End int64    // code points of the source
	Text       string   // its words, as [label.Normalise] folds them
	Quotes     []string // what is found in it, by [label.QuoteID], each once in order
	Spans      []byte   `json:"Said"` // the words of each span in it, each once, as hashes of 16 bytes
}

// Regions are those of one source, in order. Alignments of other documents
// and spans outside the text are passed over; [label.Triples] rejects them.
func Regions(doc commonplace.Document, alignments []commonplace.Alignment) []Region {
	offsets := commonplace.NewOffsets(doc.Text)
	rows := slices.DeleteFunc(slices.Clone(alignments), func(a commonplace.Alignment) bool {
		return a.SourceID != doc.ID || a.SourceBegin < 0 || a.SourceEnd <= a.SourceBegin || a.SourceEnd > int64(offsets.Len())
	})
	slices.SortFunc(rows, func(a, b commonplace.Alignment) int {
		return cmp.Or(cmp.Compare(a.SourceBegin, b.SourceBegin), cmp.Compare(a.SourceEnd, b.SourceEnd), cmp.Compare(a.ID, b.ID))
	})
	var out []Region
	seen := map[[16]byte]bool{}
	for _, a := range rows {
		if len(out) == 0 || out[len(out)-1].End <= a.SourceBegin {
			out = append(out, Region{DocID: doc.ID, Begin: a.SourceBegin})
			clear(seen)
		}
		s := &out[len(out)-1]
		s.End = max(s.End, a.SourceEnd)
		s.Quotes = append(s.Quotes, label.QuoteID(a))
		words := label.Normalise(offsets.Slice(commonplace.Span{Begin: int(a.SourceBegin), End: int(a.SourceEnd)}))
		if sum := compare.Hash(words); words != "" && !seen[sum] {
			seen[sum] = true
			s.Spans = append(s.Spans, sum[:]...)
		}
	}
	for i := range out {
		s := &out[i]
		slices.Sort(s.Quotes)
		s.Quotes = slices.Compact(s.Quotes)
		s.Text = label.Normalise(offsets.Slice(commonplace.Span{Begin: int(s.Begin), End: int(s.End)}))
	}
	return out
}

// bytes are the region as it is sorted.
func (s Region) bytes() []byte {
	b := binary.BigEndian.AppendUint64(nil, uint64(s.Begin))
	b = binary.BigEndian.AppendUint64(b, uint64(s.End))
	for _, text := range append([]string{s.DocID, s.Text, string(s.Spans)}, s.Quotes...) {
		b = append(binary.AppendUvarint(b, uint64(len(text))), text...)
	}
	return b
}

// regionFrom is the region of its bytes.
func regionFrom(b []byte) (Region, error) {
	s := Region{Begin: int64(binary.BigEndian.Uint64(b)), End: int64(binary.BigEndian.Uint64(b[8:]))}
	var texts []string
	for b = b[16:]; len(b) > 0; {
		n, k := binary.Uvarint(b)
		if k <= 0 || n > uint64(len(b)-k) {
			return s, errors.New("group: a region was not sorted as it was written")
		}
		texts, b = append(texts, string(b[k:k+int(n)])), b[k+int(n):]
	}
	s.DocID, s.Text, s.Spans, s.Quotes = texts[0], texts[1], []byte(texts[2]), texts[3:]
	return s, nil
}
