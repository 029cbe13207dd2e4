package main

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestCrash kills the demonstration at twenty random moments, each in a folder
// of its own, and resumes it: every byte has to be that of an undisturbed run.
// The moments are drawn with a fixed seed and spread over the time that the
// undisturbed run took.
//
// It takes half a minute, so it runs where COMMONPLACE_SLOW is set: .ci/run does.
func TestCrash(t *testing.T) {
	if !slow() {
		t.Skip("takes half a minute: set COMMONPLACE_SLOW=1 to run it")
	}
	config, err := filepath.Abs(filepath.Join(checkout, "configs/demo.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	start := func(out string) *exec.Cmd {
		c := exec.Command("commonplace", "build", config, "--out", out, "--top", "0")
		c.Dir = filepath.Dir(config) // ONNX Runtime is found from here
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c
	}
	whole := filepath.Join(t.TempDir(), "whole")
	began := time.Now()
	if err := start(whole).Wait(); err != nil {
		t.Fatal(err)
	}
	duration := time.Since(began)

	random := rand.New(rand.NewPCG(1, 20))
	const kills = 20
	for i := range kills {
		out := filepath.Join(t.TempDir(), "killed")
		// One moment in each twentieth of the duration. On a machine that has
		// become faster the run may be over by then: try a shorter while.
		after := time.Duration((float64(i) + random.Float64()) / kills * float64(duration))
		for !killed(t, start(out), after) {
			if err := os.RemoveAll(out); err != nil {
				t.Fatal(err)
			}
			after = after * 3 / 4
		}
		if err := start(out).Wait(); err != nil {
			t.Fatalf("killed after %v of %v, the next run fails: %v", after, duration, err)
		}
		if d := difference(whole, out); d != "" {
			t.Errorf("killed after %v of %v and resumed: %s", after, duration, d)
		}
	}
}

// killed kills a run after a while and reports whether it was still at work.
func killed(t *testing.T, c *exec.Cmd, after time.Duration) bool {
	t.Helper()
	time.Sleep(after)
	if err := c.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	err := c.Wait()
	var exit *exec.ExitError
	if err == nil {
		return false
	}
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("it should have been killed: %v", err)
	}
	return true
}

// TestInterrupt stops the demonstration in its midst: it ends with the status of
// an interruption, leaves nothing half-written, and the same command finishes it.
func TestInterrupt(t *testing.T) {
	needLibrary(t)
	config, err := filepath.Abs(filepath.Join(checkout, "configs/demo.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for try := 0; ; try++ {
		out := filepath.Join(t.TempDir(), "tables")
		c := exec.Command("commonplace", "build", config, "--out", out, "--top", "0")
		c.Dir = filepath.Dir(config)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for start := time.Now(); time.Since(start) < 30*time.Second; time.Sleep(time.Millisecond) {
			if _, err := os.Stat(filepath.Join(out, "records", "documents", "_commit.json")); err == nil {
				break
			}
		}
		if err := c.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		err := c.Wait()
		if err == nil && try < 5 {
			continue // it was faster than the signal
		}
		if c.ProcessState.ExitCode() != 130 {
			t.Fatalf("interrupted it ends with status %d, want 130", c.ProcessState.ExitCode())
		}
		for _, pattern := range []string{".*.tmp", "*/.*.tmp", "*/*/.*.tmp", ".commonplace.tmp"} {
			if found, _ := filepath.Glob(filepath.Join(out, pattern)); len(found) > 0 {
				t.Errorf("left behind: %s", found)
			}
		}
		again := exec.Command("commonplace", "build", config, "--out", out, "--top", "0")
		again.Dir = c.Dir
		if output, err := again.CombinedOutput(); err != nil {
			t.Fatalf("the next run fails: %v\n%s", err, output)
		}
		return
	}
}
