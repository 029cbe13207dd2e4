package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// workers notes, for the job "numbered", who worked on which element. The name of who
// does comes with the context.
type whoKey struct{}

var numbered = struct {
	sync.Mutex
	by       map[string][]string // elements, by who
	finished []string
	work     func(ctx context.Context, who, element string) error
}{}

func init() {
	Register("numbered", Handler{
		Work: func(ctx context.Context, element string) (string, error) {
			who, _ := ctx.Value(whoKey{}).(string)
			if err := numbered.work(ctx, who, element); err != nil {
				return "", err
			}
			numbered.Lock()
			defer numbered.Unlock()
			numbered.by[who] = append(numbered.by[who], element)
			return "result " + element, nil
		},
		Finish: func(_ context.Context, _ string, results []string) error {
			numbered.finished = results
			return nil
		},
	})
}

// partsRun is a folder with the lease of a build, whose times are short.
func partsRun(t *testing.T, work func(ctx context.Context, who, element string) error) (out string, lead func() error, part func(k int) error) {
	was := partTimes
	partTimes = partWaits{beat: 10 * time.Millisecond, patience: 10 * time.Second, join: 50 * time.Millisecond, look: 5 * time.Millisecond}
	t.Cleanup(func() { partTimes = was })
	numbered.by, numbered.finished, numbered.work = map[string][]string{}, nil, work
	out = t.TempDir()
	living, die := context.WithCancel(t.Context())
	t.Cleanup(die)
	go func() { // the engine's lease
		for count := 0; living.Err() == nil; count++ {
			lease(out, "this", count)
			time.Sleep(10 * time.Millisecond)
		}
	}()
	lead = func() error {
		ctx, err := WithTempDir(context.WithValue(t.Context(), whoKey{}, "0"), out)
		if err != nil {
			return err
		}
		ctx, end := worker.Begin(ctx)
		defer end()
		r := &Runner{out: out}
		r.Lead("this", 3)
		elements := make([]string, 9)
		for i := range elements {
			elements[i] = strconv.Itoa(i)
		}
		_, err = r.Run(ctx, Job{Kind: "numbered", Name: "numbered", Elements: elements, AtOnce: 1})
		die()
		time.Sleep(20 * time.Millisecond)
		_ = os.Remove(filepath.Join(out, table.LeaseFile))
		return err
	}
	part = func(k int) error {
		_, err := Part(context.WithValue(t.Context(), whoKey{}, strconv.Itoa(k)), out, k, 3, 1, 5*time.Second)
		return err
	}
	return out, lead, part
}

func lease(out, build string, count int) {
	_ = storage.WriteFile(context.Background(), filepath.Join(out, table.LeaseFile), fmt.Appendf(nil, `{"build":%q,"count":%d}`, build, count))
}

// wholeJob checks that every element has its result, whoever made it.
func wholeJob(t *testing.T) {
	t.Helper()
	want := make([]string, 9)
	for i := range want {
		want[i] = fmt.Sprint("result ", i)
	}
	if !slices.Equal(numbered.finished, want) {
		t.Errorf("results %q", numbered.finished)
	}
}

func TestPartsShareTheWork(t *testing.T) {
	_, lead, part := partsRun(t, func(_ context.Context, who, element string) error {
		time.Sleep(10 * time.Millisecond)
		return nil
	})
	ended := make(chan error, 2)
	for k := 1; k < 3; k++ {
		go func() { ended <- part(k) }()
	}
	time.Sleep(50 * time.Millisecond)
	if err := lead(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	wholeJob(t)
	for k, want := range []string{"0 3 6", "1 4 7", "2 5 8"} {
		for element := range strings.FieldsSeq(want) {
			if !slices.Contains(numbered.by[strconv.Itoa(k)], element) {
				t.Errorf("part %d did not work on %s: %v", k, element, numbered.by)
			}
		}
	}
}

// Parts that never come, or that say nothing any more, or that cannot, are done without.
func TestPartsThatAreNotThere(t *testing.T) {
	t.Run("none comes", func(t *testing.T) {
		_, lead, _ := partsRun(t, func(context.Context, string, string) error { return nil })
		if err := lead(); err != nil {
			t.Error(err)
		}
		wholeJob(t)
	})
	t.Run("one dies", func(t *testing.T) {
		out, lead, _ := partsRun(t, func(context.Context, string, string) error { return nil })
		partTimes.patience = 300 * time.Millisecond
		if err := storage.WriteFile(t.Context(), statePath(out, 1), storage.MustJSON(partState{Build: "this", Count: 7, Job: 1, Done: []int{1}})); err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		if err := lead(); err != nil {
			t.Error(err)
		}
		wholeJob(t)
		if time.Since(begun) < partTimes.patience {
			t.Error("nobody waited for a part that had given signs of life")
		}
	})
	t.Run("one fails", func(t *testing.T) {
		_, lead, part := partsRun(t, func(_ context.Context, who, element string) error {
			if who == "1" && element == "4" {
				return errors.New("no room on this machine")
			}
			return nil
		})
		ended := make(chan error, 1)
		go func() { ended <- part(1) }()
		time.Sleep(50 * time.Millisecond)
		if err := lead(); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
		wholeJob(t)
		if !slices.Contains(numbered.by["0"], "4") {
			t.Errorf("%v", numbered.by)
		}
	})
	t.Run("all fail", func(t *testing.T) {
		broken := errors.New("shard 4 is broken")
		_, lead, part := partsRun(t, func(_ context.Context, _, element string) error {
			if element == "4" {
				return broken
			}
			return nil
		})
		ended := make(chan error, 1)
		go func() { ended <- part(1) }()
		time.Sleep(50 * time.Millisecond)
		if err := lead(); !errors.Is(err, broken) || numbered.finished != nil {
			t.Errorf("%v, committed %q", err, numbered.finished)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// A part ends when the folder is another build's, when its build is dead, and where none
// works; and it works for no other program.
func TestPartsEnd(t *testing.T) {
	was := partTimes
	partTimes = partWaits{beat: 10 * time.Millisecond, join: time.Millisecond, look: 5 * time.Millisecond}
	defer func() { partTimes = was }()
	numbered.by = map[string][]string{}
	numbered.work = func(ctx context.Context, _, _ string) error { <-ctx.Done(); return ctx.Err() }
	for _, c := range []struct {
		what    string
		program string
		change  func(out string)
		want    error
	}{
		{"another build", "", func(out string) { lease(out, "another", 1) }, nil},
		{"no build any more", "", func(out string) { os.Remove(filepath.Join(out, table.LeaseFile)) }, nil},
		{"no sign of life", "", func(string) {}, ErrBuildDead},
		{"another program", "9.9", func(string) {}, ErrProgram},
	} {
		partTimes.patience = 10 * time.Second // what else ends a part must come first on a busy machine
		if c.want == ErrBuildDead {
			partTimes.patience = 100 * time.Millisecond
		}
		out := t.TempDir()
		lease(out, "this", 1)
		job := partJob{Build: "this", Number: 1, Of: 2, Kind: "numbered", Out: out, Elements: []string{"0", "1"}}
		if job.Program = c.program; c.program == "" {
			job.Program = commonplace.Program()
		}
		if err := storage.WriteFile(t.Context(), jobPath(out), storage.MustJSON(job)); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() {
			_, err := Part(t.Context(), out, 1, 2, 1, time.Second)
			ended <- err
		}()
		time.Sleep(40 * time.Millisecond)
		c.change(out)
		select {
		case err := <-ended:
			if !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", c.what, err, c.want)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: it goes on", c.what)
		}
	}
	if _, err := Part(t.Context(), t.TempDir(), 1, 2, 1, time.Millisecond); !errors.Is(err, ErrNoBuild) {
		t.Errorf("%v", err)
	}
}

// A part that says something, or begins a job, just after the build has ended leaves no folder behind.
func TestAPartMakesNoFolderAgain(t *testing.T) {
	out := t.TempDir()
	p := &partWorker{out: out, number: 1}
	p.say(t.Context(), func(s *partState) { s.Count++ })
	if _, err := p.job(t.Context(), partJob{Kind: "numbered", Out: out}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(out, TempFolder)); err == nil {
		t.Error("the folder is there")
	}
	(&Runner{out: out}).Lead("this", 2)
	p.say(t.Context(), func(s *partState) { s.Count++ })
	var is partState
	if err := readJSON(t.Context(), statePath(out, 1), &is); err != nil || is.Count != 2 {
		t.Errorf("%+v, %v", is, err)
	}
}
