package storagetest

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

// Bucket is a bucket in memory that fails on demand. Its fields are for tests while
// nothing uses it.
type Bucket struct {
	Objects map[string][]byte // by whole paths
	Fail    func() error      // asked at each call; nil: nothing fails
	Loses   int               // bytes of each object that is written

	mu sync.Mutex
}

// NewBucket makes the paths of a scheme lie in memory until the test ends.
func NewBucket(t testing.TB, scheme string) *Bucket {
	t.Helper()
	b := &Bucket{Objects: map[string][]byte{}}
	storage.RegisterBuckets(scheme, func() (storage.Bucket, error) { return b, nil })
	t.Cleanup(func() { storage.RegisterBuckets(scheme, nil) })
	return b
}

// locked calls do while nobody else does, unless the bucket fails or ctx has ended.
func (b *Bucket) locked(ctx context.Context, do func() error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if b.Fail != nil {
		if err := b.Fail(); err != nil {
			return err
		}
	}
	return do()
}

func (b *Bucket) get(ctx context.Context, path string) (o []byte, err error) {
	err = b.locked(ctx, func() error {
		there := false
		if o, there = b.Objects[path]; !there {
			return &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		}
		return nil
	})
	return o, err
}

func (b *Bucket) Read(ctx context.Context, path string) (io.ReadCloser, error) {
	o, err := b.get(ctx, path)
	return io.NopCloser(bytes.NewReader(o)), err
}

func (b *Bucket) Size(ctx context.Context, path string) (int64, error) {
	o, err := b.get(ctx, path)
	return int64(len(o)), err
}

func (b *Bucket) Write(ctx context.Context, path string, from io.Reader) error {
	o, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	return b.locked(ctx, func() error {
		b.Objects[path] = o[:len(o)-b.Loses]
		return nil
	})
}

func (b *Bucket) List(ctx context.Context, dir string, depth int) (below []string, err error) {
	err = b.locked(ctx, func() error {
		for path := range b.Objects {
			if rest, ok := strings.CutPrefix(path, dir+"/"); ok && strings.Count(rest, "/") < depth {
				below = append(below, rest)
			}
		}
		return nil
	})
	return below, err
}

func (b *Bucket) Remove(ctx context.Context, path string) error {
	return b.locked(ctx, func() error {
		delete(b.Objects, path)
		return nil
	})
}
