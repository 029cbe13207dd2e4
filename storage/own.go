package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// A run's folder may come from somebody else. A link in it would lead the program out of
// the run: it would write and remove in other folders, or write over any file. A pipe or
// a device there has no end. So the program follows no link there, and opens nothing but
// regular files. The run's own folder may be a link.

// RefuseLink is [ErrDamaged] where a folder that a run writes into is a link. Folders of
// a bucket are none.
func RefuseLink(ctx context.Context, folder string) error {
	if Remote(folder) {
		return nil
	}
	if _, err := Default.ReadLink(ctx, folder); err != nil {
		return nil
	}
	return fmt.Errorf("%s: %w: it is a link, and must be a folder of this run; remove it", folder, ErrDamaged)
}

// RefuseOther is [ErrDamaged] where a file of a run, on this machine, is a link, a folder,
// a pipe or a device. A missing file is none of these.
func RefuseOther(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return refuseMode(path, info.Mode())
}

func refuseMode(path string, mode fs.FileMode) error {
	switch {
	case mode.IsRegular():
		return nil
	case mode&fs.ModeSymlink != 0:
		return fmt.Errorf("%s: %w: it is a link, and must be a file of this run; remove it", path, ErrDamaged)
	}
	return fmt.Errorf("%s: %w: it is not a regular file, and must be a file of this run; remove it", path, ErrDamaged)
}

// OpenOwn is [os.OpenFile] for a file that a run keeps on this machine. What [RefuseOther]
// refuses, it refuses, and changes nothing. So it does, to write, with a file that has
// another name: a file elsewhere, which would change with it.
func OpenOwn(path string, flag int) (*os.File, error) {
	before, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0 {
		return os.OpenFile(path, flag|os.O_EXCL, 0o644) // also follows no link that was made since
	}
	if err == nil {
		err = refuseMode(path, before.Mode())
	}
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, flag&^(os.O_CREATE|os.O_TRUNC)|itself, 0o644)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !os.SameFile(before, info) {
		err = fmt.Errorf("%s: %w: it became another file; run again", path, ErrDamaged)
	}
	if err == nil && flag&(os.O_WRONLY|os.O_RDWR) != 0 && names(info) > 1 {
		err = fmt.Errorf("%s: %w: it has another name, by a hard link, and what that names would change; put a copy in its place", path, ErrDamaged)
	}
	if err == nil && flag&os.O_TRUNC != 0 {
		err = f.Truncate(0)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// ReadOwn reads a small file whole that a run keeps on this machine, as [OpenOwn] opens
// it. One of more than most bytes is [ErrDamaged].
func ReadOwn(path string, most int64) ([]byte, error) {
	f, err := OpenOwn(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(b)) > most {
		err = fmt.Errorf("%s: %w: it has more than %d bytes", path, ErrDamaged, most)
	}
	return b, err
}
