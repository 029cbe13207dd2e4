package storage

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"path/filepath"
)

// AtomicFile is written under a temporary name and gets its own when it is
// whole. It counts and hashes what it is given.
type AtomicFile struct {
	files  FileSystem
	Path   string
	temp   WritableFile
	Sum    hash.Hash
	Size   int64
	err    error // the first one; nothing is written after it
	Closed bool
}

// Create begins a file under a temporary name in the folder of its own.
func Create(files FileSystem, path string) (*AtomicFile, error) {
	dir, name := Folder(path), filepath.Base(path)
	if err := files.MkdirAll(dir); err != nil {
		return nil, Refuse("make the folder", dir, err)
	}
	temp, err := files.CreateTemp(dir, name)
	if err != nil {
		return nil, Refuse("create", path, err)
	}
	return &AtomicFile{files: files, Path: path, temp: temp, Sum: sha256.New()}, nil
}

func (f *AtomicFile) Write(p []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.temp.Write(p)
	f.Sum.Write(p[:n])
	f.Size += int64(n)
	f.err = Refuse("write", f.Path, err)
	return n, f.err
}

// Commit gives the file its name. check may look at the temporary file first;
// when anything fails the temporary file is gone and the old one untouched.
func (f *AtomicFile) Commit(check func(path string) error) error {
	err := f.err
	if err == nil {
		err = Refuse("sync", f.Path, f.temp.Sync())
	}
	if closing := f.close(); err == nil {
		err = Refuse("close", f.Path, closing)
	}
	if err == nil && check != nil {
		err = check(f.temp.Name())
	}
	if err == nil {
		err = Refuse("rename to", f.Path, f.files.Rename(f.temp.Name(), f.Path))
	}
	if err != nil {
		f.files.Remove(f.temp.Name())
		return err
	}
	return Refuse("sync the folder of", f.Path, f.files.SyncDir(Folder(f.Path)))
}

// Abort forgets the file.
func (f *AtomicFile) Abort() {
	f.close()
	f.files.Remove(f.temp.Name())
}

func (f *AtomicFile) close() error {
	if f.Closed {
		return nil
	}
	f.Closed = true
	return f.temp.Close()
}

func (f *AtomicFile) SHA256() string { return hex.EncodeToString(f.Sum.Sum(nil)) }

// Write writes a small file whole.
func Write(files FileSystem, path string, content []byte) error {
	f, err := Create(files, path)
	if err != nil {
		return err
	}
	f.Write(content)
	return f.Commit(nil)
}
