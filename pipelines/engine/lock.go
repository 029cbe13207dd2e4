package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// homeOf is the run's folder on this machine. A bucket can hold neither a lock
// nor what is being written, so a run in one has another, by which two runs on
// this machine know of each other; two machines do not.
func homeOf(out string) string {
	if !storage.Remote(out) {
		return out
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("commonplace-%d-%s", os.Getuid(), storage.Key(out)))
}

// Lock takes the run's folder for this process and gives Beam a place for its
// temporary files that does not outlive it.
func Lock(ctx context.Context, out string) (release func(), err error) {
	home := homeOf(out)
	if err := os.MkdirAll(home, 0o755); err != nil {
		return nil, fmt.Errorf("make %s: %w: %w; choose a folder that you may write to", home, storage.ErrRefused, err)
	}
	lock := flock.New(filepath.Join(home, ".lock"))
	got, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w: %w; choose a folder that you may write to", home, storage.ErrRefused, err)
	}
	if !got {
		return nil, fmt.Errorf("%s: %w; wait for it, or build into another folder", out, ErrLocked)
	}
	temp := filepath.Join(home, runner.TempFolder)
	before := os.Getenv("TMPDIR")
	os.RemoveAll(temp) // what a killed run left
	if err := cmp.Or(table.Clean(ctx, storage.Default, home), table.Clean(ctx, storage.Default, filepath.Join(home, cache.Folder))); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	if err := os.Mkdir(temp, 0o755); err != nil {
		return nil, errors.Join(fmt.Errorf("make %s: %w: %w", temp, storage.ErrRefused, err), lock.Unlock())
	}
	if abs, err := filepath.Abs(temp); err == nil {
		os.Setenv("TMPDIR", abs)
	}
	return func() {
		os.Setenv("TMPDIR", before)
		os.RemoveAll(temp)
		lock.Unlock()
	}, nil
}
