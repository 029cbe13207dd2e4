package cache

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/singleflight"

	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// The files of the cache are mapped into memory and read in any
// order. Of a run in a bucket they are made and used in a folder of this machine,
// and lie in the bucket too, so that a worker finds what another one made.

// Folder is the name of the cache in a run's folder.
const Folder = "cache"

// Dir is the cache of a run, or of a night of it: they have one.
func Dir(out string) string { return storage.Join(table.Home(out), Folder) }

// Names are the files of a run's cache.
func Names(ctx context.Context, out string) (map[string]bool, error) {
	names, err := storage.List(ctx, Dir(out))
	there := map[string]bool{}
	for _, name := range names {
		there[name] = true
	}
	return there, err
}

// OldFolder is what version 0.1.0 called it.
const OldFolder = "index"

// Adopt moves the cache files of version 0.1.0 to where they are now. In a bucket,
// where a move is a download and an upload, they stay, and a note says so.
func Adopt(ctx context.Context, out string) (note string, err error) {
	from := storage.Join(out, OldFolder)
	if err := table.Clean(ctx, storage.Local, from); err != nil { // of killed runs; the next build looks into the new folder alone
		return "", err
	}
	names, err := storage.List(ctx, from)
	if err != nil {
		return "", err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return table.CacheKind(name) == "" })
	if len(names) == 0 {
		return "", nil
	}
	if storage.Remote(out) {
		return fmt.Sprintf("%s holds %d files of version 0.1.0, which nothing reads any more; delete them", from, len(names)), nil
	}
	if err := storage.Local.MkdirAll(ctx, storage.Join(out, Folder)); err != nil {
		return "", err
	}
	for _, name := range names {
		if err := storage.Local.Rename(ctx, storage.Join(from, name), storage.Join(out, Folder, name)); err != nil {
			return "", err
		}
	}
	_ = storage.Local.Remove(ctx, from) // where it is empty now
	return "", nil
}

// building lets one of several tasks of a worker make a file.
var building worker.Var[singleflight.Group]

// Once makes a file of the cache, or waits for the task that makes it.
func Once(ctx context.Context, path string, build func() error) error {
	_, err, _ := building.Of(ctx).Do(path, func() (any, error) { return nil, build() })
	return err
}

// Path is a file of the cache that is made of what is named.
func Path(out, kind string, from ...any) string {
	return storage.Join(Dir(out), kind+"-"+storage.Key(from...))
}

// LocalFile is where a file of the cache, or of kept counts, is on this machine.
func LocalFile(ctx context.Context, path string) string {
	if !storage.Remote(path) {
		return path
	}
	return filepath.Join(storage.TempDir(ctx), "cache-"+storage.Key(storage.Folder(path)), filepath.Base(path))
}

// Ensure makes a file of the cache lie on this machine, if it was made by
// anybody; else it is fs.ErrNotExist. A file's name says what it is made from, so
// one that is here is the one that is there; kept scores, whose name does not, are
// checked against what they are of row by row. What is no regular file, such as a pipe, is
// none of ours: it is as if there were none, and a new file takes its place.
func Ensure(ctx context.Context, path string) error {
	if !storage.Remote(path) {
		info, err := os.Stat(path)
		switch {
		case err == nil && !info.Mode().IsRegular():
			err = &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			err = fmt.Errorf("%w: %w", storage.ErrRefused, err)
		}
		return err
	}
	here := LocalFile(ctx, path)
	if _, err := os.Stat(here); err == nil {
		return nil
	}
	from, err := storage.OpenInput(ctx, path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a bucket that fails says nothing of what is there
		err = storage.Mark(err)
	}
	if err != nil {
		return err
	}
	defer from.Close()
	if err := os.MkdirAll(filepath.Dir(here), 0o755); err != nil {
		return err
	}
	return storage.WriteWith(ctx, storage.Local, here, func(f storage.Writer) error {
		_, err := io.Copy(f, from)
		return err
	})
}

// Remove removes a file of the cache here and there.
func Remove(ctx context.Context, path string) error {
	if storage.Remote(path) {
		os.Remove(LocalFile(ctx, path))
	}
	return storage.Remove(ctx, path)
}

// Publish writes a file of the cache, and where the run is in a
// bucket, uploads it: other workers find it there.
func Publish(ctx context.Context, path string, write func(*bufio.Writer) error) error {
	return publishFile(ctx, path, func(f storage.Writer) error {
		w := bufio.NewWriterSize(f, 1<<20)
		if err := write(w); err != nil {
			return err
		}
		return w.Flush()
	})
}

func publishFile(ctx context.Context, path string, write func(storage.Writer) error) error {
	here := LocalFile(ctx, path)
	dir := filepath.Dir(here)
	if err := storage.Local.MkdirAll(ctx, dir); err != nil {
		return fmt.Errorf("make %s: %w: %w", dir, storage.ErrRefused, err)
	}
	if err := storage.WriteWith(ctx, storage.Local, here, write); err != nil || !storage.Remote(path) {
		return err
	}
	return storage.Upload(ctx, here, path)
}

// Prune removes the files of a cache that are of the given kinds and
// are not to be kept.
func Prune(ctx context.Context, folder string, keep map[string]bool, kinds ...string) error {
	names, err := storage.List(ctx, folder)
	for _, name := range names {
		if slices.Contains(kinds, table.CacheKind(name)) && !keep[name] {
			err = errors.Join(err, Remove(ctx, storage.Join(folder, name)))
		}
	}
	return err
}
