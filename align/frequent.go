package align

import (
	"math"
)

const (
	shortPlaces = 3  // occurrences in a nominal collection at most, for a short seed in an index part
	longPlaces  = 16 // for a long one

	// nominalWords is the size of collection up to which those counts are meant as
	// they are; beyond it they grow with the collection, since a part has no more.
	nominalWords = 8_000_000
)

// placesAllowed are the most places of the lengths of seeds, scaled to the collection.
func (s *ngramCounts) placesAllowed(short, long float64) [2]uint16 {
	scale := max(1, float64(s.words)/nominalWords)
	cell := func(n float64) uint16 { return uint16(min(n*scale, math.MaxUint16-1)) }
	return [2]uint16{cell(short), cell(long)}
}

// sharedPlaces is the least number of places at which text counts as shared.
func (s *ngramCounts) sharedPlaces() uint32 {
	return uint32(s.placesAllowed(shortPlaces, longPlaces)[1]) + 1
}
