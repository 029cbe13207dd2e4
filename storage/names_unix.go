//go:build unix

package storage

import (
	"io/fs"
	"syscall"
)

// names is how many names a file has, here or in other folders.
func names(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}
