package lineage

import (
	"fmt"
	"os"
)

// file takes one event a line. Each is one write, so that builds can share it.
type file struct {
	to   *os.File
	lost int
	all  int
	err  error // the first
}

func (f *file) send(line []byte) {
	f.all++
	if _, err := f.to.Write(line); err != nil {
		f.lost++
		if f.err == nil {
			f.err = err
		}
	}
}

func (f *file) close() error {
	if err := f.to.Close(); err != nil && f.err == nil {
		f.err = err
	}
	if f.err != nil {
		return fmt.Errorf("%d of %d events could not be written: %w", f.lost, f.all, f.err)
	}
	return nil
}
