package main

import (
	"os"
	"sync"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// canMount reports whether this process may mount file systems.
var canMount = sync.OnceValue(func() bool {
	dir, err := os.MkdirTemp("", "mount")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	if syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=4k") != nil {
		return false
	}
	return syscall.Unmount(dir, 0) == nil
})

// tmpfs mounts a small file system until the script ends: tmpfs DIR BYTES.
// Mounted again with other bytes, it grows or shrinks.
func tmpfs(ts *testscript.TestScript, neg bool, args []string) {
	dir, flags := ts.MkAbs(args[0]), uintptr(0)
	if os.Mkdir(dir, 0o777) != nil {
		flags = syscall.MS_REMOUNT
	}
	ts.Check(syscall.Mount("tmpfs", dir, "tmpfs", flags, "size="+args[1]))
	if flags == 0 {
		ts.Defer(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	}
}
