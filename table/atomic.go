package table

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"path/filepath"
)

// atomicFile is written under a temporary name and gets its own when it is
// whole. It counts and hashes what it is given.
type atomicFile struct {
	files FileSystem
	path  string
	temp  WritableFile
	sum   hash.Hash
	size  int64
	err   error // the first one; nothing is written after it
	shut  bool
}

func createAtomic(files FileSystem, path string) (*atomicFile, error) {
	dir, name := Folder(path), filepath.Base(path)
	if err := files.MkdirAll(dir); err != nil {
		return nil, storage("make the folder", dir, err)
	}
	temp, err := files.CreateTemp(dir, name)
	if err != nil {
		return nil, storage("create", path, err)
	}
	return &atomicFile{files: files, path: path, temp: temp, sum: sha256.New()}, nil
}

func (f *atomicFile) Write(p []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.temp.Write(p)
	f.sum.Write(p[:n])
	f.size += int64(n)
	f.err = storage("write", f.path, err)
	return n, f.err
}

// commit gives the file its name. check may look at the temporary file first;
// when anything fails the temporary file is gone and the old one untouched.
func (f *atomicFile) commit(check func(path string) error) error {
	err := f.err
	if err == nil {
		err = storage("sync", f.path, f.temp.Sync())
	}
	if closing := f.close(); err == nil {
		err = storage("close", f.path, closing)
	}
	if err == nil && check != nil {
		err = check(f.temp.Name())
	}
	if err == nil {
		err = storage("rename to", f.path, f.files.Rename(f.temp.Name(), f.path))
	}
	if err != nil {
		f.files.Remove(f.temp.Name())
		return err
	}
	return storage("sync the folder of", f.path, f.files.SyncDir(Folder(f.path)))
}

// abort forgets the file.
func (f *atomicFile) abort() {
	f.close()
	f.files.Remove(f.temp.Name())
}

func (f *atomicFile) close() error {
	if f.shut {
		return nil
	}
	f.shut = true
	return f.temp.Close()
}

func (f *atomicFile) hash() string { return hex.EncodeToString(f.sum.Sum(nil)) }

// writeAtomic writes a small file whole.
func writeAtomic(files FileSystem, path string, content []byte) error {
	f, err := createAtomic(files, path)
	if err != nil {
		return err
	}
	f.Write(content)
	return f.commit(nil)
}
