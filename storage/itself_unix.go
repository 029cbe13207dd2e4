//go:build unix

package storage

import "syscall"

// itself opens what has a name, and not what a link there leads to, and waits for no pipe.
const itself = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
