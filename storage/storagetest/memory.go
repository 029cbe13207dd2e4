// Package storagetest has a file system and a bucket in memory, for tests.
package storagetest

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

// Memory is a file system that can fail at any of its operations, as a disk that
// fills up does.
type Memory struct {
	Files   map[string][]byte
	FailAt  int // operation that fails, counted from 1; 0: none
	Ops     int // that there were
	Failure error
	temps   int
}

// NewMemory is an empty one, on a disk that may fill up.
func NewMemory() *Memory { return &Memory{Files: map[string][]byte{}, Failure: syscall.ENOSPC} }

// op counts an operation and fails the chosen one and, as a full disk does, all
// that write after it.
func (m *Memory) op() error {
	m.Ops++
	if m.FailAt > 0 && m.Ops >= m.FailAt {
		return &fs.PathError{Op: "op", Path: "temporary", Err: m.Failure}
	}
	return nil
}

func (m *Memory) MkdirAll(context.Context, string) error { return m.op() }

func (m *Memory) CreateTemp(ctx context.Context, dir, prefix string) (storage.WritableFile, error) {
	if err := m.op(); err != nil {
		return nil, err
	}
	m.temps++
	name := filepath.Join(dir, fmt.Sprintf(".%s.%d.tmp", prefix, m.temps))
	m.Files[name] = nil
	return &memoryFile{m, name}, nil
}

func (m *Memory) Rename(ctx context.Context, from, to string) error {
	if err := m.op(); err != nil {
		return err
	}
	m.Files[to] = m.Files[from]
	delete(m.Files, from)
	return nil
}

func (m *Memory) SyncDir(context.Context, string) error { return m.op() }

func (m *Memory) Open(ctx context.Context, path string) (storage.ReadableFile, error) {
	b, ok := m.Files[path]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return memoryReader{bytes.NewReader(b)}, nil
}

func (m *Memory) List(ctx context.Context, dir string) ([]string, error) {
	names := map[string]bool{}
	for path := range m.Files {
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

func (m *Memory) Remove(ctx context.Context, path string) error {
	if _, ok := m.Files[path]; !ok {
		return fs.ErrNotExist
	}
	delete(m.Files, path)
	return nil
}

func (m *Memory) Size(ctx context.Context, path string) (int64, error) {
	f, err := m.Open(ctx, path)
	if err != nil {
		return 0, err
	}
	return f.Size(), nil
}

func (m *Memory) RemoveEmpty(context.Context, string) error { return nil } // there are no folders

func (m *Memory) Link(ctx context.Context, target, path string) error {
	m.Files[path] = []byte(target)
	return nil
}

func (m *Memory) Share(ctx context.Context, from, to string) (bool, error) {
	if err := m.op(); err != nil {
		return false, err
	}
	b, ok := m.Files[from]
	if !ok {
		return false, fs.ErrNotExist
	}
	m.Files[to] = b
	return true, nil
}

func (m *Memory) Exchange(context.Context, string, string) error { return errors.ErrUnsupported }

func (m *Memory) ReadLink(ctx context.Context, path string) (string, error) {
	b, ok := m.Files[path]
	if !ok {
		return "", fs.ErrNotExist
	}
	return string(b), nil
}

type memoryFile struct {
	m    *Memory
	name string
}

func (f *memoryFile) Name() string { return f.name }
func (f *memoryFile) Sync() error  { return f.m.op() }
func (f *memoryFile) Close() error { return f.m.op() }
func (f *memoryFile) Write(p []byte) (int, error) {
	if err := f.m.op(); err != nil {
		n := len(p) / 2 // a full disk takes a part
		f.m.Files[f.name] = append(f.m.Files[f.name], p[:n]...)
		return n, err
	}
	f.m.Files[f.name] = append(f.m.Files[f.name], p...)
	return len(p), nil
}

// WriteAt is for files that are not written in order, which no table is.
func (f *memoryFile) WriteAt([]byte, int64) (int, error) { return 0, errors.ErrUnsupported }

type memoryReader struct{ *bytes.Reader }

func (memoryReader) Close() error { return nil }
