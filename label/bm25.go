package label

import (
	"math"
	"slices"
	"strings"
)

// The constants of the Python library rank_bm25, which RELiC and others use.
const (
	BM25K1      = 1.5
	BM25B       = 0.75
	bm25Epsilon = 0.25
)

// BM25 scores passages for a query, exactly as the class BM25Okapi of the
// Python library rank_bm25 does with its default constants: idf is
// ln(N-n+0.5) - ln(n+0.5), and where that is below zero, a quarter of the mean
// idf of all words. A word that the query has twice counts twice.
//
// It holds one list of places for each word, so that a query costs as much as
// its words are frequent, not as the passages are many.
type BM25 struct {
	passages int
	places   map[string][]place
}

// place is a passage that has a word, and what the word is worth there.
type place struct {
	passage int32
	weight  float64
}

// NewBM25 reads the words of each passage, with the library's constants.
func NewBM25(passages [][]string) *BM25 { return NewBM25With(passages, BM25K1, BM25B) }

// NewBM25With is for other constants: RELiC has k1 .5 and b .9.
func NewBM25With(passages [][]string, k1, bLength float64) *BM25 {
	b := &BM25{passages: len(passages), places: map[string][]place{}}
	var vocabulary []string // in order of appearance, so that sums are the same every time
	total := 0
	for i, words := range passages {
		total += len(words)
		for _, w := range words {
			list := b.places[w]
			if list == nil {
				vocabulary = append(vocabulary, w)
			}
			if n := len(list); n > 0 && list[n-1].passage == int32(i) {
				list[n-1].weight++ // for now the number of times
				continue
			}
			b.places[w] = append(list, place{int32(i), 1})
		}
	}
	mean := float64(total) / float64(len(passages))
	idf := make([]float64, len(vocabulary))
	sum := 0.0
	for i, w := range vocabulary {
		n := float64(len(b.places[w]))
		idf[i] = math.Log(float64(len(passages))-n+0.5) - math.Log(n+0.5)
		sum += idf[i]
	}
	floor := bm25Epsilon * sum / float64(len(vocabulary))
	for i, w := range vocabulary {
		if idf[i] < 0 {
			idf[i] = floor
		}
		for k, p := range b.places[w] {
			length := float64(len(passages[p.passage])) / mean
			b.places[w][k].weight = idf[i] * p.weight * (k1 + 1) / (p.weight + k1*(1-bLength+bLength*length))
		}
	}
	return b
}

// Scores are the scores of all passages for the words of a query.
func (b *BM25) Scores(query []string) []float64 {
	scores := make([]float64, b.passages)
	for _, w := range query {
		for _, p := range b.places[w] {
			scores[p.passage] += p.weight
		}
	}
	return scores
}

// best are the indexes of the n highest scores, the highest first and the lower
// index first among equals; those that skip names are left out.
func best(scores []float64, n int, skip func(int) bool) []int {
	var top []int
	for i := range scores {
		if n <= 0 || skip(i) || len(top) == n && scores[i] <= scores[top[n-1]] {
			continue
		}
		at, _ := slices.BinarySearchFunc(top, scores[i], func(k int, score float64) int {
			if scores[k] >= score {
				return -1
			}
			return 1
		})
		top = slices.Insert(top, at, i)
		top = top[:min(n, len(top))]
	}
	return top
}

// bagOfWords are the words of a text for retrieval: lower case, letters and digits alone.
func bagOfWords(text string) []string { return strings.Fields(Normalise(text)) }
