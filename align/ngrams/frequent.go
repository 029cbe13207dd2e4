package ngrams

import "math"

const (
	shortLimit = 3 // occurrences in a nominal collection at most, for a short seed in an index part
	// LongLimit is the same for a long seed.
	LongLimit = 16

	// NominalWords is the size of collection up to which these limits hold. Beyond it
	// they grow with the collection, because a part has no more of a seed.
	NominalWords = 8_000_000
)

// SeedLimits are the most occurrences of a short and a long seed that is still rare, scaled to the collection.
func (s *Counts) SeedLimits(short, long float64) [2]uint16 {
	scale := max(1, float64(s.Words)/NominalWords)
	cell := func(n float64) uint16 { return uint16(min(n*scale, math.MaxUint16-1)) }
	return [2]uint16{cell(short), cell(long)}
}

// BoilerplateCount is the number of occurrences from which a text counts as boilerplate.
func (s *Counts) BoilerplateCount() uint32 {
	return uint32(s.PartLimits()[1]) + 1
}

// PartLimits are the [Counts.SeedLimits] of an index part.
func (s *Counts) PartLimits() [2]uint16 { return s.SeedLimits(shortLimit, LongLimit) }

// SeedCount is how often the collection has a seed.
func (s *Counts) SeedCount(hash uint64) uint16 { return s.seeds[hash>>(64-seedBits)] }

// WordCount is how often the collection has a word.
func (s *Counts) WordCount(hash uint64) uint32 { return s.unigrams[hash>>(64-unigramBits)] }
