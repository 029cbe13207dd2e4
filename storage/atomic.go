package storage

import (
	"context"
	"encoding/hex"
	"hash"
	"io"
	"io/fs"
	"path/filepath"
)

// AtomicFile is written under a temporary name and gets its own when it is whole.
type AtomicFile struct {
	Path   string
	Sum    hash.Hash // of what [AtomicFile.Write] was given, where the creator sets it
	Size   int64     // of what it was given
	Closed bool

	ctx   context.Context
	files FileSystem
	temp  WritableFile
	err   error // the first one; nothing is written after it
}

// Writer writes a file from its beginning, or anywhere in it.
type Writer interface {
	io.Writer
	io.WriterAt
}

// Create begins a file under a temporary name in the folder of its own, which is
// made if it is not there. The context is good for the file until it is committed.
func Create(ctx context.Context, files FileSystem, path string) (*AtomicFile, error) {
	dir, name := Folder(path), filepath.Base(path)
	if err := files.MkdirAll(ctx, dir); err != nil {
		return nil, Wrap("make the folder", dir, err)
	}
	temp, err := files.CreateTemp(ctx, dir, name)
	if err != nil {
		return nil, Wrap("create", path, err)
	}
	return &AtomicFile{ctx: ctx, files: files, Path: path, temp: temp}, nil
}

func (f *AtomicFile) Write(p []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.temp.Write(p)
	if f.Sum != nil {
		f.Sum.Write(p[:n])
	}
	f.Size += int64(n)
	f.err = Wrap("write", f.Path, err)
	return n, f.err
}

// WriteAt writes anywhere in the file. [AtomicFile.Sum] and Size do not know of it.
func (f *AtomicFile) WriteAt(p []byte, at int64) (int, error) {
	n, err := f.temp.WriteAt(p, at)
	return n, Wrap("write", f.Path, err)
}

// ForEverybody lets everybody read the file, whatever the umask, where it is on this machine. By
// its name another's link could have come in its place.
func (f *AtomicFile) ForEverybody() error {
	if open, ok := f.temp.(interface{ Chmod(fs.FileMode) error }); ok {
		return Wrap("change the mode of", f.Path, open.Chmod(0o644))
	}
	return nil
}

// Commit gives the file its name, unless its context has ended: what was written
// may then be less than all. check may look at the temporary file first; when
// anything fails the temporary file is gone and the old one untouched.
func (f *AtomicFile) Commit(check func(path string) error) error {
	err := f.err
	if err == nil {
		err = f.ctx.Err()
	}
	if err == nil {
		err = Wrap("sync", f.Path, f.temp.Sync())
	}
	if closing := f.close(); err == nil {
		err = Wrap("close", f.Path, closing)
	}
	if err == nil && check != nil {
		err = check(f.temp.Name())
	}
	if err == nil {
		err = Wrap("rename to", f.Path, f.files.Rename(f.ctx, f.temp.Name(), f.Path))
	}
	if err != nil {
		f.remove()
		return err
	}
	return Wrap("sync the folder of", f.Path, f.files.SyncDir(f.ctx, Folder(f.Path)))
}

// Abort forgets the file.
func (f *AtomicFile) Abort() {
	f.close()
	f.remove()
}

// remove removes the temporary file, also where the context has ended.
func (f *AtomicFile) remove() { f.files.Remove(context.WithoutCancel(f.ctx), f.temp.Name()) }

func (f *AtomicFile) close() error {
	if f.Closed {
		return nil
	}
	f.Closed = true
	return f.temp.Close()
}

func (f *AtomicFile) SHA256() string { return hex.EncodeToString(f.Sum.Sum(nil)) }

// WriteWith writes a file that appears whole, or not at all where write fails.
func WriteWith(ctx context.Context, files FileSystem, path string, write func(Writer) error) error {
	f, err := Create(ctx, files, path)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Abort()
		return err
	}
	return f.Commit(nil)
}

// Write writes a small file whole.
func Write(ctx context.Context, files FileSystem, path string, content []byte) error {
	return WriteWith(ctx, files, path, func(w Writer) error {
		_, err := w.Write(content)
		return err
	})
}
