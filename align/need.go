package align

import (
	"math"

	"github.com/commonplace/commonplace"
)

// The evidence that a find of a quote needs, and the evidence that its coverage is.
//
// An entry of a list is a whole. If it is quoted from a place, nearly all of it is there; a
// chance match seldom ends just where the entry ends. Coverage is evidence accordingly:
// log2 of how likely it is of a quotation over how likely it is by chance.
const (
	wholeBits    = 6.0  // for an entry that is there whole
	missingBits  = -8.0 // for one of which a word is not there
	missingEach  = -2.0 // and for each of the words
	missingMost  = -24.0
	namedOdds    = 8 // odds that a quote is in a work that its list names
	authorsWorks = 8 // works by one author that the collection has, as far as the search space counts
)

// coverBits is the evidence of a find from so many words of the quote that are missing, and so many that are damaged.
func coverBits(missing, damaged int) float64 {
	switch {
	case missing > 0:
		return max(missingMost, missingBits+missingEach*float64(missing))
	case damaged > 0:
		return 0
	}
	return wholeBits
}

// about reads what a search needs to know of a document.
func (c *listSearch) about(doc *commonplace.Document) {
	c.names, c.letters, c.closely = namesOf(doc), max(1, len(c.f.Sym)), map[int32]int{}
}

// close says how closely the document has an attribution of the list.
func (c *listSearch) close(l *QuoteList, by int32) int {
	if by < 0 {
		return elsewhere
	}
	k, ok := c.closely[by]
	if !ok {
		k = l.by[by].of(&c.names)
		c.closely[by] = k
	}
	return k
}

// needOf is the evidence that a quote with this attribution needs here. Where the list names
// the work, only its letters are the search space, and the quote is likely to be there.
func (c *listSearch) needOf(l *QuoteList, by int32) float64 {
	space := float64(c.letters)
	switch c.close(l, by) {
	case elsewhere:
		return l.threshold
	case byAuthor:
		space *= authorsWorks
	}
	return min(l.threshold, math.Log2(space/l.o.QuoteChance/namedOdds))
}

// attributed is the value of the column attributed for a quote with this attribution.
func (c *listSearch) attributed(by int32) string {
	switch {
	case by < 0:
		return commonplace.AttributedFalse
	case c.closely[by] == elsewhere:
		return commonplace.AttributedOther
	}
	return commonplace.AttributedTrue
}
