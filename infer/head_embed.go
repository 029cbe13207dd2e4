package infer

import (
	"container/heap"
	"context"
	"fmt"
	"math"
	"sort"
	"sync/atomic"
)

var embedHead = head{
	name: "embed",
	doc:  headDoc{"a text", "`[n, tokens, d]`, or `[n, d]`", "a vector per text", "`embed: {from, normalize}`"},
	part: "embed",
	graph: textGraph{
		shape: func(m Manifest) []int64 {
			if m.Embed.From == "none" {
				return []int64{-1, anyFixed}
			}
			return []int64{-1, -1, anyFixed}
		},
		refuse: func(m *Manifest) error { return oneOf("embed.from", m.Embed.From, "mean", "first", "none") },
		bindTo: func(*textModel) (any, error) { return new(atomic.Int64), nil }, // the width of vectors, once there was one
	},
	embed: (*Model).embedTexts,
}

// Pooling says how an embedding is made of the graph's output.
type Pooling struct {
	From      string `yaml:"from"`      // mean (over the tokens), first (token), or none: the graph pools
	Normalize bool   `yaml:"normalize"` // to length 1
}

// Embed gives each text its vector, and says whether it was truncated for it
// ([EmbedTexts]; RA-MTR's retriever, RELiC's dense models). All vectors have the same
// length; with embed.normalize their Euclidean length is 1 and a dot product is the
// cosine.
func (m *Model) Embed(ctx context.Context, texts []string) (vectors [][]float32, truncated []bool, err error) {
	if err := m.Can(EmbedTexts); err != nil {
		return nil, nil, err
	}
	return m.head.embed(m, ctx, texts)
}

func (m *Model) embedTexts(ctx context.Context, texts []string) (vectors [][]float32, truncated []bool, err error) {
	h, width := m.text, m.text.own.(*atomic.Int64)
	vectors, truncated = make([][]float32, len(texts)), make([]bool, len(texts))
	err = h.run.each(ctx, len(texts),
		func(it *item) error { return h.tokens.EncodeTo(&it.encoded, h.masked(texts[it.at])) },
		func(it *item, r row) error {
			v := h.pool(it, r)
			if !width.CompareAndSwap(0, int64(len(v))) && width.Load() != int64(len(v)) {
				return fmt.Errorf("model %s gives a vector of %d numbers after one of %d", m.manifest.Name, len(v), width.Load())
			}
			if !finite(v...) {
				return fmt.Errorf("model %s gives a vector that is not finite", m.manifest.Name)
			}
			vectors[it.at], truncated[it.at] = v, it.encoded.Truncated
			return nil
		})
	if err != nil {
		return nil, nil, err
	}
	return vectors, truncated, nil
}

// pool makes one vector of the graph's output.
func (h *textModel) pool(it *item, r row) []float32 {
	values, dims := r.values[0], r.dims[0]
	d := int(dims[len(dims)-1])
	v := make([]float32, d)
	if h.manifest.Embed.From == "mean" {
		n := it.encoded.Len()
		sums := make([]float64, d)
		for t := range n {
			for k, x := range values[t*d : (t+1)*d] {
				sums[k] += float64(x)
			}
		}
		for k, sum := range sums {
			v[k] = float32(sum / float64(n))
		}
	} else {
		copy(v, values[:d])
	}
	if h.manifest.Embed.Normalize {
		norm := 0.0
		for _, x := range v {
			norm += float64(x) * float64(x)
		}
		norm = max(math.Sqrt(norm), 1e-12)
		for k := range v {
			v[k] = float32(float64(v[k]) / norm)
		}
	}
	return v
}

// Neighbour is a candidate and its dot product with the query.
type Neighbour struct {
	Index int
	Score float64
}

// Nearest finds the k candidates with the largest dot product, largest first,
// the lower index first among equals. It looks at every candidate: exact.
func Nearest(query []float32, candidates [][]float32, k int) []Neighbour {
	var best neighbours
	for i, c := range candidates {
		n := Neighbour{i, dot(query, c)}
		if len(best) < k {
			heap.Push(&best, n)
		} else if k > 0 && worse(best[0], n) {
			best[0] = n
			heap.Fix(&best, 0)
		}
	}
	sort.Slice(best, func(i, j int) bool { return worse(best[j], best[i]) })
	return best
}

func dot(a, b []float32) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

func worse(a, b Neighbour) bool {
	if a.Score != b.Score {
		return a.Score < b.Score
	}
	return a.Index > b.Index
}

// neighbours is a heap with the worst on top.
type neighbours []Neighbour

func (h neighbours) Len() int           { return len(h) }
func (h neighbours) Less(i, j int) bool { return worse(h[i], h[j]) }
func (h neighbours) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *neighbours) Push(x any)        { *h = append(*h, x.(Neighbour)) }
func (h *neighbours) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}
