//go:build !linux

package hugepage

// Table is a table for random reads; the hint for large pages is not known here.
func Table[T any](n int) []T { return make([]T, n) }
