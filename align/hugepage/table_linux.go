// Package hugepage allocates tables for random reads in large pages of memory.
package hugepage

import (
	"syscall"
	"unsafe"
)

// Table is a table for random reads: most of the cost of a random read
// is finding its page, so a table of a megabyte and more is in large pages of
// its own. That is a hint to the system and may do nothing.
func Table[T any](n int) []T {
	const page = 2 << 20
	var one T
	size := int(unsafe.Sizeof(one))
	if n*size < page/2 {
		return make([]T, n)
	}
	whole := (n*size + page - 1) &^ (page - 1) // bytes of the pages
	table := make([]T, (whole+page)/size)
	skip := int(-uintptr(unsafe.Pointer(&table[0]))&(page-1)) / size
	table = table[skip:]
	_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Pointer(&table[0])), whole), 14) // MADV_HUGEPAGE
	return table[:n:n]
}
