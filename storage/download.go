package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// OnDisk gives the name of a file of this machine with a path's contents: the
// file itself, or a copy of what is in a bucket, which done removes. The copy
// has the same last name, by which its format is known.
func OnDisk(ctx context.Context, path string) (name string, done func(), err error) {
	if !Remote(path) {
		return path, func() {}, nil
	}
	dir, err := os.MkdirTemp(TempDir(ctx), "input-")
	if err != nil {
		return "", nil, err
	}
	done = func() { os.RemoveAll(dir) }
	name = filepath.Join(dir, filepath.Base(path))
	if err := download(ctx, path, name); err != nil {
		done()
		return "", nil, err
	}
	return name, done, nil
}

// download copies a file of any storage to one of this machine.
func download(ctx context.Context, path, to string) error {
	from, err := OpenInput(ctx, path)
	if err != nil {
		return err
	}
	defer from.Close()
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}

// input is a file of any storage, read from its beginning.
type input struct {
	io.Reader
	io.Closer
	Size int64
}

// OpenInput opens a file of any storage.
func OpenInput(ctx context.Context, path string) (input, error) {
	f, err := Default.Open(ctx, path)
	if err != nil {
		return input{}, err
	}
	return input{NewReader(ctx, f), f, f.Size()}, nil
}

// NewReader reads a file from its beginning, until the context ends.
func NewReader(ctx context.Context, f ReadableFile) io.Reader {
	return reader{ctx, io.NewSectionReader(f, 0, f.Size())}
}

// reader ends when its context does.
type reader struct {
	ctx  context.Context
	from io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}

// deepest is how many folders deep a bucket's folder is looked into.
const deepest = 8

// FolderOnDisk gives a folder of this machine with what a bucket's folder holds,
// for models, which are opened by name and used as long as the process lives. It
// stays in the user's cache: a folder with the same names, sizes and times is
// not downloaded again.
func FolderOnDisk(ctx context.Context, folder string) (string, error) {
	if !Remote(folder) || folder == "" {
		return folder, nil
	}
	folder = strings.TrimSuffix(folder, "/")
	names, err := ListBelow(ctx, folder, deepest)
	if err != nil {
		return "", err
	}
	if len(names) == 0 {
		return "", fmt.Errorf("%w: %s: nothing lies there", fs.ErrNotExist, folder)
	}
	slices.Sort(names)
	var made []string
	for _, name := range names {
		if !filepath.IsLocal(name) {
			return "", fmt.Errorf("%s/%s: a name that no folder can hold", folder, name)
		}
		t, err := Modified(ctx, folder+"/"+name)
		if err != nil {
			return "", err
		}
		made = append(made, name, t.UTC().Format(time.RFC3339Nano))
	}
	cache, err := modelCache()
	if err != nil {
		return "", err
	}
	there := filepath.Join(cache, Key(folder, made))
	if _, err := os.Stat(there); err == nil {
		return there, nil
	}
	temp, err := os.MkdirTemp(cache, ".model-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	for _, name := range names {
		to := filepath.Join(temp, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return "", err
		}
		if err := download(ctx, folder+"/"+name, to); err != nil {
			return "", err
		}
	}
	if err := os.Rename(temp, there); err != nil {
		if _, made := os.Stat(there); made != nil { // else another process was first
			return "", err
		}
	}
	return there, nil
}

// modelCache makes the folder of downloaded models. It may lie where others may write,
// under a name that they can guess, and a model that is there is believed.
func modelCache() (string, error) {
	cache, err := os.UserCacheDir()
	name := "commonplace"
	if err != nil { // a worker without a home; not the run's folder, whose next run needs it
		cache, name = os.TempDir(), fmt.Sprintf("commonplace-%d-models", os.Getuid())
	}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return "", err
	}
	own := filepath.Join(cache, name)
	models := filepath.Join(own, "models")
	if err := ownFolder(own); err != nil {
		return "", err
	}
	return models, ownFolder(models)
}

// ownFolder makes a folder, or takes one that is ours, in which nobody else may write from now on.
// Our own link to one is followed: caches are moved to larger disks.
func ownFolder(path string) error {
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	link, err := os.Lstat(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() || !Ours(info) || !Ours(link) {
		return fmt.Errorf("%s: %w: it is no folder, or somebody else made it; remove it, or set XDG_CACHE_HOME to a folder of your own", path, ErrRefused)
	}
	if info.Mode().Perm()&0o022 == 0 {
		return nil
	}
	return os.Chmod(path, info.Mode().Perm()&^0o022)
}
