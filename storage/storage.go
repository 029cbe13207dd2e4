package storage

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Default is where paths lie: gs://bucket/… and s3://bucket/… in buckets, all
// others on the machine's own file system. Every table lies there unless its
// On says otherwise.
var Default FileSystem = storageByScheme{}

// Scheme is gs of gs://bucket/run, and empty for a path of this machine.
func Scheme(path string) string {
	scheme, _, found := strings.Cut(path, "://")
	if !found || strings.ContainsAny(scheme, `/\.`) {
		return ""
	}
	return scheme
}

// Remote tells whether a path lies in a bucket.
func Remote(path string) bool { return Scheme(path) != "" }

// Join joins names to a path, in a bucket or on this machine. It does not lead
// out of a bucket.
func Join(first string, names ...string) string {
	if scheme := Scheme(first); scheme != "" {
		bucket, object, _ := strings.Cut(first[len(scheme)+3:], "/")
		return scheme + "://" + bucket + path.Join(append([]string{"/", object}, names...)...)
	}
	return filepath.Join(append([]string{first}, names...)...)
}

// Folder is a path without its last name.
func Folder(path string) string {
	if Remote(path) {
		return strings.TrimSuffix(path[:strings.LastIndex(path, "/")+1], "/")
	}
	return filepath.Dir(path)
}

// ReadFile reads a small file whole.
// A missing one is fs.ErrNotExist.
func ReadFile(path string) ([]byte, error) {
	b, err := Read(Default, path)
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrDamaged) {
		return b, err
	}
	return nil, Refuse("read", path, err)
}

// List names what lies in a folder, sorted. A missing one is empty.
func List(dir string) ([]string, error) {
	names, err := Default.List(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return names, Refuse("list", dir, err)
}

// Remove deletes a file, if it is there.
func Remove(path string) error {
	err := Default.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return Refuse("remove", path, err)
}

// WriteFile writes a small file whole, replacing what had its name, in one step.
func WriteFile(path string, content []byte) error { return Write(Default, path, content) }

// Read reads a small file of a file system whole.
func Read(files FileSystem, path string) ([]byte, error) {
	f, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Size() > maxRecord {
		return nil, fmt.Errorf("%s: %w: %d bytes are no record", path, ErrDamaged, f.Size())
	}
	b := make([]byte, f.Size())
	if _, err := f.ReadAt(b, 0); err != nil && (err != io.EOF || len(b) > 0) {
		return nil, err
	}
	return b, nil
}

// buckets by their scheme.
var buckets = map[string]*bucketFiles{}

// RegisterBuckets says what opens the buckets of a scheme. It is called in init;
// open is called once, when the first path of the scheme is used; nil forgets them.
func RegisterBuckets(scheme string, open func() (Bucket, error)) {
	if open == nil {
		delete(buckets, scheme)
		return
	}
	buckets[scheme] = newBucketFiles(open)
}

// Reachable says whether there is storage of a path's kind, and why it cannot be opened.
func Reachable(path string) (known bool, err error) {
	scheme := Scheme(path)
	if scheme == "" {
		return true, nil
	}
	b := buckets[scheme]
	if b == nil {
		return false, nil
	}
	_, err = b.open()
	return true, err
}

// Modified is when an object of a bucket was last written.
func Modified(path string) (time.Time, error) {
	b := buckets[Scheme(path)]
	if b == nil {
		return time.Time{}, fmt.Errorf("%s: %w", path, fs.ErrInvalid)
	}
	bucket, err := b.open()
	if err != nil {
		return time.Time{}, err
	}
	dated, ok := bucket.(interface {
		Modified(path string) (time.Time, error)
	})
	if !ok {
		return time.Time{}, fmt.Errorf("%s: when it was written: %w", path, errors.ErrUnsupported)
	}
	return dated.Modified(path)
}

// storageByScheme picks a file system by each path.
type storageByScheme struct{}

func (storageByScheme) of(path string) FileSystem {
	scheme := Scheme(path)
	if scheme == "" {
		return Local
	}
	if b := buckets[scheme]; b != nil {
		return b
	}
	return newBucketFiles(func() (Bucket, error) {
		return nil, fmt.Errorf("%s:// is no kind of storage that this program knows: give a path, gs:// or s3://: %w", scheme, fs.ErrInvalid)
	})
}

func (s storageByScheme) MkdirAll(dir string) error { return s.of(dir).MkdirAll(dir) }
func (s storageByScheme) CreateTemp(dir, prefix string) (WritableFile, error) {
	return s.of(dir).CreateTemp(dir, prefix)
}
func (s storageByScheme) Rename(from, to string) error           { return s.of(to).Rename(from, to) }
func (s storageByScheme) SyncDir(dir string) error               { return s.of(dir).SyncDir(dir) }
func (s storageByScheme) Open(path string) (ReadableFile, error) { return s.of(path).Open(path) }
func (s storageByScheme) Size(path string) (int64, error)        { return s.of(path).Size(path) }
func (s storageByScheme) List(dir string) ([]string, error)      { return s.of(dir).List(dir) }
func (s storageByScheme) Remove(path string) error               { return s.of(path).Remove(path) }
func (s storageByScheme) RemoveEmpty(dir string) error           { return s.of(dir).RemoveEmpty(dir) }
func (s storageByScheme) Link(target, path string) error         { return s.of(path).Link(target, path) }
func (s storageByScheme) ReadLink(path string) (string, error)   { return s.of(path).ReadLink(path) }

// Upload makes a file of this machine an object of a bucket.
func Upload(from, to string) error {
	b := buckets[Scheme(to)]
	if b == nil {
		return fmt.Errorf("%s is in no bucket: %w", to, fs.ErrInvalid)
	}
	return Refuse("write", to, b.upload(from, to))
}

// ListBelow gives the paths below a bucket's folder of what lies at most depth
// names deep, sorted.
func ListBelow(dir string, depth int) ([]string, error) {
	b := buckets[Scheme(dir)]
	if b == nil {
		return nil, fmt.Errorf("%s is in no bucket: %w", dir, fs.ErrInvalid)
	}
	bucket, err := b.open()
	if err != nil {
		return nil, err
	}
	below, err := bucket.List(dir, depth)
	slices.Sort(below)
	return below, err
}

// maxRecord bounds what a broken record can make us read: a million shards fit.
const maxRecord = 512 << 20

// ErrDamaged marks a file that is not Parquet, is cut, or has a byte that is not
// what was written.
var ErrDamaged = errors.New("damaged or not a Parquet file")
