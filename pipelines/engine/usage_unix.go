//go:build unix

package engine

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// usage is how much processor time this process has taken, and the most memory that
// it has had.
func usage() (cpu time.Duration, peak int64) {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0, 0
	}
	peak = int64(u.Maxrss)
	if runtime.GOOS != "darwin" { // which counts bytes, and the others kibibytes
		peak *= 1024
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), peak
}
