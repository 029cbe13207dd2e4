package align

import (
	"syscall"
	"unsafe"
)

// hugePages asks for large pages under a table that is read all over: most of
// the cost of a random read is finding its page. It is a hint and may do nothing.
func hugePages[T any](table []T) {
	const page = 2 << 20
	size := uintptr(len(table)) * unsafe.Sizeof(table[0])
	p := uintptr(unsafe.Pointer(unsafe.SliceData(table)))
	from, to := (p+page-1)&^(page-1), (p+size)&^(page-1)
	if to <= from {
		return
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(table))), size)
	_ = syscall.Madvise(b[from-p:to-p], 14) // MADV_HUGEPAGE
}
