package index

import (
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/ngrams"
)

// frequentRun is the number of successive long seeds, each too frequent for the index, that
// are boilerplate. The document that represents it has them in the index (ngrams.Counts.Key).
const frequentRun = 8

// frequentSeeds are successive seeds of one document that are too frequent for the index.
type frequentSeeds struct {
	key   uint32
	run   []frequentSeed
	added map[uint64]bool // seeds of this document that are in the index
}

type frequentSeed struct {
	Entry
	at int32 // symbol
}

// add appends a seed that is too frequent.
func (h *frequentSeeds) add(s *ngrams.Counts, seeds *Builder, f *fold.Text, e frequentSeed) {
	for k := max(0, len(h.run)-frequentRun); k < len(h.run); k++ {
		if h.run[k].Hash == e.Hash { // repetition is an ornament, not a text
			h.run = h.run[:k]
			h.flush(s, seeds, f)
			break
		}
	}
	h.run = append(h.run, e)
}

// flush ends a run and adds to the index those of its seeds that this document represents:
// at each window in the run that it represents, frequentRun of them.
func (h *frequentSeeds) flush(s *ngrams.Counts, seeds *Builder, f *fold.Text) {
	run := h.run
	h.run = h.run[:0]
	if len(run) < frequentRun {
		return
	}
	pad := f.Sym[:len(f.Sym)+fold.Padding]
	end := run[len(run)-1].at + fold.LongSeed
	from := 0
	for k := 0; run[k].at+ngrams.WindowLetters <= end; k++ {
		e := &run[k]
		if !s.Represents(h.key, ngrams.WindowHash(pad, int(e.at), e.Hash)) {
			continue
		}
		to := min(len(run), k+frequentRun)
		for _, e := range run[max(from, k):to] {
			if !h.added[e.Hash] { // a running head is added once
				if h.added == nil {
					h.added = map[uint64]bool{}
				}
				h.added[e.Hash] = true
				seeds.Add(e.Hash, e.Offset)
			}
		}
		from = to
	}
}
