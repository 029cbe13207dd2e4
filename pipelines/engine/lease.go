package engine

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// The lock of a folder is one machine's: another machine that mounts the folder may not
// see it, and none sees that of a bucket. So a build also leaves a lease in the folder,
// a file that names it, and counts in it as long as it works. Who finds the lease of
// another waits: if the count stays, that build is dead, and the folder is free. Nobody
// compares clocks. A build that finds another's lease in place of its own ends.

// leaseWaits are the times of a lease.
type leaseWaits struct {
	beat     time.Duration // between two counts
	patience time.Duration // without a count, and a build is dead
	settle   time.Duration // until two builds that took a free folder at one time see one lease
}

// They are variables for tests. A lease keeps the times that it was taken with.
var (
	waits   = leaseWaits{10 * time.Second, time.Minute, time.Second}
	placeOf = place
)

type leaseRecord struct {
	Host    string `json:"host"`
	Process int    `json:"process"`
	Place   string `json:"place"` // what sees the same locks: a machine since it was started
	Build   string `json:"build"` // a random name
	Count   int    `json:"count"`
}

func (r leaseRecord) String() string {
	return fmt.Sprintf("process %d of %s", r.Process, r.Host)
}

// lease is a build's own.
type lease struct {
	path   string
	record leaseRecord
	waits  leaseWaits
	stop   context.CancelCauseFunc // ends the build; nil until it has begun
}

// place names what sees the same locks and the same temporary folder.
func place() string {
	host, _ := os.Hostname()
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	mounts, _ := os.Readlink("/proc/self/ns/mnt") // containers of one machine share its boot
	return strings.Join([]string{host, strings.TrimSpace(string(boot)), mounts}, " ")
}

// takeLease takes the lease of a run's folder. locked says that this process has the
// folder's lock, so that no other of this place works there.
func takeLease(ctx context.Context, run string, locked bool) (*lease, error) {
	host, _ := os.Hostname()
	l := &lease{storage.Join(run, table.LeaseFile), leaseRecord{host, os.Getpid(), placeOf(), rand.Text(), 0}, waits, nil}
	if storage.Remote(run) { // whose lock lies in a folder of one user and one TMPDIR
		l.record.Place += " " + runner.HomeOf(run)
	}
	was, err := l.read(ctx)
	if err != nil {
		return nil, err
	}
	if was.Build != "" && !(locked && was.Place == l.record.Place) {
		if err := l.outwait(ctx, was); err != nil {
			return nil, err
		}
	}
	if err := l.write(ctx); err != nil {
		return nil, err
	}
	if storage.Remote(run) {
		if err := sleep(ctx, l.waits.settle); err != nil {
			return nil, err
		}
	}
	return l, l.held(ctx)
}

// outwait ends when a lease has not been counted in for long, and is [ErrLocked] where it is.
func (l *lease) outwait(ctx context.Context, was leaseRecord) error {
	runner.Log(ctx).Warn("waiting: a build of another machine may still work in this folder", "build", was.String(), "at most", l.waits.patience)
	for waited := time.Duration(0); waited < l.waits.patience; waited += l.waits.beat / 2 {
		if err := sleep(ctx, l.waits.beat/2); err != nil {
			return err
		}
		is, err := l.read(ctx)
		switch {
		case err != nil:
			return err
		case is.Build == "":
			return nil
		case is != was:
			return l.taken(is)
		}
	}
	return nil
}

func (l *lease) taken(by leaseRecord) error {
	if by.Build == "" {
		return fmt.Errorf("%s: %w, which has ended since, or somebody removed %s", storage.Folder(l.path), ErrLocked, table.LeaseFile)
	}
	return fmt.Errorf("%s: %w: %v; wait for it, or build into another folder", storage.Folder(l.path), ErrLocked, by)
}

// held is [ErrLocked] where the folder has another lease than this one.
func (l *lease) held(ctx context.Context) error {
	is, err := l.read(ctx)
	if err == nil && is.Build != l.record.Build {
		return l.taken(is)
	}
	return err
}

// keep counts until the context ends. lost is called when the lease is another's.
func (l *lease) keep(ctx context.Context, lost func(error)) {
	// First after a moment: another may have taken a free folder at the same time.
	for wait := l.waits.settle; sleep(ctx, wait) == nil; wait = l.waits.beat {
		err := l.held(ctx)
		if errors.Is(err, ErrLocked) {
			lost(err)
			return
		}
		if err == nil { // else the next time: who cannot reach the folder does no harm there
			l.record.Count++
			_ = l.write(ctx)
		}
	}
}

// end removes the lease, if it is still this build's.
func (l *lease) end(ctx context.Context) {
	if ctx = context.WithoutCancel(ctx); l.held(ctx) == nil {
		_ = storage.Remove(ctx, l.path)
	}
}

// read is the lease that the folder has. One that cannot be understood is somebody's.
func (l *lease) read(ctx context.Context) (r leaseRecord, err error) {
	b, err := storage.ReadFile(ctx, l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err == nil && (json.Unmarshal(b, &r) != nil || r.Build == "") {
		r = leaseRecord{Host: "an unknown machine", Build: "unknown " + string(b)}
	}
	return r, err
}

func (l *lease) write(ctx context.Context) error {
	return storage.WriteFile(ctx, l.path, storage.MustJSON(l.record))
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
