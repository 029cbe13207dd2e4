package align

import (
	"encoding/binary"
	"slices"
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
	sharedRun    = 8  // too frequent long seeds in a row
	sharedPhrase = 16 // triples of words that a passage needs to be told by most of them
)

// holderKey is the document's key, never 0. Two documents of one key both hold
// what either would, which does no harm.
func holderKey(id string) uint16 {
	h := uint64(len(id))
	for i := range len(id) {
		h = mix(h ^ uint64(id[i])<<32)
	}
	return max(1, uint16(h>>48))
}

// holdable is 1 for long seeds at which a window is looked at, one in four, and 0 for the others.
func holdable(long uint64) int { return int(long & (long >> 1) & 1) }

// windowHash is the hash of the window at symbol i, where the long seed has the hash long.
func windowHash(sym []byte, i int, long uint64) uint64 {
	const mask = 0x7f7f7f7f7f7f7f7f
	a := binary.LittleEndian.Uint64(sym[i+longSeed:]) & mask
	b := binary.LittleEndian.Uint64(sym[i+longSeed+8:]) & mask
	c := uint64(binary.LittleEndian.Uint32(sym[i+longSeed+16:])) & (mask >> 32)
	return mix(mix(mix(long^a)^b) ^ c)
}

// window is the hash of a window, at first that of its long seed, and its first symbol.
type window struct {
	hash uint64
	at   int
}

// hold notes that a document of this key has the windows.
func (s *Stats) hold(sym []byte, windows []window, key uint16) {
	touched := uint32(0)
	for k := range windows {
		w := &windows[k]
		w.hash = windowHash(sym, w.at, w.hash)
		touched |= uint32(s.holders[w.hash>>(64-holderBits)])
	}
	s.touched |= touched
	for _, w := range windows {
		c := &s.holders[w.hash>>(64-holderBits)]
		*c = max(*c, key)
	}
}

// sharedSeeds are the seeds of one document that are too frequent to be entered,
// as far as they stand in a row.
type sharedSeeds struct {
	key     uint16
	run     []sharedSeed
	entered map[uint64]bool // seeds of this document that were entered
}

type sharedSeed struct {
	entry
	at int32 // symbol
}

// see takes a seed that is too frequent.
func (h *sharedSeeds) see(s *Stats, seeds *entries, f *folded, e sharedSeed) {
	for k := max(0, len(h.run)-sharedRun); k < len(h.run); k++ {
		if h.run[k].hash == e.hash { // what repeats itself is an ornament, not a text
			h.run = h.run[:k]
			h.flush(s, seeds, f)
			break
		}
	}
	h.run = append(h.run, e)
}

// flush ends a run and enters of its seeds those that this document holds.
func (h *sharedSeeds) flush(s *Stats, seeds *entries, f *folded) {
	pad := f.sym[:len(f.sym)+padding]
	from := 0
	for k := 0; k+sharedRun <= len(h.run); k++ {
		e := &h.run[k]
		if holdable(e.hash) == 0 || s.holders[windowHash(pad, int(e.at), e.hash)>>(64-holderBits)] != h.key {
			continue
		}
		for _, e := range h.run[max(from, k) : k+sharedRun] {
			if !h.entered[e.hash] { // a running head is entered once
				if h.entered == nil {
					h.entered = map[uint64]bool{}
				}
				h.entered[e.hash] = true
				seeds.add(e.hash, e.place)
			}
		}
		from = k + sharedRun
	}
	h.run = h.run[:0]
}

// sharedPlaces is the least number of places at which text counts as shared.
func (s *Stats) sharedPlaces() uint32 {
	return uint32(s.placesAllowed(shortPlaces, longPlaces)[1]) + 1
}

// sharedTriples are the counts of the words under pairs from..to that stand, with
// the two before each, in so many places that they are shared text; nil for most.
func (m *matcher) sharedTriples(words []word, from, to int) (counts []uint32) {
	least := m.stats.sharedPlaces()
	for i := range words {
		if w := &words[i]; int(w.last) > from && int(w.first) < to && w.triple >= least {
			counts = append(counts, w.triple)
		}
	}
	return counts
}

// sharedBy is how many places of the collection have the text of a chain, if so
// many do that it is shared text; 1 otherwise. Of a short text all copies that the
// counts tell must be so many. A longer one, whose copies may be damaged or worded
// otherwise here and there, is told by most of its words.
func (m *matcher) sharedBy(c *chain) int64 {
	copies, touched := c.first().copies, 0
	var counts []uint32
	for i := range c.pieces {
		p := &c.pieces[i]
		copies = min(copies, p.copies)
		touched += p.touched
		counts = append(counts, p.shared...)
	}
	if copies >= int(m.stats.sharedPlaces()) {
		return int64(copies)
	}
	if len(counts) < sharedPhrase || 2*len(counts) < touched {
		return 1
	}
	slices.Sort(counts)
	return int64(counts[len(counts)-(touched+1)/2]) // the median of all words
}
