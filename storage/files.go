package storage

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/commonplace/commonplace/bounded"
)

// FileSystem is what tables need of the place where they lie. [Local] is the
// machine's own; [Default] knows buckets too.
type FileSystem interface {
	// MkdirAll makes a folder and those above it, if they are not there.
	MkdirAll(dir string) error
	// CreateTemp makes a new file in dir whose name begins with "." and prefix and ends with ".tmp".
	CreateTemp(dir, prefix string) (WritableFile, error)
	// Rename gives a file its final name, replacing what had it, as one step.
	Rename(from, to string) error
	// SyncDir makes renames in dir last.
	SyncDir(dir string) error
	// Open opens a file for reading.
	Open(path string) (ReadableFile, error)
	// Size is a file's bytes.
	Size(path string) (int64, error)
	// List names what lies in dir, sorted. A missing folder is fs.ErrNotExist.
	List(dir string) ([]string, error)
	// Remove deletes one file.
	Remove(path string) error
	// RemoveEmpty deletes a folder if it is there and holds nothing.
	RemoveEmpty(dir string) error
	// Link makes path a link to target, a name in its folder, replacing what it was
	// as one step. Paths that lead through it lead to the target.
	Link(target, path string) error
	// ReadLink is the name that a link has for its target. A missing one is fs.ErrNotExist.
	ReadLink(path string) (string, error)
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

// ErrRefused marks what the disk or the folder refused: full, read-only, not
// permitted, failed. Nothing half-written is visible after it, and the same run
// can be started again once the cause is gone.
var ErrRefused = errors.New("storage refused")

// storageError says which file, why, and what to do.
type storageError struct {
	verb, path string
	err        error
}

func (e *storageError) Error() string {
	advice := "run again when the cause is gone: what is finished is kept"
	switch {
	case errors.Is(e.err, syscall.ENOSPC), errors.Is(e.err, syscall.EDQUOT):
		advice = "free some space and run again: what is finished is kept"
	case errors.Is(e.err, syscall.EROFS), errors.Is(e.err, fs.ErrPermission):
		advice = "choose a folder that you may write to"
	}
	return fmt.Sprintf("%s %s: %v; %s", e.verb, e.path, e.err, advice)
}

func (e *storageError) Unwrap() []error { return []error{ErrRefused, e.err} }

// Refuse is the error of a file that could not be read or written; nil stays nil.
func Refuse(verb, path string, err error) error {
	if err == nil {
		return nil
	}
	var inner *fs.PathError // its path is the temporary name, which helps nobody
	if errors.As(err, &inner) {
		err = inner.Err
	}
	return &storageError{verb, path, err}
}

// Local is the machine's own file system.
var Local FileSystem = local{}

type local struct{}

func (local) MkdirAll(dir string) error { return os.MkdirAll(dir, 0o755) }

func (local) CreateTemp(dir, prefix string) (WritableFile, error) {
	// Not os.CreateTemp: its files have mode 0600, and shards are for others to read.
	return os.OpenFile(temporaryName(dir, prefix), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// temporaryName is a new name that [Clean] knows.
func temporaryName(dir, prefix string) string {
	var salt [6]byte
	rand.Read(salt[:])
	return filepath.Join(dir, "."+prefix+"."+hex.EncodeToString(salt[:])+".tmp")
}

func (local) Rename(from, to string) error { return os.Rename(from, to) }

func (local) SyncDir(dir string) error {
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

func (local) Open(path string) (ReadableFile, error) {
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

func (local) List(dir string) ([]string, error) {
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

func (local) Remove(path string) error { return os.Remove(path) }

func (local) RemoveEmpty(dir string) error {
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

func (local) Size(path string) (int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (local) ReadLink(path string) (string, error) { return os.Readlink(path) }

func (l local) Link(target, path string) error {
	dir := filepath.Dir(path)
	temp := temporaryName(dir, filepath.Base(path))
	if err := os.Symlink(target, temp); err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		os.Remove(temp)
		return err
	}
	return l.SyncDir(dir)
}
