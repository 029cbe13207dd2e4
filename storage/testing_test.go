package storage_test

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"strings"
	"sync"
	"testing"

	"github.com/commonplace/commonplace/storage"
)

// memory is a bucket in memory.
type memory struct {
	mu      sync.Mutex
	objects map[string][]byte
	loses   int // bytes of what is written
}

// newMemory makes mem:// a bucket in memory until the test ends.
func newMemory(t *testing.T) *memory {
	t.Helper()
	m := &memory{objects: map[string][]byte{}}
	storage.RegisterBuckets("mem", func() (storage.Bucket, error) { return m, nil })
	t.Cleanup(func() { storage.RegisterBuckets("mem", nil) })
	return m
}

func (m *memory) get(path string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b, ok := m.objects[path]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return b, nil
}

func (m *memory) Read(ctx context.Context, path string) (io.ReadCloser, error) {
	b, err := m.get(path)
	return io.NopCloser(bytes.NewReader(b)), err
}

func (m *memory) Size(ctx context.Context, path string) (int64, error) {
	b, err := m.get(path)
	return int64(len(b)), err
}

func (m *memory) Write(ctx context.Context, path string, from io.Reader) error {
	b, err := io.ReadAll(from)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.objects[path] = b[:len(b)-m.loses]
	return nil
}

func (m *memory) List(ctx context.Context, dir string, depth int) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var below []string
	for path := range m.objects {
		if rest, ok := strings.CutPrefix(path, dir+"/"); ok && strings.Count(rest, "/") < depth {
			below = append(below, rest)
		}
	}
	return below, nil
}

func (m *memory) Remove(ctx context.Context, path string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.objects, path)
	return nil
}
