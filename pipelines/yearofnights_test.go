package pipelines

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/tabletest"
)

// TestAYearOfNights goes through what goes wrong in a year. After each night readers can
// read all, get the ranking of the night before or the right one, and the disk holds no
// more than before.
func TestAYearOfNights(t *testing.T) {
	if !slow {
		t.Skip("takes minutes: set COMMONPLACE_SLOW=1 to run it")
	}
	c, folder := small(t)
	list := filepath.Join(t.TempDir(), "quotes.jsonl")
	quotes := fileOf(t, c.Quotes[0].Path)
	library := library{Out: c.Out, Folder: folder, List: list}
	library.configure(c)
	write := func(path string, content []byte) {
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(list, quotes)
	for i := range 6 {
		bookOf(t, folder, fmt.Sprintf("book%d.txt", i))
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(fileOf(t, "../testdata/demo/books/weathers.txt")); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	write(filepath.Join(folder, "books", "packed.txt.gz"), packed.Bytes())
	pipelinetest.Build(t, c)
	books, away := filepath.Join(folder, "books"), filepath.Join(folder, "away")
	corrected := 0
	move := func(from, to string) {
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	build := func(fault func(int64, bool) error) error {
		_, lift := faultBelow(t, fault)
		defer lift()
		return pipelinetest.TryBuild(c)
	}
	good := func() error { return build(nil) }
	kinds := []struct {
		name    string
		refused bool
		night   func(n int) error
	}{
		{"nothing new", false, func(int) error { return good() }},
		{"a mount is gone", true, func(int) error {
			move(books, away)
			if err := os.Mkdir(books, 0o755); err != nil {
				return nil
			}
			err := good()
			os.Remove(books)
			move(away, books)
			return err
		}},
		{"a list is emptied", true, func(int) error { write(list, nil); err := good(); write(list, quotes); return err }},
		{"a book is corrected", false, func(n int) error {
			corrected++
			bookOf(t, folder, "book0.txt")
			write(filepath.Join(books, "book0.txt"), fmt.Appendf(fileOf(t, filepath.Join(books, "book0.txt")), "\n\nErratum %d.\n", corrected))
			return good()
		}},
		{"a book cannot be unpacked", false, func(int) error {
			path := filepath.Join(books, "packed.txt.gz")
			was := fileOf(t, path)
			write(path, was[:len(was)/2])
			before := len(pipelinetest.Rows(t, c, table.Passages))
			err := good()
			if now := len(pipelinetest.Rows(t, c, table.Passages)); now != before {
				t.Errorf("%d passages, and %d without a book that cannot be unpacked", before, now)
			}
			write(path, was)
			return errors.Join(err, good())
		}},
		{"a book is withdrawn", false, func(int) error {
			if err := os.Remove(filepath.Join(books, "book5.txt")); err != nil {
				return err
			}
			return good()
		}},
		{"killed", true, func(n int) error {
			bookOf(t, folder, "late.txt")
			bookOf(t, folder, "book5.txt")
			return killedNight(t, library, int64(200+17*n))
		}},
		{"the disk is full", true, func(n int) error {
			os.Remove(filepath.Join(books, "late.txt"))
			return build(fromOn(int64(150+13*n), syscall.ENOSPC))
		}},
		{"a rollback", false, func(int) error {
			if _, err := engine.Rollback(t.Context(), c.Out, 0); err != nil {
				return err
			}
			if err := good(); !errors.Is(err, engine.ErrPinned) {
				return fmt.Errorf("a pinned run is built: %v", err)
			}
			_, err := engine.Pin(t.Context(), c.Out, false)
			return errors.Join(err, good())
		}},
		{"a book is forgotten", false, func(int) error {
			withSecret(t, folder)
			if err := good(); err != nil {
				return err
			}
			_, err := engine.Forget(t.Context(), engine.Request{Config: c}, []string{secretID})
			if left := holding(t, c.Out); len(left) > 0 {
				t.Errorf("%d files have the book that was forgotten, such as %s", len(left), left[0])
			}
			return errors.Join(err, os.Remove(filepath.Join(books, secretID+".txt")), good())
		}},
		{"an upgrade from 0.1.0", false, func(n int) error { // whose tables lie in the run's folder
			night, err := table.Current(t.Context(), c.Out)
			if err != nil {
				return err
			}
			old := filepath.Join(t.TempDir(), "old")
			for _, do := range []error{
				os.CopyFS(old, os.DirFS(night)), os.Remove(filepath.Join(old, ".night.json")),
				os.CopyFS(filepath.Join(old, cache.Folder), os.DirFS(filepath.Join(c.Out, cache.Folder))),
				os.WriteFile(filepath.Join(old, "forgotten.json"), fileOf(t, filepath.Join(c.Out, "forgotten.json")), 0o644),
				os.WriteFile(filepath.Join(old, table.MarkFile), fileOf(t, filepath.Join(c.Out, table.MarkFile)), 0o644),
				os.RemoveAll(c.Out), os.Rename(old, c.Out),
			} {
				if do != nil {
					return do
				}
			}
			tabletest.Earlier(t, c.Out)
			write(filepath.Join(books, "upgrade.txt"), fmt.Appendf(nil, "The book of upgrade %d says that the sea has no clerk.\n", n))
			return good()
		}},
		{"two runs at once", false, func(int) error {
			_, release, err := engine.Lock(t.Context(), c.Out)
			if err != nil {
				return err
			}
			if err := good(); !errors.Is(err, engine.ErrLocked) {
				return fmt.Errorf("two at once: %v", err)
			}
			release()
			return good()
		}},
	}
	var sizes []int64
	t.Log("| night | what happened | run.json says | readers get | ranking | MB on disk |")
	for n := range 60 {
		kind := kinds[n%len(kinds)]
		before := pipelinetest.Snapshot(t, c.Out)
		err := kind.night(n)
		if (err != nil) != kind.refused {
			t.Errorf("night %d, %s: %v", n, kind.name, err)
		}
		if err := readThrough(t.Context(), c.Out); err != nil {
			t.Errorf("night %d, %s: %v", n, kind.name, err)
		}
		if kind.refused {
			if d := pipelinetest.Differing(before, pipelinetest.Snapshot(t, c.Out)); len(d) > 0 {
				t.Errorf("night %d, %s: readers get others of %d files, such as %s", n, kind.name, len(d), d[0])
			}
		}
		ranking := "yesterday's"
		if !kind.refused {
			pipelinetest.SameAsAFullBuild(t, c)
			if len(pipelinetest.Differing(before, pipelinetest.Snapshot(t, c.Out))) > 0 {
				ranking = "right"
			}
		}
		if n%len(kinds) == len(kinds)-1 { // after a good night
			sizes = append(sizes, disk(t, c.Out))
		}
		r, err := engine.ReadRun(t.Context(), c.Out)
		want := map[bool]string{false: engine.RunDone, true: engine.RunFailed}[kind.refused]
		if kind.name == "killed" || kind.name == "the disk is full" { // run.json could not be written either
			want = engine.RunRunning
		}
		if err != nil || r.Status != want {
			t.Errorf("night %d, %s: run.json says %+v (%v)", n, kind.name, r, err)
			continue
		}
		kept, err := table.KeptNights(t.Context(), c.Out)
		if err != nil || len(kept) == 0 {
			t.Errorf("night %d, %s: %v (%v)", n, kind.name, kept, err)
			continue
		}
		at := slices.IndexFunc(kept, func(k table.Kept) bool { return k.Current })
		said := r.Status
		if r.Error != "" {
			said += ": " + strings.ReplaceAll(r.Error[:min(60, len(r.Error))], "|", "/")
		}
		t.Logf("| %d | %s | %s | version %d | %s | %.2f |", n, kind.name, said, kept[at].Number, ranking, float64(disk(t, c.Out))/1e6)
	}
	t.Logf("bytes on disk after every %d nights: %d", len(kinds), sizes)
	// After two rounds every folder of a night is in use.
	if last, first := sizes[len(sizes)-1], sizes[1]; last > first+first/10 {
		t.Errorf("the disk is not flat: %d", sizes)
	}
}

// library is the library of a year, for a process that builds it.
type library struct {
	Out, Folder, List string
	DiesAt            int64 // call of the file system at which the process dies
}

// configure makes a small config that of the library.
func (l library) configure(c *config.Config) {
	c.Guard, c.MaxRejectFraction = config.Default().Guard, 0.5
	c.Guard.Passages, c.Guard.Alignments = 0.5, 0.5 // of few books
	c.Out, c.Quotes[0].Path = l.Out, l.List
	for i, folder := range []string{"books", "essays"} {
		c.Sources[i].Files = []string{filepath.Join(l.Folder, folder)}
	}
}

// dyingVariable holds the library of a process that is to be killed.
const dyingVariable = "COMMONPLACE_DYING_NIGHT"

// killedNight builds a library in a process of its own, which is killed by kill -9.
func killedNight(t *testing.T, l library, diesAt int64) error {
	t.Helper()
	l.DiesAt = diesAt
	c := exec.Command(os.Args[0], "-test.run=^TestDyingNight$")
	c.Env = append(os.Environ(), dyingVariable+"="+string(storage.MustJSON(l)), "TMPDIR="+t.TempDir())
	output, err := c.CombinedOutput()
	if status, ok := c.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() || status.Signal() != syscall.SIGKILL {
		t.Fatalf("it should have been killed at call %d: %v\n%s", diesAt, err, output)
	}
	return err
}

// TestDyingNight is the process of killedNight.
func TestDyingNight(t *testing.T) {
	given := os.Getenv(dyingVariable)
	if given == "" {
		t.Skip("it is the process that TestAYearOfNights kills")
	}
	var l library
	if err := json.Unmarshal([]byte(given), &l); err != nil {
		t.Fatal(err)
	}
	c, _ := small(t)
	l.configure(c)
	faultBelow(t, func(call int64, _ bool) error {
		if call == l.DiesAt {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return nil
	})
	t.Error(pipelinetest.TryBuild(c))
}

// disk is how much a folder holds, a file of several names once.
func disk(t *testing.T, dir string) (bytes int64) {
	t.Helper()
	seen := map[any]bool{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if id := info.Sys().(*syscall.Stat_t).Ino; !seen[id] {
			seen[id] = true
			bytes += info.Size()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}
