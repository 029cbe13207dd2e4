package ingest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"sync"

	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/storage"
)

// archives are the packed tar archives of a build, unpacked once in each process: every
// task would read through all of it else, and an archive can hold a whole library.
type archives struct {
	mu     sync.Mutex
	byName map[string]*packedTar
}

type packedTar struct {
	once sync.Once
	name string // of the unpacked one
	err  error
}

var unpackedArchives worker.Var[archives]

// unpacked is the name of an archive of this machine that is unpacked. It is there until
// the build ends.
func unpacked(ctx context.Context, f files.File, opts files.Options) (string, error) {
	all := unpackedArchives.Of(ctx)
	all.mu.Lock()
	if all.byName == nil {
		all.byName = map[string]*packedTar{}
	}
	a := all.byName[f.Path]
	if a == nil {
		a = &packedTar{}
		all.byName[f.Path] = a
	}
	all.mu.Unlock()
	a.once.Do(func() { a.name, a.err = unpackTar(ctx, f.Path, opts) })
	return a.name, a.err
}

func unpackTar(ctx context.Context, path string, opts files.Options) (string, error) {
	name, done, err := storage.OnDisk(ctx, path)
	if err != nil {
		return "", err
	}
	defer done()
	to, err := os.CreateTemp(storage.TempDir(ctx), "archive-*.tar")
	if err != nil {
		return "", storage.Mark(err)
	}
	err = errors.Join(files.UnpackTar(ctx, name, to, opts.Limits), storage.Mark(to.Close()))
	if err != nil {
		os.Remove(to.Name())
		return "", err
	}
	return to.Name(), nil
}

// unpackedReject is the error of an archive that could not be unpacked: it was whole when
// it was listed. That the disk is full is no fault of its.
func unpackedReject(f files.File, err error) error {
	switch {
	case errors.Is(err, storage.ErrRefused), errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return missing(f.ID, err)
	}
	return changed(f.ID)
}

// Close removes them, when the build ends.
func (a *archives) Close() error {
	var err error
	for _, one := range a.byName {
		if one.name != "" {
			err = errors.Join(err, os.Remove(one.name))
		}
	}
	return err
}
