package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/commonplace/commonplace/storage"
)

// memory is a file system that can fail at any of its operations, as a disk that
// fills up does.
type memory struct {
	files   map[string][]byte
	temps   int
	failAt  int // operation that fails, counted from 1; 0: none
	ops     int
	failure error
}

func newMemory() *memory { return &memory{files: map[string][]byte{}, failure: syscall.ENOSPC} }

// op counts an operation and fails the chosen one and, as a full disk does, all
// that write after it.
func (m *memory) op() error {
	m.ops++
	if m.failAt > 0 && m.ops >= m.failAt {
		return &fs.PathError{Op: "op", Path: "temporary", Err: m.failure}
	}
	return nil
}

func (m *memory) MkdirAll(context.Context, string) error { return m.op() }

func (m *memory) CreateTemp(ctx context.Context, dir, prefix string) (storage.WritableFile, error) {
	if err := m.op(); err != nil {
		return nil, err
	}
	m.temps++
	name := filepath.Join(dir, fmt.Sprintf(".%s.%d.tmp", prefix, m.temps))
	m.files[name] = nil
	return &memoryFile{m, name}, nil
}

func (m *memory) Rename(ctx context.Context, from, to string) error {
	if err := m.op(); err != nil {
		return err
	}
	m.files[to] = m.files[from]
	delete(m.files, from)
	return nil
}

func (m *memory) SyncDir(context.Context, string) error { return m.op() }

func (m *memory) Open(ctx context.Context, path string) (storage.ReadableFile, error) {
	b, ok := m.files[path]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return memoryReader{bytes.NewReader(b)}, nil
}

func (m *memory) List(ctx context.Context, dir string) ([]string, error) {
	names := map[string]bool{}
	for path := range m.files {
		if rest, ok := strings.CutPrefix(path, dir+"/"); ok {
			first, _, _ := strings.Cut(rest, "/")
			names[first] = true
		}
	}
	if len(names) == 0 {
		return nil, fs.ErrNotExist
	}
	return slices.Sorted(maps.Keys(names)), nil
}

func (m *memory) Remove(ctx context.Context, path string) error {
	if _, ok := m.files[path]; !ok {
		return fs.ErrNotExist
	}
	delete(m.files, path)
	return nil
}

func (m *memory) Size(ctx context.Context, path string) (int64, error) {
	f, err := m.Open(ctx, path)
	if err != nil {
		return 0, err
	}
	return f.Size(), nil
}

func (m *memory) RemoveEmpty(context.Context, string) error { return nil } // there are no folders

func (m *memory) Link(ctx context.Context, target, path string) error {
	m.files[path] = []byte(target)
	return nil
}

func (m *memory) ReadLink(ctx context.Context, path string) (string, error) {
	b, ok := m.files[path]
	if !ok {
		return "", fs.ErrNotExist
	}
	return string(b), nil
}

type memoryFile struct {
	m    *memory
	name string
}

func (f *memoryFile) Name() string { return f.name }
func (f *memoryFile) Sync() error  { return f.m.op() }
func (f *memoryFile) Close() error { return f.m.op() }
func (f *memoryFile) Write(p []byte) (int, error) {
	if err := f.m.op(); err != nil {
		n := len(p) / 2 // a full disk takes a part
		f.m.files[f.name] = append(f.m.files[f.name], p[:n]...)
		return n, err
	}
	f.m.files[f.name] = append(f.m.files[f.name], p...)
	return len(p), nil
}

// WriteAt is for files that are not written in order, which no table is.
func (f *memoryFile) WriteAt([]byte, int64) (int, error) { return 0, errors.ErrUnsupported }

type memoryReader struct{ *bytes.Reader }

func (memoryReader) Close() error { return nil }
