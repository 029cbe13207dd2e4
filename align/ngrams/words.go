package ngrams

import (
	"cmp"
	"slices"

	"github.com/commonplace/commonplace/align/fold"
)

// Word is one word of a folded text.
type Word struct {
	Hash   uint64
	At     int32 // its first symbol
	weight uint8 // as in Counts.weights
}

// Rare reports whether the word is rarer than damage.
func (w Word) Rare() bool { return w.weight&1 != 0 }

// WordBefore compares the offset of a word with a symbol.
func WordBefore(w Word, at int32) int { return cmp.Compare(w.At, at) }

// ReadWords lists the words of f and computes the running sum of their surprisal without
// context, spread evenly over their letters: sum[i] is that of f.Sym[:i]. It is an upper
// bound on the surprisal in context. words and sum are reused where they are long enough.
func (s *Counts) ReadWords(f *fold.Text, words []Word, sum []float32) ([]Word, []float32) {
	s.weigh.Do(s.makeWeights)
	n := len(f.Sym)
	pad := f.Sym[:n+fold.Padding]
	words = slices.Grow(words[:0], n/4+1)
	// Looking up the weights is a part of this loop, and summing them is not, so that the reads of memory overlap.
	for i := 0; i < n; {
		h, k := fold.WordHash(pad, i)
		words = append(words, Word{Hash: h, At: int32(i), weight: s.weights[h>>(64-unigramBits)]})
		i += k
	}
	sum = slices.Grow(sum[:0], n+9)[:n+9] // the last word's letters are written eight at a time
	total := float32(0)
	sum[0] = 0
	for i, w := range words {
		end := n
		if i+1 < len(words) {
			end = int(words[i+1].At)
		}
		letters := end - int(w.At)
		bits := float32(w.weight>>1) / WeightUnit
		each := bits * inverse[min(letters, len(inverse)-1)]
		for at := int(w.At) + 1; at <= end; at += 8 {
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

// Batch is the number of words whose counts or seeds are looked up together: each step is
// a separate loop without branches, so that the random reads of memory overlap.
const Batch = 64
