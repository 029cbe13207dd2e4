package subword

import "container/heap"

// joinLong merges words of many pieces with a queue, so that a word of n
// characters costs n log n and not n squared.
func (m *bpe) joinLong(out []Piece, first int) []Piece {
	w := out[first:]
	n := int32(len(w))
	previous, next := make([]int32, n), make([]int32, n)
	var q queue
	put := func(i int32) {
		if i < 0 || next[i] >= n {
			return
		}
		if r := m.rank(w[i].ID, w[next[i]].ID); r.rank >= 0 {
			heap.Push(&q, candidate{r, i, w[i].ID, w[next[i]].ID})
		}
	}
	for i := range n {
		previous[i], next[i] = i-1, i+1
	}
	for i := range n - 1 {
		put(i)
	}
	gone := make([]bool, n)
	for len(q) > 0 {
		c := heap.Pop(&q).(candidate)
		if gone[c.at] || next[c.at] >= n || w[c.at].ID != c.left || w[next[c.at]].ID != c.right {
			continue // one of the two was merged since
		}
		right := next[c.at]
		w[c.at] = Piece{c.id, w[c.at].Begin, w[right].End}
		gone[right] = true
		next[c.at] = next[right]
		if next[right] < n {
			previous[next[right]] = c.at
		}
		put(previous[c.at])
		put(c.at)
	}
	kept := out[:first]
	for i := range n {
		if !gone[i] {
			kept = append(kept, w[i])
		}
	}
	return kept
}

// candidate is a pair that can be merged, as it was when it was put into the queue.
type candidate struct {
	merge
	at          int32
	left, right int32
}

type queue []candidate

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	if q[i].rank != q[j].rank {
		return q[i].rank < q[j].rank
	}
	return q[i].at < q[j].at
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(candidate)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	c := (*q)[last]
	*q = (*q)[:last]
	return c
}
