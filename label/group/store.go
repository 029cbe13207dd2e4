package group

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/commonplace/commonplace/sorting"
)

const (
	storePage  = 4 << 10
	storePages = 2 << 10 // held at once, 8 MB
)

// store is bytes in a temporary file: first all are written, then any are read.
// It holds 8 MB of them, whatever their number.
type store struct {
	f     *os.File
	w     *bufio.Writer
	size  int64
	pages []storedPage
}

// storedPage is a page of the file. A page has one place that it can be in.
type storedPage struct {
	number int64 // plus one
	bytes  []byte
}

func newStore(temp string) (*store, error) {
	f, err := sorting.Temporary(temp)
	if err != nil {
		return nil, err
	}
	return &store{f: f, w: bufio.NewWriterSize(f, 1<<16)}, nil
}

func (s *store) write(b []byte) error {
	n, err := s.w.Write(b)
	s.size += int64(n)
	if err != nil {
		return fmt.Errorf("group: %w", err)
	}
	return nil
}

// done is called between writing and reading.
func (s *store) done() error {
	if err := s.w.Flush(); err != nil {
		return fmt.Errorf("group: %w", err)
	}
	s.w = nil
	s.pages = make([]storedPage, min(storePages, s.size/storePage+1))
	return nil
}

// read appends the bytes [at, at+n) to b.
func (s *store) read(b []byte, at, n int64) ([]byte, error) {
	for n > 0 {
		page, err := s.page(at / storePage)
		if err != nil {
			return b, err
		}
		from := at % storePage
		part := page[from:min(from+n, int64(len(page)))]
		b = append(b, part...)
		at, n = at+int64(len(part)), n-int64(len(part))
	}
	return b, nil
}

func (s *store) page(number int64) ([]byte, error) {
	p := &s.pages[number%int64(len(s.pages))]
	if p.number == number+1 {
		return p.bytes, nil
	}
	if p.bytes == nil {
		p.bytes = make([]byte, 0, storePage)
	}
	p.bytes = p.bytes[:min(storePage, s.size-number*storePage)]
	p.number = 0
	if n, err := s.f.ReadAt(p.bytes, number*storePage); err != nil && (err != io.EOF || n < len(p.bytes)) {
		return nil, fmt.Errorf("group: read what was compared: %w", err)
	}
	p.number = number + 1
	return p.bytes, nil
}

func (s *store) close() error { return s.f.Close() }
