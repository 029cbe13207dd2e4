package pipelines

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/commonplace/commonplace/storage"
)

// fileWriter writes a file from its beginning, or anywhere in it.
type fileWriter interface {
	io.Writer
	io.WriterAt
}

// atomicFile writes a file of this machine under a temporary name beside it and
// gives it its name when it is whole and on the disk.
func atomicFile(path string, write func(fileWriter) error) (err error) {
	f, err := storage.Local.CreateTemp(filepath.Dir(path), filepath.Base(path)) // two workers may write the same file
	if err != nil {
		return refused(path, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			storage.Local.Remove(f.Name())
		}
	}()
	if err := write(refusing{f, path}); err != nil {
		return err
	}
	err = cmp.Or(f.Sync(), f.Close())
	if err == nil {
		err = storage.Local.Rename(f.Name(), path)
	}
	if err != nil {
		return refused(path, err)
	}
	return nil
}

// refusing says of a file under a temporary name what could not be written.
type refusing struct {
	file storage.WritableFile
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
	return refused(w.path, err)
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
	return fmt.Errorf("write %s: %w: %w; %s", path, storage.ErrRefused, err, advice)
}
