package storage

import (
	"bytes"
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
	Read(path string) (io.ReadCloser, error)
	// Write makes an object, which appears whole when Write returns without an
	// error and not at all otherwise.
	Write(path string, from io.Reader) error
	// Size is an object's bytes. A missing one is fs.ErrNotExist.
	Size(path string) (int64, error)
	// List gives the paths below dir, without dir and its slash, of the objects
	// that stand at most depth names below it.
	List(dir string, depth int) ([]string, error)
	// Remove deletes an object. A missing one is no error, or fs.ErrNotExist.
	Remove(path string) error
}

// depthOfRun is how deep a run's files lie in any folder of it that is listed:
// VERSION/.records/part below rankings.
const depthOfRun = 3

// bucketFiles are tables in a bucket. What is being written is a temporary file
// on this machine, and giving it its name uploads it: that is the one step. What
// is read is downloaded first, since Parquet is read from its end. So the
// machine's disk holds what is being written and read, never the run.
type bucketFiles struct {
	open func() (Bucket, error)
}

func newBucketFiles(open func() (Bucket, error)) *bucketFiles {
	return &bucketFiles{sync.OnceValues(open)}
}

func (*bucketFiles) MkdirAll(string) error    { return nil } // there are no folders
func (*bucketFiles) RemoveEmpty(string) error { return nil }
func (*bucketFiles) SyncDir(string) error     { return nil } // an object that is there lasts

func (*bucketFiles) CreateTemp(_, prefix string) (WritableFile, error) {
	f, err := os.CreateTemp("", "."+strings.TrimPrefix(prefix, ".")+".*.tmp")
	if err != nil {
		return nil, err
	}
	return unsynced{f}, nil
}

// unsynced need not outlive a crash: it is uploaded or forgotten.
type unsynced struct{ *os.File }

func (unsynced) Sync() error { return nil }

// Rename uploads a file of this machine, whose name is then gone.
func (b *bucketFiles) Rename(from, to string) error {
	if err := b.upload(from, to); err != nil {
		return err
	}
	return os.Remove(from)
}

func (b *bucketFiles) upload(from, to string) error {
	bucket, err := b.open()
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
	if err := bucket.Write(to, f); err != nil {
		return fmt.Errorf("upload: %w", err)
	}
	switch size, err := bucket.Size(to); {
	case err != nil:
		return fmt.Errorf("upload: look at what arrived: %w", err)
	case size != info.Size():
		return fmt.Errorf("upload: %d of %d bytes arrived", size, info.Size())
	}
	return nil
}

// Open downloads an object to a file that has no name, and so is gone when it is closed.
func (b *bucketFiles) Open(path string) (ReadableFile, error) {
	bucket, path, err := b.at(path)
	if err != nil {
		return nil, err
	}
	from, err := bucket.Read(path)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	f, err := os.CreateTemp("", ".download.*.tmp")
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

func (b *bucketFiles) Size(path string) (int64, error) {
	bucket, path, err := b.at(path)
	if err != nil {
		return 0, err
	}
	return bucket.Size(path)
}

func (b *bucketFiles) List(dir string) ([]string, error) {
	bucket, dir, err := b.at(dir)
	if err != nil {
		return nil, err
	}
	below, err := bucket.List(dir, depthOfRun)
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

func (b *bucketFiles) Remove(path string) error {
	bucket, path, err := b.at(path)
	if err != nil {
		return err
	}
	return bucket.Remove(path)
}

// Link writes a small object that holds the name.
func (b *bucketFiles) Link(target, path string) error {
	bucket, err := b.open()
	if err != nil {
		return err
	}
	return bucket.Write(path, bytes.NewReader([]byte(target)))
}

// longestLink bounds what an object that is no link can make us read.
const longestLink = 1 << 10

func (b *bucketFiles) ReadLink(path string) (string, error) {
	bucket, err := b.open()
	if err != nil {
		return "", err
	}
	from, err := bucket.Read(path)
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

// at follows the links that stand in a path.
func (b *bucketFiles) at(path string) (Bucket, string, error) {
	bucket, err := b.open()
	if err != nil {
		return nil, "", err
	}
	link, rest := linkIn(path)
	if link == "" {
		return bucket, path, nil
	}
	target, err := b.ReadLink(link)
	if err != nil {
		return nil, "", err
	}
	return bucket, Folder(link) + "/" + target + rest, nil
}

// links are the ends of paths that are links, such as rankings/current.
var links []string

// RegisterLinks names the ends of paths that are links, for file systems that
// have no links of their own. It is called in init.
func RegisterLinks(ends ...string) { links = append(links, ends...) }

// linkIn is the link that stands in a path, and what follows it.
func linkIn(path string) (link, rest string) {
	for _, end := range links {
		link := "/" + end
		if before, rest, found := strings.Cut(path+"/", link+"/"); found {
			return before + link, strings.TrimSuffix("/"+rest, "/")
		}
	}
	return "", ""
}
