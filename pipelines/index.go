package pipelines

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/commonplace/commonplace/table"
)

// The files of a run's folder index are mapped into memory and read in any
// order. Of a run in a bucket they are made and used in a folder of this machine,
// and lie in the bucket too, so that a worker finds what another one made.

// indexFile is where a file of the index, or of kept counts, lies on this machine.
func indexFile(path string) string {
	if !table.Remote(path) {
		return path
	}
	return filepath.Join(os.TempDir(), "index-"+keyOf(table.Folder(path)), filepath.Base(path))
}

// haveIndex makes a file of the index lie on this machine, if it was made by
// anybody; else it is fs.ErrNotExist. A file's name says what it is made from, so
// one that is here is the one that is there.
func haveIndex(path string) error {
	if !table.Remote(path) {
		_, err := os.Stat(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w: %w", table.ErrStorage, err)
		}
		return err
	}
	here := indexFile(path)
	if _, err := os.Stat(here); err == nil {
		return nil
	}
	from, err := openInput(path)
	if err != nil {
		return err
	}
	defer from.Close()
	if err := os.MkdirAll(filepath.Dir(here), 0o755); err != nil {
		return err
	}
	return atomicFile(here, func(f *os.File) error {
		_, err := io.Copy(f, from)
		return err
	})
}

// removeIndex removes a file of the index here and there.
func removeIndex(path string) error {
	if table.Remote(path) {
		os.Remove(indexFile(path))
	}
	return table.Remove(path)
}
