package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
)

// Bucket is what a store of whole objects offers: no folders, no renaming, no
// changing of what is there. Paths are whole: gs://bucket/run/part.
type Bucket interface {
	// Read reads an object from its beginning. A missing one is fs.ErrNotExist.
	Read(ctx context.Context, path string) (io.ReadCloser, error)
	// Write makes an object, which appears whole when Write returns without an
	// error and not at all otherwise.
	Write(ctx context.Context, path string, from io.Reader) error
	// Size is an object's bytes. A missing one is fs.ErrNotExist.
	Size(ctx context.Context, path string) (int64, error)
	// List gives the paths below dir, without dir and its slash, of the objects
	// that stand at most depth names below it.
	List(ctx context.Context, dir string, depth int) ([]string, error)
	// Remove deletes an object. A missing one is no error, or fs.ErrNotExist.
	Remove(ctx context.Context, path string) error
}

// depthOfRun is how deep a run's files lie in any folder of it that is listed:
// records/TABLE/part below a version.
const depthOfRun = 3

// bucketFiles are tables in a bucket. What is being written is a temporary file
// on this machine, and giving it its name uploads it: that is the one step. What
// is read is downloaded first, since Parquet is read from its end. So the
// machine's disk holds what is being written and read, never the run.
type bucketFiles struct {
	opened func() <-chan struct{} // begins to open, once
	bucket Bucket
	err    error
}

func newBucketFiles(open func() (Bucket, error)) *bucketFiles {
	b := &bucketFiles{}
	b.opened = sync.OnceValue(func() <-chan struct{} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			b.bucket, b.err = open()
		}()
		return done
	})
	return b
}

// reach gives the bucket when it is open. The first caller may wait for credentials
// from a server that does not answer.
func (b *bucketFiles) reach(ctx context.Context) (Bucket, error) {
	select {
	case <-b.opened():
		return b.bucket, b.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (*bucketFiles) MkdirAll(context.Context, string) error    { return nil } // there are no folders
func (*bucketFiles) RemoveEmpty(context.Context, string) error { return nil }
func (*bucketFiles) SyncDir(context.Context, string) error     { return nil } // an object that is there lasts

func (*bucketFiles) CreateTemp(ctx context.Context, _, prefix string) (WritableFile, error) {
	f, err := os.CreateTemp(TempDir(ctx), "."+strings.TrimPrefix(prefix, ".")+".*.tmp")
	if err != nil {
		return nil, err
	}
	return unsynced{f}, nil
}

// unsynced need not outlive a crash: it is uploaded or forgotten.
type unsynced struct{ *os.File }

func (unsynced) Sync() error { return nil }

// Rename uploads a file of this machine, whose name is then gone.
func (b *bucketFiles) Rename(ctx context.Context, from, to string) error {
	if err := b.upload(ctx, from, to); err != nil {
		return err
	}
	return os.Remove(from)
}

func (b *bucketFiles) upload(ctx context.Context, from, to string) error {
	bucket, err := b.reach(ctx)
	if err != nil {
		return err
	}
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := bucket.Write(ctx, to, f); err != nil {
		return fmt.Errorf("upload: %w", err)
	}
	switch size, err := bucket.Size(ctx, to); {
	case err != nil:
		return fmt.Errorf("upload: look at what arrived: %w", err)
	case size != info.Size():
		return fmt.Errorf("upload: %d of %d bytes arrived", size, info.Size())
	}
	return nil
}

// Open downloads an object to a file that has no name, and so is gone when it is closed.
func (b *bucketFiles) Open(ctx context.Context, path string) (ReadableFile, error) {
	bucket, err := b.reach(ctx)
	if err != nil {
		return nil, err
	}
	from, err := bucket.Read(ctx, path)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	f, err := os.CreateTemp(TempDir(ctx), ".download.*.tmp")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name())
	n, err := io.Copy(f, from)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("download: %w", err)
	}
	return &localFile{f, n}, nil
}

func (b *bucketFiles) Size(ctx context.Context, path string) (int64, error) {
	bucket, err := b.reach(ctx)
	if err != nil {
		return 0, err
	}
	return bucket.Size(ctx, path)
}

func (b *bucketFiles) List(ctx context.Context, dir string) ([]string, error) {
	bucket, err := b.reach(ctx)
	if err != nil {
		return nil, err
	}
	below, err := bucket.List(ctx, dir, depthOfRun)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, path := range below {
		name, _, _ := strings.Cut(path, "/")
		names[name] = true
	}
	if len(names) == 0 {
		return nil, fs.ErrNotExist
	}
	return slices.Sorted(maps.Keys(names)), nil
}

// Remove deletes an object.
func (b *bucketFiles) Remove(ctx context.Context, path string) error {
	bucket, err := b.reach(ctx)
	if err != nil {
		return err
	}
	return bucket.Remove(ctx, path)
}

// Link writes a small object that holds the name. No path leads through it.
func (b *bucketFiles) Link(ctx context.Context, target, path string) error {
	bucket, err := b.reach(ctx)
	if err != nil {
		return err
	}
	return bucket.Write(ctx, path, bytes.NewReader([]byte(target)))
}

// Share copies an object, inside the store where it can do that.
func (b *bucketFiles) Share(ctx context.Context, from, to string) (bool, error) {
	bucket, err := b.reach(ctx)
	if err != nil {
		return false, err
	}
	if copier, ok := bucket.(interface {
		Copy(ctx context.Context, from, to string) error
	}); ok {
		return true, copier.Copy(ctx, from, to)
	}
	in, err := bucket.Read(ctx, from)
	if err != nil {
		return false, err
	}
	defer in.Close()
	return true, bucket.Write(ctx, to, in)
}

func (b *bucketFiles) Exchange(context.Context, string, string) error { return errors.ErrUnsupported }

// longestLink bounds what an object that is no link can make us read.
const longestLink = 1 << 10

func (b *bucketFiles) ReadLink(ctx context.Context, path string) (string, error) {
	bucket, err := b.reach(ctx)
	if err != nil {
		return "", err
	}
	from, err := bucket.Read(ctx, path)
	if err != nil {
		return "", err
	}
	defer from.Close()
	name, err := io.ReadAll(io.LimitReader(from, longestLink))
	if err == nil && (len(name) == 0 || len(name) == longestLink) {
		err = fmt.Errorf("%s: %w: it names no version", path, ErrDamaged)
	}
	return string(name), err
}
