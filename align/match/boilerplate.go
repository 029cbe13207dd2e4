package match

import "slices"

// boilerplatePhrase is the number of triples from which most triples of a passage decide whether it is boilerplate.
const boilerplatePhrase = 16

// boilerplateTriples are the counts of the words under pairs from..to that occur, with
// the two before each, so often that they are boilerplate; nil for most matches.
func (m *Matcher) boilerplateTriples(words []word, from, to int) (counts []uint32) {
	least := m.Counts.BoilerplateCount()
	for i := range words {
		if w := &words[i]; int(w.last) > from && int(w.first) < to && w.triple >= least {
			counts = append(counts, w.triple)
		}
	}
	return counts
}

// boilerplatePlaces is the number of occurrences of the text of a chain in the collection, if
// it is boilerplate; 1 otherwise. Of a short text all words must occur so often. Copies of a
// longer one may be damaged or worded otherwise here and there, so most words decide.
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
