//go:build unix

package storage

import (
	"io/fs"
	"os"
	"syscall"
)

// Ours says whether a file is of this process's user.
func Ours(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid()
}
