package engine_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/table"
)

// otherLease is what a build of another machine left in a folder.
const otherLease = `{"host": "ship", "process": 7, "place": "ship", "build": "other", "count": 3}`

func leave(t *testing.T, out, content string) {
	t.Helper()
	path := filepath.Join(out, table.LeaseFile)
	if err := errors.Join(os.MkdirAll(out, 0o755), os.WriteFile(path+".new", []byte(content), 0o644), os.Rename(path+".new", path)); err != nil {
		t.Error(err)
	}
}

// take keeps another's lease in a folder until stop is closed. A count of the build that
// had the folder may be on its way and replace it, as in a folder of two machines: then it
// is left again, as the other build's next count would.
func take(t *testing.T, out string, stop <-chan struct{}, done *sync.WaitGroup) {
	t.Helper()
	leave(t, out, otherLease)
	done.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
			}
			if b, err := os.ReadFile(filepath.Join(out, table.LeaseFile)); err != nil || string(b) != otherLease {
				leave(t, out, otherLease)
			}
		}
	})
}

// While a build works, no other begins, though it does not see the lock: it is of another
// machine, or the file system knows no locks. When the first is dead, the second does not wait
// for ever.
func TestTwoHosts(t *testing.T) {
	for what, locks := range map[string]bool{"locks of one machine": true, "no locks": false} {
		t.Run(what, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "tables")
			engine.Elsewhere(t, "shore", locks)
			_, release, err := engine.Lock(t.Context(), out)
			if err != nil {
				t.Fatal(err)
			}
			engine.Elsewhere(t, "ship", locks)
			if _, _, err := engine.Lock(t.Context(), out); !errors.Is(err, engine.ErrLocked) {
				t.Errorf("a second build beside the first: %v", err)
			}
			release()
			if _, err := os.Stat(filepath.Join(out, table.LeaseFile)); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a build that has ended leaves its lease: %v", err)
			}
			for _, dead := range []string{otherLease, "", "{"} {
				leave(t, out, dead)
				_, release, err = engine.Lock(t.Context(), out)
				if err != nil {
					t.Fatalf("after a build that left %q: %v", dead, err)
				}
				release()
			}
		})
	}
}

// A build that was killed here left a lease. The lock says that it is dead.
func TestNobodyWaitsForAKilledBuildOfThisMachine(t *testing.T) {
	out := filepath.Join(t.TempDir(), "tables")
	_, release, err := engine.Lock(t.Context(), out)
	if err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadFile(filepath.Join(out, table.LeaseFile))
	if err != nil {
		t.Fatal(err)
	}
	release()
	leave(t, out, string(left))
	engine.NeverWait(t)
	if _, release, err = engine.Lock(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	release()
}

// A build that slept while another took its folder ends. It publishes nothing, and leaves
// what is the other's.
func TestABuildThatLostItsFolderEnds(t *testing.T) {
	c := pipelinetest.Demo(t)
	c.Score.Model = ""
	pipelinetest.Build(t, c)
	before := pipelinetest.Snapshot(t, c.Out)
	current, err := table.Current(t.Context(), c.Out)
	if err != nil {
		t.Fatal(err)
	}
	theirs := filepath.Join(c.Out, runner.TempFolder, "theirs")
	for _, moment := range []string{"crawl", "count"} {
		engine.Elsewhere(t, "shore", true)
		var taken atomic.Bool
		var others sync.WaitGroup
		stop := make(chan struct{})
		err = engine.Build(t.Context(), engine.Request{Config: c, Force: true, Around: func(ctx context.Context, task engine.Task, work engine.MakeFunc) (table.TaskRecord, error) {
			if task.Stage == moment && taken.CompareAndSwap(false, true) {
				take(t, c.Out, stop, &others)
				leave(t, theirs, "of the other build")
				if moment == "crawl" {
					<-ctx.Done()
				}
			}
			return work(ctx, task)
		}})
		close(stop)
		others.Wait()
		if !errors.Is(err, engine.ErrLocked) || !strings.Contains(err.Error(), "process 7 of ship") {
			t.Errorf("taken at %s: %v", moment, err)
		}
		if now, err := table.Current(t.Context(), c.Out); err != nil || now != current {
			t.Errorf("taken at %s: readers get %s, %v", moment, now, err)
		}
		if d := pipelinetest.Differing(before, pipelinetest.Snapshot(t, c.Out)); len(d) > 0 {
			t.Errorf("taken at %s: readers get others of %v", moment, d)
		}
		for _, path := range []string{theirs, filepath.Join(c.Out, table.LeaseFile)} {
			if _, err := os.Stat(path); err != nil {
				t.Errorf("taken at %s: %v", moment, err)
			}
		}
		if r, err := engine.ReadRun(t.Context(), c.Out); err != nil || r.Status != engine.RunRunning {
			t.Errorf("taken at %s: the record of the other build is %v, %v", moment, r, err)
		}
	}
	pipelinetest.Build(t, c)
	pipelinetest.SameAsAFullBuild(t, c)
}

// A build finds a new folder in which another is writing its first files. It waits or is
// refused, but the folder is a run's.
func TestANewFolderIsARunsWhileAnotherBuildBegins(t *testing.T) {
	for _, name := range []string{"..building.json.0123456789ab.tmp", ".run.json.0123456789ab.tmp"} {
		c := pipelinetest.Demo(t)
		c.Score.Model = ""
		if err := os.MkdirAll(c.Out, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(c.Out, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := pipelinetest.TryBuild(c); err != nil {
			t.Errorf("beside %s: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(c.Out, name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s stays: %v", name, err)
		}
	}
}
