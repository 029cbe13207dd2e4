//go:build unix

package runner

import (
	"io/fs"
	"os"
	"syscall"
)

// ours says whether a file is of this process's user.
func ours(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid()
}
