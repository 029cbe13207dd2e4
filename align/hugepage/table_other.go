//go:build !linux

package hugepage

// Table is a table that is read all over; the hint for large pages is not known here.
func Table[T any](n int) []T { return make([]T, n) }
