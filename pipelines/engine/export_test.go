package engine

import (
	"context"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/table"
)

// What the tests of package engine_test see beside what is exported: they build
// with all stages, which stand above this package.

const MarkText = markText

var (
	MarkFolder   = markFolder
	FolderMarked = folderMarked
	RunTask      = runTask
)

// Planned is a stage's plan.
type Planned struct{ pl *stagePlan }

func PlanNamed(ctx context.Context, c *config.Config, name string) (Planned, error) {
	pl, err := NewPlanner(c).planNamed(ctx, name)
	return Planned{pl}, err
}

func (p Planned) Ready() error { return p.pl.ready() }

func (p Planned) Tasks() []Task { return p.pl.tasks }

func (p Planned) Stale() []Task { return p.pl.stale }

func (p Planned) Fresh() bool { return p.pl.fresh }

func (p Planned) Job(maxRejects float64, parallelism int) runner.Job {
	return p.pl.job(maxRejects, parallelism)
}

func (p Planned) Commit(ctx context.Context, maxRejects float64, made []table.TaskRecord) error {
	return p.pl.commit(ctx, maxRejects, made)
}

// Elsewhere plays another machine until the test ends: it does not see the locks of this
// one, or there are none at all. A build is dead after some beats.
func Elsewhere(t *testing.T, name string, locks bool) {
	try, at, was := tryLock, placeOf, waits
	t.Cleanup(func() { tryLock, placeOf, waits = try, at, was })
	tryLock = func(*flock.Flock) (bool, error) {
		if !locks {
			return false, syscall.ENOLCK
		}
		return true, nil
	}
	placeOf = func() string { return name }
	waits = leaseWaits{10 * time.Millisecond, 400 * time.Millisecond, time.Millisecond}
}

// NeverWait makes a build that waits for a lease wait for ever.
func NeverWait(t *testing.T) {
	was := waits
	t.Cleanup(func() { waits = was })
	waits.beat, waits.patience = time.Hour, 10*time.Hour
}

// Names are those of all stages.
func Names() []string {
	var names []string
	for _, s := range stages {
		names = append(names, s.Name)
	}
	return names
}
