package align

import "math"

// How much a word says is -log2 of the chance that the language would have put
// it there: p(word | the two words before), from the collection's own counts.
//
// The passage at hand has been counted too, so one is taken off every count it
// adds to (leave one out): a pair of words that stands nowhere else counts as
// never seen, and the word is as surprising as it would be in a text that is
// not in the collection.
//
// Each order is smoothed with the one below by a Dirichlet prior of its own
// weight (MacKay and Peto 1995): p3 = (c(uvw) + b3 p2) / (c(uv) + b3), and so on.
const (
	priorPair   = 60.0
	priorTriple = 12.0
	// vocabulary is the number of words that a language is taken to have unseen.
	vocabulary = 200_000.0
)

// surprise is the bits of word w after u and v (hashes, 0 where the text begins).
func (s *Stats) surprise(u, v, w uint64) float64 {
	less := func(c uint32) float64 {
		if c == 0 {
			return 0
		}
		return float64(c - 1)
	}
	n := float64(s.words)
	p := (less(s.unigrams[w>>(64-unigramBits)]) + 0.5) / (n + 0.5*vocabulary)
	if v != 0 {
		pair := less(s.ngrams[pairHash(v, w)>>(64-ngramBits)])
		before := less(s.unigrams[v>>(64-unigramBits)])
		p = (min(pair, before) + priorPair*p) / (before + priorPair)
		if u != 0 {
			triple := less(s.ngrams[tripleHash(u, v, w)>>(64-ngramBits)])
			before := less(s.ngrams[pairHash(u, v)>>(64-ngramBits)])
			p = (min(triple, before) + priorTriple*p) / (before + priorTriple)
		}
	}
	return -math.Log2(p)
}
