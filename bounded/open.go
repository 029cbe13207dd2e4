package bounded

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// BrokenGzip is a file that is no gzip, or breaks off, or fails its checksum.
type BrokenGzip struct{ Err error }

func (e *BrokenGzip) Error() string { return e.Err.Error() }

func (e *BrokenGzip) Unwrap() error { return e.Err }

// ErrNotRegular is what a pipe, a device or a folder gets: it may have no end.
var ErrNotRegular = errors.New("it is not a regular file")

// Reader reads one file from its beginning, unpacked, within its limits. After
// an error it gives no more bytes.
type Reader struct {
	file    *os.File
	from    io.Reader
	packed  int64 // size of a packed file; -1: it is not packed
	packing string
	limits  Limits
	most    int64
	read    int64
	err     error
}

// OpenFile opens a regular file. A pipe without a writer is refused and not
// waited for.
func OpenFile(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		return nil, 0, err
	}
	return openRegular(path)
}

// openRegular asks again what was opened: another file may have come in the place of the
// one that was asked for. A pipe is not waited for then either.
func openRegular(path string) (*os.File, int64, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, info.Size(), nil
}

// Open opens a file to be read once, unpacked when its name ends in .gz.
func Open(path string, l Limits) (*Reader, error) {
	f, size, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	r, err := NewReader(f, path, size, l)
	if err != nil {
		f.Close()
		return nil, err
	}
	r.file = f
	return r, nil
}

// NewReader is Open for what is no file on this disk: size bytes that have a
// file's name.
func NewReader(from io.Reader, name string, size int64, l Limits) (*Reader, error) {
	l = l.WithDefaults()
	r := &Reader{from: from, packed: -1, limits: l, most: l.Bytes}
	if !strings.HasSuffix(strings.ToLower(name), ".gz") {
		return r, nil
	}
	z, err := gzip.NewReader(bufio.NewReaderSize(from, 1<<16))
	if err != nil {
		return nil, &BrokenGzip{fmt.Errorf("at its beginning: %w", err)}
	}
	r.from, r.packed, r.packing, r.most = z, size, "gzip", l.Unpacked(size, l.Bytes)
	return r, nil
}

func (r *Reader) Read(p []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.from.Read(p)
	r.read += int64(n)
	switch {
	case r.read > r.most && r.most < r.limits.Bytes:
		n, err = 0, Over("ratio", r.limits.Ratio, "%d bytes of %s hold more than %d", r.packed, r.packing, r.most)
	case r.read > r.most:
		n, err = 0, Over("bytes", r.limits.Bytes, "the file has more than %d bytes", r.most)
	case err != nil && err != io.EOF && r.packing == "gzip":
		err = &BrokenGzip{err}
	}
	r.err = err
	return n, err
}

// Close lets the file go.
func (r *Reader) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// ReadWhole is a regular file of at most most bytes whole, such as the graph of a model.
func ReadWhole(path string, most int64) ([]byte, error) {
	f, size, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > most {
		return nil, fmt.Errorf("%s has %d bytes, more than %d", path, size, most)
	}
	b := make([]byte, size)
	_, err = io.ReadFull(f, b)
	return b, err
}

// ReadFile is a small file whole: a config, a manifest, a tokenizer.
func ReadFile(path string, l Limits) ([]byte, error) {
	l = l.WithDefaults()
	f, _, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, min(l.Settings, math.MaxInt64-1)+1))
	if err == nil && int64(len(b)) > l.Settings {
		err = Over("settings", l.Settings, "%s has more than %d bytes", path, l.Settings)
	}
	return b, err
}
