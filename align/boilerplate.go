package align

import (
	"slices"
)

// sharedPhrase is the number of triples of words that a longer passage needs to be recognised by most of them.
const sharedPhrase = 16

// sharedTriples are the counts of the words under pairs from..to that stand, with
// the two before each, in so many places that they are shared text; nil for most.
func (m *matcher) sharedTriples(words []word, from, to int) (counts []uint32) {
	least := m.counts.BoilerplateCount()
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
	if copies >= int(m.counts.BoilerplateCount()) {
		return int64(copies)
	}
	if len(counts) < sharedPhrase || 2*len(counts) < touched {
		return 1
	}
	slices.Sort(counts)
	return int64(counts[len(counts)-(touched+1)/2]) // the median of all words
}
