package lineage

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/commonplace/commonplace/storage"
)

// maxFirst is how much of a file is read to see what it is.
const maxFirst = 1 << 20

// openFile opens a file to add events to it: a new one, an empty one, or one of events.
// A pipe is refused and not waited for.
func openFile(path string) (sink, error) {
	was, err := storage.Local.Open(context.Background(), path)
	if err == nil {
		begin := make([]byte, min(was.Size(), maxFirst))
		_, err = was.ReadAt(begin, 0)
		if err == io.EOF {
			err = nil
		}
		was.Close()
		if err == nil && len(begin) > 0 && !isEvent(begin) {
			err = fmt.Errorf("%s begins with no OpenLineage event, and nothing is added to it; name a new file", path)
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	return &file{to: f}, nil
}

// isEvent says that the first line is an event, of this program or another, or what a
// full disk left of one of this program.
func isEvent(begin []byte) bool {
	line, _, whole := bytes.Cut(begin, []byte("\n"))
	if !whole && bytes.HasPrefix(line, []byte(`{"eventType":`)) {
		return true
	}
	var v struct{ EventTime, Producer string }
	return json.Unmarshal(line, &v) == nil && v.EventTime != "" && v.Producer != ""
}

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
