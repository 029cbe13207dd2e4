package report

import "slices"

// best keeps the first n of what is added, by an order, in memory of 2n.
type best[T any] struct {
	n     int
	order func(a, b T) int
	items []T
}

func (b *best[T]) add(item T) {
	b.items = append(b.items, item)
	if len(b.items) >= 2*b.n+16 {
		b.cut()
	}
}

func (b *best[T]) cut() {
	slices.SortFunc(b.items, b.order)
	clear(b.items[min(b.n, len(b.items)):]) // lets go of what the rest held
	b.items = b.items[:min(b.n, len(b.items))]
}

// sorted are the items kept, in order.
func (b *best[T]) sorted() []T {
	b.cut()
	return b.items
}
