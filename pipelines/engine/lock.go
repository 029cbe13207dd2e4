package engine

import (
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

// Lock takes the run's folder for this build. The context that it gives names a
// folder for the build's temporary files, which does not outlive it.
func Lock(ctx context.Context, out string) (working context.Context, release func(), err error) {
	home := runner.HomeOf(out)
	if err := os.MkdirAll(home, 0o755); err != nil {
		return nil, nil, fmt.Errorf("make %s: %w: %w; choose a folder that you may write to", home, storage.ErrRefused, err)
	}
	lock := flock.New(filepath.Join(home, ".lock"))
	got, err := lock.TryLock()
	if err != nil {
		return nil, nil, fmt.Errorf("lock %s: %w: %w; choose a folder that you may write to", home, storage.ErrRefused, err)
	}
	if !got {
		return nil, nil, fmt.Errorf("%s: %w; wait for it, or build into another folder", table.Home(out), ErrLocked)
	}
	temp := filepath.Join(home, runner.TempFolder)
	os.RemoveAll(temp) // what a killed run left
	err = errors.Join(table.Clean(ctx, storage.Default, home), table.Clean(ctx, storage.Default, filepath.Join(home, cache.Folder)))
	if err == nil {
		working, err = runner.WithTempDir(ctx, out)
	}
	if err != nil {
		return nil, nil, errors.Join(err, lock.Unlock())
	}
	return working, func() {
		os.RemoveAll(temp)
		lock.Unlock()
	}, nil
}
