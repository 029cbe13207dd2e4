package storage

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/commonplace/commonplace/bounded"
)

// FileSystem is what tables need of the place where they lie. [Local] is the
// machine's own; [Default] knows buckets too. A context that ends ends what it
// was given to, and its error is the context's.
type FileSystem interface {
	// MkdirAll makes a folder and those above it, if they are not there.
	MkdirAll(ctx context.Context, dir string) error
	// CreateTemp makes a new file in dir whose name begins with "." and prefix and ends with ".tmp".
	CreateTemp(ctx context.Context, dir, prefix string) (WritableFile, error)
	// Rename gives a file its final name, replacing what had it, as one step.
	Rename(ctx context.Context, from, to string) error
	// SyncDir makes renames in dir last.
	SyncDir(ctx context.Context, dir string) error
	// Open opens a file for reading.
	Open(ctx context.Context, path string) (ReadableFile, error)
	// Size is a file's bytes.
	Size(ctx context.Context, path string) (int64, error)
	// List names what is in dir, sorted. A missing folder is fs.ErrNotExist.
	List(ctx context.Context, dir string) ([]string, error)
	// Remove deletes one file.
	Remove(ctx context.Context, path string) error
	// RemoveEmpty deletes a folder if it is there and holds nothing.
	RemoveEmpty(ctx context.Context, dir string) error
	// Link makes path a link to target, a name in its folder, replacing what it was
	// as one step.
	Link(ctx context.Context, target, path string) error
	// Share makes to the same file as from, or a copy of it where there can be no second
	// name, replacing what had the name as one step. Either may be replaced or removed
	// later without the other. It reports whether it did anything.
	Share(ctx context.Context, from, to string) (changed bool, err error)
	// Exchange lets two files, folders or links of this machine have one another's names,
	// as one step. It is errors.ErrUnsupported where that cannot be.
	Exchange(ctx context.Context, a, b string) error
	// ReadLink is the name that a link has for its target. A missing one is fs.ErrNotExist.
	ReadLink(ctx context.Context, path string) (string, error)
}

// WritableFile is a file that is being written.
type WritableFile interface {
	io.WriteCloser
	io.WriterAt
	Name() string
	Sync() error
}

// ReadableFile is a file that is being read.
type ReadableFile interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// Local is the machine's own file system.
var Local FileSystem = local{}

type local struct{}

func (local) MkdirAll(_ context.Context, dir string) error { return os.MkdirAll(dir, 0o755) }

func (local) CreateTemp(_ context.Context, dir, prefix string) (WritableFile, error) {
	// Not os.CreateTemp: its files have mode 0600, and shards are for others to read.
	return os.OpenFile(temporaryName(dir, prefix), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// temporaryName is a new name that [Clean] knows.
func temporaryName(dir, prefix string) string {
	var salt [6]byte
	rand.Read(salt[:])
	return filepath.Join(dir, "."+prefix+"."+hex.EncodeToString(salt[:])+".tmp")
}

func (local) Rename(_ context.Context, from, to string) error { return os.Rename(from, to) }

func (local) SyncDir(_ context.Context, dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err // some network file systems cannot sync a folder: then there is nothing to do
	}
	return nil
}

func (local) Open(_ context.Context, path string) (ReadableFile, error) {
	f, size, err := bounded.OpenFile(path)
	if err != nil {
		return nil, err
	}
	return &localFile{f, size}, nil
}

type localFile struct {
	*os.File
	size int64
}

func (f *localFile) Size() int64 { return f.size }

func (local) List(_ context.Context, dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names, nil
}

func (local) Remove(_ context.Context, path string) error { return os.Remove(path) }

func (local) RemoveEmpty(_ context.Context, dir string) error {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		return nil
	}
	err = os.Remove(dir)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, syscall.EEXIST) {
		return nil
	}
	return err
}

func (local) Size(_ context.Context, path string) (int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (l local) Share(ctx context.Context, from, to string) (bool, error) {
	source, err := os.Stat(from)
	if err != nil {
		return false, err
	}
	if was, err := os.Stat(to); err == nil && os.SameFile(source, was) {
		return false, nil
	}
	temp := temporaryName(filepath.Dir(to), filepath.Base(to))
	if err := os.Link(from, temp); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		return true, copyFile(ctx, l, from, to) // some network file systems know no second name
	}
	if err := os.Rename(temp, to); err != nil {
		os.Remove(temp)
		return false, err
	}
	return true, nil
}

// copyFile writes a file's bytes under another name.
func copyFile(ctx context.Context, files FileSystem, from, to string) error {
	in, err := files.Open(ctx, from)
	if err != nil {
		return err
	}
	defer in.Close()
	return WriteWith(ctx, files, to, func(w Writer) error {
		_, err := io.Copy(w, io.NewSectionReader(in, 0, in.Size()))
		return err
	})
}

func (local) ReadLink(_ context.Context, path string) (string, error) { return os.Readlink(path) }

// symlink is [os.Symlink]. A variable for tests: where there are no links.
var symlink = os.Symlink

func (l local) Link(ctx context.Context, target, path string) error {
	dir := filepath.Dir(path)
	temp := temporaryName(dir, filepath.Base(path))
	if err := symlink(target, temp); err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		os.Remove(temp)
		return err
	}
	return l.SyncDir(ctx, dir)
}
