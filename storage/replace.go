package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Writer writes a file from its beginning, or anywhere in it.
type Writer interface {
	io.Writer
	io.WriterAt
}

// Replace writes a file of this machine under a temporary name beside it and
// gives it its name when it is whole and on the disk.
func Replace(path string, write func(Writer) error) (err error) {
	f, err := Local.CreateTemp(filepath.Dir(path), filepath.Base(path)) // two workers may write the same file
	if err != nil {
		return Refused(path, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			Local.Remove(f.Name())
		}
	}()
	if err := write(refusing{f, path}); err != nil {
		return err
	}
	if err = f.Sync(); err == nil {
		err = f.Close()
	}
	if err == nil {
		err = Local.Rename(f.Name(), path)
	}
	if err != nil {
		return Refused(path, err)
	}
	return nil
}

// refusing says of a file under a temporary name what could not be written.
type refusing struct {
	file WritableFile
	path string
}

func (w refusing) Write(p []byte) (int, error) {
	n, err := w.file.Write(p)
	return n, w.refused(err)
}

func (w refusing) WriteAt(p []byte, at int64) (int, error) {
	n, err := w.file.WriteAt(p, at)
	return n, w.refused(err)
}

func (w refusing) refused(err error) error {
	if err == nil {
		return nil
	}
	return Refused(w.path, err)
}

// Refused says that a file could not be written, and why, without the temporary
// name, which helps nobody.
func Refused(path string, err error) error {
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
	return fmt.Errorf("write %s: %w: %w; %s", path, ErrRefused, err, advice)
}

// Stored says of an error of temporary files that it is the storage's.
func Stored(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrRefused, err)
}
