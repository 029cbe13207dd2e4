package align

import (
	"cmp"
	"slices"

	"github.com/commonplace/commonplace/align/fold"
)

// textWord is one word of a folded text.
type textWord struct {
	hash   uint64
	at     int32 // its first symbol
	weight uint8 // as in Stats.weights
}

// rare says whether the word is rarer than damage.
func (w textWord) rare() bool { return w.weight&1 != 0 }

// wordBefore compares a word's place with a symbol.
func wordBefore(w textWord, at int32) int { return cmp.Compare(w.at, at) }

// readWords lists the words of f and makes the running sum over its symbols of
// what its words say by themselves: sum[i] is that of f.sym[:i], words counted
// evenly over their letters. It is a bound from above on what they say in
// their context. words and sum are used again where they are long enough.
func (s *ngramCounts) readWords(f *fold.Text, words []textWord, sum []float32) ([]textWord, []float32) {
	s.weigh.Do(s.makeWeights)
	n := len(f.Sym)
	pad := f.Sym[:n+fold.Padding]
	words = slices.Grow(words[:0], n/4+1)
	// Looking up the weights is a part of this loop, and summing them is not, so that the reads of memory overlap.
	for i := 0; i < n; {
		h, k := fold.WordHash(pad, i)
		words = append(words, textWord{hash: h, at: int32(i), weight: s.weights[h>>(64-unigramBits)]})
		i += k
	}
	sum = slices.Grow(sum[:0], n+9)[:n+9] // the last word's letters are written eight at a time
	total := float32(0)
	sum[0] = 0
	for i, w := range words {
		end := n
		if i+1 < len(words) {
			end = int(words[i+1].at)
		}
		letters := end - int(w.at)
		bits := float32(w.weight>>1) / weightUnit
		each := bits * inverse[min(letters, len(inverse)-1)]
		for at := int(w.at) + 1; at <= end; at += 8 {
			eight := (*[8]float32)(sum[at:])
			for k := range eight {
				eight[k] = total + each*float32(k+1)
			}
			total = eight[7]
		}
		total = sum[end]
	}
	return words, sum[:n+1]
}
