package ngrams

import (
	"math"
)

const (
	shortPlaces = 3  // occurrences in a nominal collection at most, for a short seed in an index part
	LongPlaces  = 16 // for a long one

	// NominalWords is the size of collection up to which those counts are meant as
	// they are; beyond it they grow with the collection, since a part has no more.
	NominalWords = 8_000_000
)

// SeedLimits are the most places of the lengths of seeds, scaled to the collection.
func (s *Counts) SeedLimits(short, long float64) [2]uint16 {
	scale := max(1, float64(s.Words)/NominalWords)
	cell := func(n float64) uint16 { return uint16(min(n*scale, math.MaxUint16-1)) }
	return [2]uint16{cell(short), cell(long)}
}

// BoilerplateCount is the least number of places at which text counts as shared.
func (s *Counts) BoilerplateCount() uint32 {
	return uint32(s.PartLimits()[1]) + 1
}

// PartLimits are the most occurrences of the two lengths of seeds in an index part.
func (s *Counts) PartLimits() [2]uint16 { return s.SeedLimits(shortPlaces, LongPlaces) }

// SeedCount is how often the collection has a seed.
func (s *Counts) SeedCount(hash uint64) uint16 { return s.seeds[hash>>(64-seedBits)] }

// WordCount is how often the collection has a word.
func (s *Counts) WordCount(hash uint64) uint32 { return s.unigrams[hash>>(64-unigramBits)] }
