package ngrams

import (
	"math"

	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/hugepage"
)

// The surprisal of a word is -log2 p(word | the two words before), from the counts
// of the collection.
//
// The counts include the passage itself, so one is subtracted from each
// (leave one out): a pair of words that occurs nowhere else counts as never
// seen, and the word is as surprising as it would be in a text outside
// the collection. Where the collection has several editions of the passage,
// all copies are subtracted (package match).
//
// Each order is smoothed with the one below by absolute discounting (Ney, Essen
// and Kneser 1994): p(w|v) = max(c(vw)-D, 0)/c(v) + D n(v)/c(v) p(w), where n(v),
// the number of different words after v, is not counted but follows from c(v)
// by Heaps' law.
const (
	discount   = 0.75
	heapsPair  = 0.78 // different words after a word seen c times: c^heapsPair
	heapsThree = 0.85 // and after a pair of words
	unseen     = 0.5  // count of a word that was never seen
	mostBits   = 15   // surprisal of one word at most

	copyTriples = 3 // triples from which copies are estimated
	rareCount   = 3 // occurrences in the collection at most of a word that may be a misprint all the same
)

// escapes[k] is D n(c)/c for c about 2^(k/4), for both orders.
var escapes = func() (t [2][4 * 32]float32) {
	for order, heaps := range []float64{heapsPair, heapsThree} {
		for k := range t[order] {
			t[order][k] = float32(discount * math.Exp2(float64(k)/4*(heaps-1)))
		}
	}
	return t
}()

// blend is the probability of a word that follows its context seen times of all,
// with the probability p of the lower order.
func blend(seen, all, p float32, order int) float32 {
	if all < 1 {
		return p
	}
	return max(0, min(seen, all)-discount)/all + escapes[order][int(4*log2(all))]*p
}

// Surprisal is that of word w after u and v (hashes, 0 where there is none), in bits,
// where the collection has so many copies of the passage.
func (s *Counts) Surprisal(u, v, w uint64, copies uint32) float64 {
	all := float32(s.Words) + 1
	p := (less(s.unigrams[w>>(64-unigramBits)], copies) + unseen) / all
	if v != 0 {
		seen := s.Gram(PairHash(v, w))
		p = blend(less(seen, copies), less(s.unigrams[v>>(64-unigramBits)], copies), p, 0)
		if u != 0 {
			// No triple occurs more often than the pairs in it.
			p = blend(less(min(seen, s.Gram(TripleHash(u, v, w))), copies), less(s.Gram(PairHash(u, v)), copies), p, 1)
		}
	}
	return min(mostBits, float64(-log2(p)))
}

var inverse = func() (t [64]float32) {
	for i := range t {
		t[i] = 1 / float32(max(1, i))
	}
	return t
}()

// contextWord is one word and the counts for its surprisal.
type contextWord struct {
	hash                uint64
	at, n               int32
	alone, pair, triple uint32 // counts of the word, of it and the word before, and of the three
}

// ContextBits is the surprisal of symbols from..to of f in the context of the words
// before each, as [Counts.Surprisal] defines it but with each count read once. If
// copied is set, as many copies are subtracted as [copiesOf] the words there are.
func (s *Counts) ContextBits(f *fold.Text, from, to int, copied bool) float64 {
	pad := f.Sym[:len(f.Sym)+fold.Padding]
	at := from
	for at > 0 && pad[at]&fold.WordStart == 0 {
		at--
	}
	// Each kind of count is read in a separate loop, so that the reads of memory overlap.
	var few [24]contextWord
	words := few[:0]
	for at < to {
		h, n := fold.WordHash(pad, at)
		words = append(words, contextWord{hash: h, at: int32(at), n: int32(n), alone: s.unigrams[h>>(64-unigramBits)]})
		at += n
	}
	if len(words) == 0 {
		return 0
	}
	for i := 1; i < len(words); i++ {
		words[i].pair = s.Gram(PairHash(words[i-1].hash, words[i].hash))
	}
	for i := 2; i < len(words); i++ {
		w := &words[i]
		if w.pair > 0 && words[i-1].pair > 1 { // no triple is more frequent than its pairs
			w.triple = min(w.pair, s.Gram(TripleHash(words[i-2].hash, words[i-1].hash, w.hash)))
		}
	}
	whole := len(words)
	if int(words[whole-1].at+words[whole-1].n) > to {
		whole--
	}
	copies := uint32(1)
	if copied {
		copies = copiesOf(words[:whole])
	}
	all := float32(s.Words) + 1
	total := float32(0)
	for i, w := range words {
		p := (less(w.alone, copies) + unseen) / all
		if i > 0 {
			before := words[i-1]
			p = blend(less(w.pair, copies), less(before.alone, copies), p, 0)
			if i > 1 && before.pair > 1 {
				p = blend(less(w.triple, copies), less(before.pair, copies), p, 1)
			}
		}
		share := float32(min(int(w.at+w.n), to)-max(int(w.at), from)) * inverse[min(w.n, int32(len(inverse)-1))]
		total += share * min(mostBits, -log2(p))
	}
	return float64(total)
}

// copiesOf is how many copies of a passage in these words the collection has: the most for
// which so many successive triples occur as often, and at least 1. What stands beside the
// passage, and is equal by chance, is rare and must not hide it.
func copiesOf(words []contextWord) uint32 {
	copies := uint32(1)
next:
	for i := 2; i+copyTriples <= len(words); i++ {
		rarest := uint32(math.MaxUint32)
		for k := i + copyTriples - 1; k >= i; k-- {
			if words[k].triple <= copies { // no run with this one has more
				i = k
				continue next
			}
			rarest = min(rarest, words[k].triple)
		}
		copies = rarest
	}
	return copies
}

// WeightUnit is the number of units of a weight in a bit.
const WeightUnit = 8

func (s *Counts) makeWeights() {
	s.scratch = fold.Text{} // counting is over
	s.weights = hugepage.Table[uint8](len(s.unigrams))
	s.knownWords = make([]uint64, len(s.unigrams)/64)
	for i, c := range s.unigrams {
		if c > 0 {
			s.knownWords[i/64] |= 1 << (i % 64)
		}
		s.weights[i] = uint8(WeightUnit*min(mostBits, -log2((less(c, 1)+unseen)/(float32(s.Words)+1)))+0.5) << 1
		if c <= rareCount {
			s.weights[i] |= 1
		}
	}
}

// WordBits is the surprisal of word h without context.
func (s *Counts) WordBits(h uint64) float64 {
	s.weigh.Do(s.makeWeights)
	return float64(s.weights[h>>(64-unigramBits)]>>1) / WeightUnit
}

// less subtracts the copies of the passage from a count.
func less(c, copies uint32) float32 {
	if c <= copies {
		return 0
	}
	return float32(c - copies)
}

// log2 is the binary logarithm of a positive number within 0.001.
func log2(x float32) float32 {
	b := math.Float32bits(x)
	e := float32(int32(b>>23) - 127)
	f := math.Float32frombits(b&0x7fffff | 127<<23)
	t := (f - 1) / (f + 1)
	t2 := t * t
	return e + t*(2.8853901+t2*(0.96179669+t2*0.5770780))
}

// Known reports whether the collection has the word.
func (s *Counts) Known(hash uint64) bool {
	i := hash >> (64 - unigramBits)
	return s.knownWords[i/64]>>(i%64)&1 != 0
}
