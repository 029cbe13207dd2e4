package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/verify"
)

// linkVariable is a moment at which the program kills itself: before or after the n-th
// link that it makes.
const linkVariable = "COMMONPLACE_DIES_AT"

// dieAtALink readies the program for that.
func dieAtALink() {
	when, number, _ := strings.Cut(os.Getenv(linkVariable), " ")
	if n, err := strconv.ParseInt(number, 10, 64); err == nil {
		storage.Local = &mortal{FileSystem: storage.Local, when: when, at: n}
	}
}

// mortal is the machine's file system for a process that is killed at a link.
type mortal struct {
	storage.FileSystem
	when  string
	at    int64
	links atomic.Int64
}

func (m *mortal) Link(ctx context.Context, target, path string) error {
	n := m.links.Add(1)
	if n == m.at && m.when == "before" {
		die()
	}
	err := m.FileSystem.Link(ctx, target, path)
	if n == m.at {
		die()
	}
	return err
}

// die is kill -9: nothing is closed, unlocked or removed.
func die() {
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// nightly is a run of the demonstration's books with a second night to come.
type nightly struct {
	config, before string // the folder of the first night
	want           string // the folder of a full build of the second
	out            string
}

func newNightly(t *testing.T) *nightly {
	t.Helper()
	needLibrary(t)
	demo, err := filepath.Abs(filepath.Join(checkout, "testdata/demo"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	n := &nightly{filepath.Join(dir, "run.yaml"), filepath.Join(dir, "before"), filepath.Join(dir, "want"), filepath.Join(dir, "out")}
	books := filepath.Join(dir, "books")
	text := fmt.Sprintf("out: out\nshards: 1\nsources:\n  - {name: books, files: [books]}\n  - {name: essays, files: [%[1]s/essays], role: derived}\nquotes:\n  - {name: quotes, path: %[1]s/quotes.jsonl}\nscore: {model: %[1]s/../../models/quotability-features}\n", demo)
	if err := errors.Join(os.CopyFS(books, os.DirFS(filepath.Join(demo, "books"))), os.WriteFile(n.config, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
	run := func(out string) {
		if output, err := n.build(out).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, output)
		}
	}
	run(n.before)
	if err := os.Rename(filepath.Join(books, "weathers.txt"), filepath.Join(books, "weather.txt")); err != nil {
		t.Fatal(err)
	}
	run(n.want)
	return n
}

func (n *nightly) build(out string) *exec.Cmd {
	c := exec.Command("commonplace", "build", n.config, "--out", out, "--top", "0", "--yes", "--accept-loss")
	c.Dir, _ = filepath.Abs(checkout) // ONNX Runtime is found from here
	return c
}

// again puts the first night into the run's folder.
func (n *nightly) again(t *testing.T) {
	t.Helper()
	if err := errors.Join(os.RemoveAll(n.out), os.CopyFS(n.out, os.DirFS(n.before))); err != nil {
		t.Fatal(err)
	}
}

// whole is an error where a reader gets anything else than the whole of one of both nights.
func (n *nightly) whole(ctx context.Context) (which string, err error) {
	night, err := table.Current(ctx, n.out)
	if err != nil {
		return "", err
	}
	_, err = verify.Tables(ctx, storage.Default, night, func(p verify.Problem) { err = errors.Join(err, fmt.Errorf("%v", p)) })
	if err != nil {
		return "", err
	}
	var other []string
	for name, dir := range map[string]string{"before": n.before, "want": n.want} {
		d := difference(filepath.Join(dir, ".nights/0"), night)
		if d == "" {
			return name, nil
		}
		other = append(other, name+": "+d)
	}
	return "", fmt.Errorf("it is neither of both nights: %q", other)
}

// killed runs the second night, which kill ends, and looks at what readers get then. The
// next build finishes it.
func (n *nightly) killed(t *testing.T, what string, c *exec.Cmd) (which string, dead bool) {
	t.Helper()
	output, err := c.CombinedOutput()
	var exit *exec.ExitError
	if err == nil {
		return "", false
	}
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("%s: it should have been killed: %v: %s", what, err, output)
	}
	if which, err = n.whole(t.Context()); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	if output, err := n.build(n.out).CombinedOutput(); err != nil {
		t.Fatalf("%s: it is not resumed: %v: %s", what, err, output)
	}
	if now, err := n.whole(t.Context()); err != nil || now != "want" {
		t.Errorf("%s, and resumed: readers get %s, %v", what, now, err)
	}
	return which, true
}

// TestKilledAtTheSwitch kills the program, with signal 9, before and after each link that it
// makes. A reader gets the whole night
// before or the whole new one.
func TestKilledAtTheSwitch(t *testing.T) {
	n := newNightly(t)
	got := map[string]int{}
	for link := 1; ; link++ {
		dead := false
		for _, when := range []string{"before", "after"} {
			n.again(t)
			c := n.build(n.out)
			c.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d", linkVariable, when, link))
			which, died := n.killed(t, fmt.Sprintf("%s link %d", when, link), c)
			got[which]++
			dead = dead || died
		}
		if !dead {
			break
		}
	}
	if got["before"] < 1 || got["want"] < 1 {
		t.Errorf("readers got %v", got)
	}
	t.Log(got)
}

// TestKilledInTheSystemCall kills the program while it is in the system call that replaces
// a link: as it enters, and before it is back.
func TestKilledInTheSystemCall(t *testing.T) {
	if !slow() {
		t.Skip("set COMMONPLACE_SLOW=1 to run it")
	}
	if runtime.GOOS != "linux" || exec.Command("strace", "-qq", "-o", os.DevNull, "true").Run() != nil {
		t.Skip("needs strace")
	}
	n := newNightly(t)
	for what, inject := range map[string]string{"as it enters": "signal=KILL", "before it is back": "delay_exit=10000000"} {
		n.again(t)
		path := filepath.Join(n.out, ".current")
		before, _ := os.Readlink(path)
		build := n.build(n.out)
		calls := "rename,renameat,renameat2"
		c := exec.Command("strace", append([]string{"-f", "-qq", "-o", os.DevNull, "-P", path, "-e", "trace=" + calls, "-e", "inject=" + calls + ":" + inject}, build.Args...)...)
		c.Dir = build.Dir
		ctx, done := context.WithCancel(t.Context())
		if inject != "signal=KILL" {
			c.Cancel = nil
			go func() { // the call has replaced the link, and does not come back
				for ctx.Err() == nil {
					time.Sleep(time.Millisecond)
					if now, err := os.Readlink(path); err == nil && now != before {
						exec.Command("pkill", "-9", "-P", strconv.Itoa(c.Process.Pid)).Run()
					}
				}
			}()
		}
		which, dead := n.killed(t, what, c)
		done()
		want := map[bool]string{true: "want", false: "before"}[inject != "signal=KILL"]
		if !dead || which != want {
			t.Errorf("killed %s: dead %v, readers get the night %q", what, dead, which)
		}
	}
}
