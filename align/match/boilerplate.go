package match

import (
	"slices"
)

// boilerplatePhrase is the number of triples of words that a longer passage needs to be recognised by most of them.
const boilerplatePhrase = 16

// boilerplateTriples are the counts of the words under pairs from..to that stand, with
// the two before each, in so many places that they are shared text; nil for most.
func (m *Matcher) boilerplateTriples(words []word, from, to int) (counts []uint32) {
	least := m.Counts.BoilerplateCount()
	for i := range words {
		if w := &words[i]; int(w.last) > from && int(w.first) < to && w.triple >= least {
			counts = append(counts, w.triple)
		}
	}
	return counts
}

// boilerplatePlaces is how many places of the collection have the text of a chain, if so
// many do that it is shared text; 1 otherwise. Of a short text all copies that the
// counts tell must be so many. A longer one, whose copies may be damaged or worded
// otherwise here and there, is told by most of its words.
func (m *Matcher) boilerplatePlaces(c *Chain) int64 {
	copies, touched := c.First().copies, 0
	var counts []uint32
	for i := range c.Pieces {
		p := &c.Pieces[i]
		copies = min(copies, p.copies)
		touched += p.touched
		counts = append(counts, p.boilerplate...)
	}
	if copies >= int(m.Counts.BoilerplateCount()) {
		return int64(copies)
	}
	if len(counts) < boilerplatePhrase || 2*len(counts) < touched {
		return 1
	}
	slices.Sort(counts)
	return int64(counts[len(counts)-(touched+1)/2]) // the median of all words
}
