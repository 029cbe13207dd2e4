//go:build !linux

package align

// largeTable is a table that is read all over; the hint for large pages is not known here.
func largeTable[T any](n int) []T { return make([]T, n) }
