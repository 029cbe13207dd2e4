package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"github.com/gofrs/flock"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// tryLock takes the lock of a file; see [flock.Flock]. A variable for tests.
var tryLock = (*flock.Flock).TryLock

// noLocks are the answers of file systems that know no locks. The lease does without.
var noLocks = []error{syscall.ENOLCK, syscall.ENOSYS, syscall.ENOTSUP, syscall.EOPNOTSUPP}

// leaseKey finds a build's lease in its context.
type leaseKey struct{}

// Lock takes the run's folder for this build: by a lock for this machine, and by a
// lease for all others. The context that it gives names a folder for the build's
// temporary files, which does not outlive it. It ends when another build took the folder:
// the cause is [ErrLocked].
func Lock(ctx context.Context, out string) (working context.Context, release func(), err error) {
	home := runner.HomeOf(out)
	if err := runner.MakeHome(out); err != nil {
		return nil, nil, err
	}
	if err := refuseLinks(ctx, home); err != nil {
		return nil, nil, err
	}
	lock, err := storage.NewLock(filepath.Join(home, ".lock"))
	if err != nil {
		return nil, nil, err
	}
	got, err := tryLock(lock)
	none := slices.ContainsFunc(noLocks, func(e error) bool { return errors.Is(err, e) })
	if err != nil && !none {
		return nil, nil, fmt.Errorf("lock %s: %w: %w; choose a folder that you may write to", home, storage.ErrRefused, err)
	}
	if !got && !none {
		return nil, nil, fmt.Errorf("%s: %w; wait for it, or build into another folder", table.Home(out), ErrLocked)
	}
	mine, err := takeLease(ctx, table.Home(out), got)
	if err != nil {
		return nil, nil, errors.Join(err, lock.Unlock())
	}
	temp := filepath.Join(home, runner.TempFolder)
	err = runner.OutwaitParts(ctx, out)
	os.RemoveAll(temp) // what a killed run left
	err = errors.Join(err, table.Clean(ctx, storage.Default, home), table.Clean(ctx, storage.Default, filepath.Join(home, cache.Folder)))
	if err == nil {
		working, err = runner.WithTempDir(ctx, out)
	}
	if err != nil {
		mine.end(ctx)
		return nil, nil, errors.Join(err, lock.Unlock())
	}
	working, stop := context.WithCancelCause(context.WithValue(working, leaseKey{}, mine))
	mine.stop = stop
	var counting sync.WaitGroup
	counting.Go(func() { mine.keep(working, stop) })
	return working, func() {
		lost := leaseLost(working)
		stop(nil)
		counting.Wait()
		if lost == nil { // else the temporary files are another's
			os.RemoveAll(temp)
			mine.end(ctx)
		}
		lock.Unlock()
	}, nil
}

// leaseLost is [ErrLocked] where another build took the folder of this one, whose context
// then ends.
func leaseLost(ctx context.Context) error {
	if cause := context.Cause(ctx); errors.Is(cause, ErrLocked) {
		return cause
	}
	mine, ok := ctx.Value(leaseKey{}).(*lease)
	if !ok {
		return nil
	}
	err := mine.held(context.WithoutCancel(ctx))
	if !errors.Is(err, ErrLocked) {
		return nil // also if the folder cannot be reached: no other build is seen
	}
	mine.stop(err)
	return err
}
