//go:build unix

package bounded

import "syscall"

// noWait opens a pipe that has no writer at once.
const noWait = syscall.O_NONBLOCK
