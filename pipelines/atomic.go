package pipelines

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/commonplace/commonplace/table"
)

// atomicFile writes a file under a temporary name beside it and gives it its
// name when it is whole and on the disk.
func atomicFile(path string, write func(*os.File) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp") // two workers may write the same file
	if err != nil {
		return refused(path, err)
	}
	temp := f.Name()
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(temp)
		}
	}()
	if err := write(f); err != nil {
		if p := (*fs.PathError)(nil); errors.As(err, &p) && p.Path == temp {
			return refused(path, err)
		}
		return err
	}
	if err := f.Chmod(0o644); err != nil { // CreateTemp's files are private
		return fmt.Errorf("write %s: %w: %w", path, table.ErrStorage, err)
	}
	if err := f.Sync(); err != nil {
		return refused(path, err)
	}
	if err := f.Close(); err != nil {
		return refused(path, err)
	}
	if err := os.Rename(temp, path); err != nil {
		return refused(path, err)
	}
	return nil
}

// refused says that a file could not be written, and why, without the temporary
// name, which helps nobody.
func refused(path string, err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		err = p.Err
	case errors.As(err, &l):
		err = l.Err
	}
	advice := "choose a file that you may write to"
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		advice = "free some space and run again: what is finished is kept"
	}
	return fmt.Errorf("write %s: %w: %w; %s", path, table.ErrStorage, err, advice)
}
