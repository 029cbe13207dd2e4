package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/commonplace/commonplace/storage"
)

// ReadUnchanged reads a file of any storage, which must have the SHA-256 that a
// task's fingerprint is of: external inputs are looked at once a build, and a file
// may be replaced before its stage reads it. name is where it lies on this machine.
func ReadUnchanged(ctx context.Context, path, sum string, read func(name string) error) error {
	name, done, err := storage.OnDisk(ctx, path)
	if err != nil {
		return err
	}
	defer done()
	if err := Unchanged(ctx, path, name, sum); err != nil {
		return err
	}
	if err := read(name); err != nil {
		return storage.Renamed(err, name, path)
	}
	return Unchanged(ctx, path, name, sum)
}

// Unchanged refuses a file of which the SHA-256 is no longer the one that a task's
// fingerprint is of. A reader opens it by name, so it is looked at before and
// after. path is for the error, and name is where the file is on this machine.
func Unchanged(ctx context.Context, path, name, sum string) error {
	now, err := storage.SumOf(ctx, name)
	if ended := ctx.Err(); ended != nil {
		return ended
	}
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist): // a fault of the storage says nothing of the file
		return storage.Wrap("read", path, err)
	case err != nil || now != sum:
		return Changed(path)
	}
	return nil
}

// Changed refuses a file that is not what it was when it was listed.
func Changed(path string) error {
	return fmt.Errorf("%s: it has changed since it was listed; run again", path)
}
