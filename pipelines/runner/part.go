package runner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/storage"
)

// Errors of a part.
var (
	ErrNoBuild   = errors.New("no build works in this folder")
	ErrBuildDead = errors.New("the build of part 0 does not go on")
	ErrProgram   = errors.New("part 0 is another version of the program")
)

// partWorker is a part that is not 0.
type partWorker struct {
	out, program string
	number, of   int
	atOnce       int

	mu    sync.Mutex
	state partState
}

// Part works on part number of of the build that works in a run's folder, until that
// build ends. It waits so long for one. made is how many elements it worked on. What it
// fails at it leaves to part 0, which then says why.
func Part(ctx context.Context, out string, number, of, atOnce int, wait time.Duration) (made int, err error) {
	p := &partWorker{out: out, program: commonplace.Program(), number: number, of: of, atOnce: atOnce}
	if p.state.Build, err = p.find(ctx, wait); err != nil {
		return 0, err
	}
	ctx, end := worker.Begin(ctx)
	defer end()
	ctx, stop := context.WithCancelCause(ctx)
	var living sync.WaitGroup
	living.Go(func() { p.live(ctx, stop) })
	made, err = p.work(ctx)
	stop(nil)
	living.Wait()
	_ = storage.Remove(context.WithoutCancel(ctx), statePath(out, number)) // part 0 removes the folder
	if cause := context.Cause(ctx); err != nil && errors.Is(cause, ErrBuildDead) {
		err = cause
	}
	if errors.Is(err, errBuildEnded) || errors.Is(context.Cause(ctx), errBuildEnded) {
		err = nil
	}
	return made, err
}

var errBuildEnded = errors.New("the build has ended")

// find waits for a build.
func (p *partWorker) find(ctx context.Context, wait time.Duration) (string, error) {
	begun, pause := time.Now(), newPause()
	for {
		build, _, err := buildNow(ctx, p.out)
		if err != nil || build != "" {
			return build, err
		}
		if time.Since(begun) > wait {
			return "", fmt.Errorf("%s: %w: waited %v for part 0", p.out, ErrNoBuild, wait)
		}
		if err := pause.wait(ctx); err != nil {
			return "", err
		}
	}
}

// live gives signs of life, and ends the work when the build has ended, is another, or gives
// none itself.
func (p *partWorker) live(ctx context.Context, stop context.CancelCauseFunc) {
	last, since, said := -1, time.Now(), time.Time{}
	for {
		build, count, err := buildNow(ctx, p.out)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil && build != p.state.Build:
			stop(errBuildEnded)
			return
		case err == nil && count != last:
			last, since = count, time.Now()
		case time.Since(since) > partTimes.patience:
			stop(fmt.Errorf("%s: %w: no sign of life for %v; start it again", p.out, ErrBuildDead, partTimes.patience))
			return
		}
		if time.Since(said) >= partTimes.beat {
			said = time.Now()
			p.say(ctx, func(s *partState) { s.Count++ })
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(partTimes.look):
		}
	}
}

// say changes what the part says of itself. That it cannot be written is no error: part 0
// then takes the part for dead. Where the build has just ended and removed the folder, the
// part must not make it again, for nobody would remove it.
func (p *partWorker) say(ctx context.Context, change func(*partState)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.state)
	_ = storage.Write(ctx, noNewFolders{storage.Default}, statePath(p.out, p.number), storage.MustJSON(p.state))
}

// noNewFolders is a file system that writes only where a folder is.
type noNewFolders struct{ storage.FileSystem }

func (noNewFolders) MkdirAll(context.Context, string) error { return nil }

// work works on job after job.
func (p *partWorker) work(ctx context.Context) (made int, err error) {
	last, pause := 0, newPause()
	for {
		if err := ctx.Err(); err != nil {
			return made, context.Cause(ctx)
		}
		if build, _, err := buildNow(ctx, p.out); err == nil && build != p.state.Build {
			return made, errBuildEnded
		}
		var job partJob
		if err := readJSON(ctx, jobPath(p.out), &job); err != nil || job.Build != p.state.Build || job.Number <= last {
			if err := pause.wait(ctx); err != nil {
				return made, err
			}
			continue
		}
		if job.Program != p.program {
			return made, fmt.Errorf("%w: %s, and this is %s", ErrProgram, job.Program, p.program)
		}
		if job.Of != p.of {
			return made, fmt.Errorf("part 0 is of %d parts, and this one of %d", job.Of, p.of)
		}
		n, err := p.job(ctx, job)
		if made += n; err != nil {
			return made, err
		}
		last, pause = job.Number, newPause()
	}
}

// job works on the part's elements of a job.
func (p *partWorker) job(ctx context.Context, job partJob) (made int, err error) {
	h, err := handlerOf(job.Kind)
	if err != nil {
		return 0, err
	}
	temp, err := tempDir(job.Out) // part 0 made it, and removes it
	if err != nil {
		return 0, err
	}
	ctx = storage.WithTempDir(ctx, temp)
	p.say(ctx, func(s *partState) { s.Job, s.Done, s.Left = job.Number, nil, nil })
	g, working := errgroup.WithContext(ctx)
	g.SetLimit(atOnce(p.atOnce))
	for i := p.number; i < len(job.Elements); i += p.of {
		g.Go(func() error {
			if err := working.Err(); err != nil {
				return context.Cause(ctx)
			}
			_, err := h.Work(withShared(working, job.Kind, h), job.Elements[i])
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			p.say(ctx, func(s *partState) {
				if err != nil {
					s.Left = append(s.Left, i)
					return
				}
				s.Done = append(s.Done, i)
			})
			if err != nil {
				Log(ctx).Warn("left to part 0", "job", job.Name, "element", i, "error", err)
			}
			return nil
		})
	}
	err = g.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.state.Done), err
}
