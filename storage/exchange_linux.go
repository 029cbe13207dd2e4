package storage

import (
	"context"
	"errors"

	"golang.org/x/sys/unix"
)

func (local) Exchange(_ context.Context, a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return errors.ErrUnsupported // by the file system, or the kernel
	}
	return err
}
