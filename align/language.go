package align

import "math"

// How much a word says is -log2 of the chance that the language would have put
// it there: p(word | the two words before), from the collection's own counts.
//
// The passage at hand has been counted too, so one is taken off every count
// (leave one out): a pair of words that stands nowhere else counts as never
// seen, and the word is as surprising as it would be in a text that is not in
// the collection. Where the collection has the passage several times, in other
// editions, all of its copies are left out (copies.go).
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
	mostBits   = 15   // no single word says more
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

// blend is the chance of a word that follows its context seen times of all,
// where the lower order gives it p.
func blend(seen, all, p float32, order int) float32 {
	if all < 1 {
		return p
	}
	return max(0, min(seen, all)-discount)/all + escapes[order][int(4*log2(all))]*p
}

// surprise is the bits of word w after u and v (hashes, 0 where there is none),
// where the collection has the passage so many times.
func (s *Stats) surprise(u, v, w uint64, copies uint32) float64 {
	all := float32(s.words) + 1
	p := (less(s.unigrams[w>>(64-unigramBits)], copies) + unseen) / all
	if v != 0 {
		seen := s.gram(pairHash(v, w))
		p = blend(less(seen, copies), less(s.unigrams[v>>(64-unigramBits)], copies), p, 0)
		if u != 0 {
			// No triple occurs more often than the pairs in it.
			p = blend(less(min(seen, s.gram(tripleHash(u, v, w))), copies), less(s.gram(pairHash(u, v)), copies), p, 1)
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

// contextBits is what symbols from..to of f say in the context of the words
// before each, as [Stats.surprise] has it but with every count read once. If
// copied is set, as many copies are left out as its rarest triple says at most.
func (s *Stats) contextBits(f *folded, from, to int, copied bool) float64 {
	pad := f.sym[:len(f.sym)+padding]
	at := from
	for at > 0 && pad[at]&wordStart == 0 {
		at--
	}
	begin := at
	total := float32(0)
	all := float32(s.words) + 1
	copies := uint32(1)
	for {
		at, total = begin, 0
		var u, v uint64
		var before, pairBefore uint32 // counts of v, and of u and v
		rarest, triples := uint32(math.MaxUint32), 0
		for at < to {
			w, n := wordHash(pad, at)
			alone := s.unigrams[w>>(64-unigramBits)]
			p := (less(alone, copies) + unseen) / all
			pair, triple := uint32(0), uint32(0) // no triple is counted whose pair is not
			if v != 0 {
				pair = s.gram(pairHash(v, w))
				p = blend(less(pair, copies), less(before, copies), p, 0)
				if u != 0 && pairBefore > 1 {
					if pair > 0 {
						triple = min(pair, s.gram(tripleHash(u, v, w)))
					}
					p = blend(less(triple, copies), less(pairBefore, copies), p, 1)
				}
			}
			if u != 0 && at+n <= to {
				rarest = min(rarest, triple)
				triples++
			}
			share := float32(min(at+n, to)-max(at, from)) * inverse[min(n, len(inverse)-1)]
			total += share * min(mostBits, -log2(p))
			u, v, before, pairBefore = v, w, alone, pair
			at += n
		}
		if !copied || triples < copyTriples || rarest < 2 {
			return float64(total)
		}
		copies, copied = rarest, false
	}
}

const weightUnit = 8 // of a bit in weights

func (s *Stats) makeWeights() {
	s.weights = make([]uint8, len(s.unigrams))
	s.knownWords = make([]uint64, len(s.unigrams)/64)
	for i, c := range s.unigrams {
		if c > 0 {
			s.knownWords[i/64] |= 1 << (i % 64)
		}
		s.weights[i] = uint8(weightUnit*min(mostBits, -log2((less(c, 1)+unseen)/(float32(s.words)+1)))+0.5) << 1
		if c <= rareCount {
			s.weights[i] |= 1
		}
	}
}

// wordBits is what word h says by itself.
func (s *Stats) wordBits(h uint64) float64 {
	s.weigh.Do(s.makeWeights)
	return float64(s.weights[h>>(64-unigramBits)]>>1) / weightUnit
}

// less leaves the passage at hand and its copies out.
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
