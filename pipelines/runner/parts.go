package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// A build can have parts: processes on other machines that see the run's folder, such as
// the tasks of a SLURM array. Part 0 is the build. It has the folder's lock and lease, plans
// every stage, writes down each stage's elements for the others, and commits. Part K of N
// works on the elements whose number is K modulo N. Nobody waits for a part that is not
// there: part 0 works on what is left. An element may be worked on twice, and at once, and
// gives the same, as on every runner.

// partsFolder holds, below the run's folder for temporary files, the job that there is and
// what each part says of itself.
const partsFolder = "parts"

// partWaits are the times of parts. Variables for tests.
type partWaits struct {
	beat     time.Duration // between two signs of life
	patience time.Duration // without one, a part is dead
	join     time.Duration // how long a build waits for parts that have not come yet
	look     time.Duration // longest pause between two looks at a file
}

var partTimes = partWaits{5 * time.Second, time.Minute, 3 * time.Second, time.Second}

// partJob is what part 0 has written down for the others.
type partJob struct {
	Build    string   `json:"build"`   // the lease's name
	Program  string   `json:"program"` // version and commit
	Number   int      `json:"number"`  // of the build's jobs, from 1
	Of       int      `json:"of"`      // parts
	Kind     string   `json:"kind"`
	Name     string   `json:"name"`
	Out      string   `json:"out"`
	Elements []string `json:"elements"`
}

// partState is what another part says of itself.
type partState struct {
	Build string `json:"build"`
	Count int    `json:"count"` // a sign of life
	Job   int    `json:"job"`   // number
	Done  []int  `json:"done"`  // elements of that job
	Left  []int  `json:"left"`  // and those that it could not do
}

func partsDir(out string) string { return filepath.Join(HomeOf(out), TempFolder, partsFolder) }

func jobPath(out string) string { return filepath.Join(partsDir(out), "job.json") }

func statePath(out string, part int) string {
	return filepath.Join(partsDir(out), fmt.Sprintf("part-%d.json", part))
}

// leader is part 0.
type leader struct {
	build, program string
	of             int
	number         int
	begun          time.Time
	seen           map[int]*sighting
}

// sighting is what is known of another part.
type sighting struct {
	state partState
	since time.Time // of the last sign of life
}

// OutwaitParts waits until parts of a killed build have seen that another has the lease,
// where such parts may still work. The caller has it.
func OutwaitParts(ctx context.Context, out string) error {
	if _, err := os.Stat(partsDir(out)); err != nil {
		return nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(2 * partTimes.look):
		return nil
	}
}

// Lead makes the runner work as part 0 of so many. build is the lease's name.
func (r *Runner) Lead(build string, of int) {
	_ = os.MkdirAll(partsDir(r.out), 0o755) // for what the others say; else the first job makes it
	r.leader = &leader{build: build, program: commonplace.Program(), of: of, begun: time.Now(), seen: map[int]*sighting{}}
}

// run runs a job with the other parts.
func (l *leader) run(ctx context.Context, out string, j Job) error {
	h, err := handlerOf(j.Kind)
	if err != nil {
		return err
	}
	l.number++
	job := partJob{l.build, l.program, l.number, l.of, j.Kind, j.Name, out, j.Elements}
	if err := storage.WriteFile(ctx, jobPath(out), storage.MustJSON(job)); err != nil {
		return err
	}
	defer storage.Remove(context.WithoutCancel(ctx), jobPath(out))
	results := make([]string, len(j.Elements))
	work := func(list []int) error {
		g, working := errgroup.WithContext(ctx)
		g.SetLimit(atOnce(j.AtOnce))
		for _, i := range list {
			g.Go(func() (err error) {
				if err := working.Err(); err != nil {
					return err
				}
				results[i], err = h.Work(withShared(working, j.Kind, h), j.Elements[i])
				return err
			})
		}
		return g.Wait()
	}
	var own, others []int
	for i := range j.Elements {
		if i%l.of == 0 {
			own = append(own, i)
		} else {
			others = append(others, i)
		}
	}
	if err := work(own); err != nil {
		return err
	}
	pause := newPause()
	for len(others) > 0 {
		l.look(ctx, out)
		var now, later []int
		made := 0
		for _, i := range others {
			switch done, wait := l.state(i); {
			case done: // its record is there, and is read
				now = append(now, i)
				made++
			case wait || len(now)-made >= atOnce(j.AtOnce): // a part that comes later gets its own
				later = append(later, i)
			default:
				now = append(now, i)
			}
		}
		if err := work(now); err != nil {
			return err
		}
		if others = later; len(now) == 0 {
			if err := pause.wait(ctx); err != nil {
				return err
			}
			continue
		}
		pause = newPause()
	}
	if h.Finish == nil {
		return nil
	}
	return h.Finish(ctx, j.Params, results)
}

// state says of an element of another part whether it is done, and else whether its part is
// to be waited for.
func (l *leader) state(element int) (done, wait bool) {
	s := l.seen[element%l.of]
	if s == nil {
		return false, time.Since(l.begun) < partTimes.join
	}
	if s.state.Job == l.number {
		if slices.Contains(s.state.Done, element) {
			return true, false
		}
		if slices.Contains(s.state.Left, element) {
			return false, false
		}
	}
	return false, time.Since(s.since) < partTimes.patience
}

// look reads what the other parts say of themselves.
func (l *leader) look(ctx context.Context, out string) {
	for k := 1; k < l.of; k++ {
		var is partState
		if err := readJSON(ctx, statePath(out, k), &is); err != nil || is.Build != l.build {
			continue
		}
		s := l.seen[k]
		if s == nil {
			s = &sighting{since: time.Now()}
			l.seen[k] = s
		}
		if is.Count != s.state.Count || is.Job != s.state.Job || len(is.Done) != len(s.state.Done) {
			s.since = time.Now()
		}
		s.state = is
	}
}

// pausing waits longer and longer.
type pausing struct{ next time.Duration }

func newPause() *pausing { return &pausing{min(50*time.Millisecond, partTimes.look)} }

func (p *pausing) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(p.next):
	}
	p.next = min(2*p.next, partTimes.look)
	return nil
}

func readJSON(ctx context.Context, path string, v any) error {
	b, err := storage.ReadFile(ctx, path)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

// buildNow is the build that works in a run's folder, by its lease: its name, and its sign
// of life. Both are empty where there is none.
func buildNow(ctx context.Context, out string) (build string, count int, err error) {
	var lease struct {
		Build string `json:"build"`
		Count int    `json:"count"`
	}
	err = readJSON(ctx, storage.Join(table.Home(out), table.LeaseFile), &lease)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return lease.Build, lease.Count, err
}
