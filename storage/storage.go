package storage

import (
	"context"
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
// others on the machine's own file system. Every table is in it unless its
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

// Remote reports whether a path is in a bucket.
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
func ReadFile(ctx context.Context, path string) ([]byte, error) {
	b, err := Read(ctx, Default, path)
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrDamaged) {
		return b, err
	}
	return nil, Wrap("read", path, err)
}

// List names what is in a folder, sorted. A missing one is empty.
func List(ctx context.Context, dir string) ([]string, error) {
	names, err := Default.List(ctx, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return names, Wrap("list", dir, err)
}

// Remove deletes a file, if it is there.
func Remove(ctx context.Context, path string) error {
	err := Default.Remove(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return Wrap("remove", path, err)
}

// WriteFile writes a small file whole, replacing what had its name, in one step.
func WriteFile(ctx context.Context, path string, content []byte) error {
	return Write(ctx, Default, path, content)
}

// Read reads a small file of a file system whole.
func Read(ctx context.Context, files FileSystem, path string) ([]byte, error) {
	f, err := files.Open(ctx, path)
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
func Reachable(ctx context.Context, path string) (known bool, err error) {
	scheme := Scheme(path)
	if scheme == "" {
		return true, nil
	}
	b := buckets[scheme]
	if b == nil {
		return false, nil
	}
	_, err = b.reach(ctx)
	return true, err
}

// Modified is when an object of a bucket was last written.
func Modified(ctx context.Context, path string) (time.Time, error) {
	b := buckets[Scheme(path)]
	if b == nil {
		return time.Time{}, fmt.Errorf("%s: %w", path, fs.ErrInvalid)
	}
	bucket, err := b.reach(ctx)
	if err != nil {
		return time.Time{}, err
	}
	dated, ok := bucket.(interface {
		Modified(ctx context.Context, path string) (time.Time, error)
	})
	if !ok {
		return time.Time{}, fmt.Errorf("%s: when it was written: %w", path, errors.ErrUnsupported)
	}
	return dated.Modified(ctx, path)
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

func (s storageByScheme) MkdirAll(ctx context.Context, dir string) error {
	return s.of(dir).MkdirAll(ctx, dir)
}

func (s storageByScheme) CreateTemp(ctx context.Context, dir, prefix string) (WritableFile, error) {
	return s.of(dir).CreateTemp(ctx, dir, prefix)
}

func (s storageByScheme) Rename(ctx context.Context, from, to string) error {
	return s.of(to).Rename(ctx, from, to)
}

func (s storageByScheme) SyncDir(ctx context.Context, dir string) error {
	return s.of(dir).SyncDir(ctx, dir)
}

func (s storageByScheme) Open(ctx context.Context, path string) (ReadableFile, error) {
	return s.of(path).Open(ctx, path)
}

func (s storageByScheme) Size(ctx context.Context, path string) (int64, error) {
	return s.of(path).Size(ctx, path)
}

func (s storageByScheme) List(ctx context.Context, dir string) ([]string, error) {
	return s.of(dir).List(ctx, dir)
}

func (s storageByScheme) Remove(ctx context.Context, path string) error {
	return s.of(path).Remove(ctx, path)
}

func (s storageByScheme) RemoveEmpty(ctx context.Context, dir string) error {
	return s.of(dir).RemoveEmpty(ctx, dir)
}

func (s storageByScheme) Link(ctx context.Context, target, path string) error {
	return s.of(path).Link(ctx, target, path)
}

func (s storageByScheme) Share(ctx context.Context, from, to string) (bool, error) {
	return s.of(to).Share(ctx, from, to)
}

func (s storageByScheme) Exchange(ctx context.Context, a, b string) error {
	return s.of(a).Exchange(ctx, a, b)
}

func (s storageByScheme) ReadLink(ctx context.Context, path string) (string, error) {
	return s.of(path).ReadLink(ctx, path)
}

// Upload makes a file of this machine an object of a bucket.
func Upload(ctx context.Context, from, to string) error {
	b := buckets[Scheme(to)]
	if b == nil {
		return fmt.Errorf("%s is in no bucket: %w", to, fs.ErrInvalid)
	}
	return Wrap("write", to, b.upload(ctx, from, to))
}

// ListBelow gives the paths below a bucket's folder of what is at most depth
// names deep, sorted.
func ListBelow(ctx context.Context, dir string, depth int) ([]string, error) {
	b := buckets[Scheme(dir)]
	if b == nil {
		return nil, fmt.Errorf("%s is in no bucket: %w", dir, fs.ErrInvalid)
	}
	bucket, err := b.reach(ctx)
	if err != nil {
		return nil, err
	}
	below, err := bucket.List(ctx, dir, depth)
	slices.Sort(below)
	return below, err
}

// maxRecord bounds what a broken record can make us read: a million shards fit.
const maxRecord = 512 << 20
