package index

import (
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/ngrams"
)

// Text that very many sources share, such as a licence or a running head, would
// fill the index and be reported at every place of it. Its seeds are too frequent
// to be entered; but where they stand in a row, one document of the collection holds
// them for all the others: the one whose id has the greatest key. Which that is
// is counted, as everything else is, for windows of 32 letters: so what is entered of
// a document depends on it and on the counts alone, not on the part it is in.
// Copies that differ a little are held by several documents, window by window, and are
// told to be one text when they are merged.
const (
	frequentRun = 8 // too frequent long seeds in a row
)

// frequentSeeds are the seeds of one document that are too frequent to be entered,
// as far as they stand in a row.
type frequentSeeds struct {
	key     uint16
	run     []frequentSeed
	entered map[uint64]bool // seeds of this document that were entered
}

type frequentSeed struct {
	Entry
	at int32 // symbol
}

// see takes a seed that is too frequent.
func (h *frequentSeeds) see(s *ngrams.Counts, seeds *Builder, f *fold.Text, e frequentSeed) {
	for k := max(0, len(h.run)-frequentRun); k < len(h.run); k++ {
		if h.run[k].Hash == e.Hash { // what repeats itself is an ornament, not a text
			h.run = h.run[:k]
			h.flush(s, seeds, f)
			break
		}
	}
	h.run = append(h.run, e)
}

// flush ends a run and enters of its seeds those that this document holds.
func (h *frequentSeeds) flush(s *ngrams.Counts, seeds *Builder, f *fold.Text) {
	pad := f.Sym[:len(f.Sym)+fold.Padding]
	from := 0
	for k := 0; k+frequentRun <= len(h.run); k++ {
		e := &h.run[k]
		if ngrams.Sampled(e.Hash) == 0 || !s.Represents(h.key, ngrams.WindowHash(pad, int(e.at), e.Hash)) {
			continue
		}
		for _, e := range h.run[max(from, k) : k+frequentRun] {
			if !h.entered[e.Hash] { // a running head is entered once
				if h.entered == nil {
					h.entered = map[uint64]bool{}
				}
				h.entered[e.Hash] = true
				seeds.Add(e.Hash, e.Offset)
			}
		}
		from = k + frequentRun
	}
	h.run = h.run[:0]
}
