package pipelines

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/verify"
)

// bookOf puts a book of the demonstration among a config's books.
func bookOf(t *testing.T, folder, name string) {
	t.Helper()
	text, err := os.ReadFile("../testdata/demo/books/the-salt-ledger.txt")
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "books", name), text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestNightsThatFail lets nights fail in several ways: readers keep every table of the
// night before, which verify finds whole, until a night ends well.
func TestNightsThatFail(t *testing.T) {
	c, folder := small(t)
	c.Guard = config.Default().Guard
	if err := pipelinetest.TryBuild(c); err != nil {
		t.Fatal(err)
	}
	before := pipelinetest.Snapshot(t, c.Out)
	bookOf(t, folder, "new.txt")
	broken := filepath.Join(folder, "books", "broken.txt.gz")
	if err := os.WriteFile(broken, []byte("no gzip"), 0o644); err != nil {
		t.Fatal(err)
	}
	died := errors.New("died")
	for _, night := range []struct {
		what string
		r    engine.Request
	}{
		{"too many rejects", engine.Request{}},
		{"and forced", engine.Request{Force: true}},
		{"one stage", engine.Request{Stages: []string{"crawl"}}},
		{"a stage dies", engine.Request{Config: &config.Config{MaxRejectFraction: 1}, Around: func(ctx context.Context, task engine.Task, work engine.MakeFunc) (table.TaskRecord, error) {
			if task.Stage == "score" {
				return table.TaskRecord{}, died
			}
			return work(ctx, task)
		}}},
	} {
		what, r := night.what, night.r
		now := *c
		if r.Config != nil {
			now.MaxRejectFraction = r.Config.MaxRejectFraction
		}
		r.Config = &now
		if err := engine.Build(t.Context(), r); !errors.Is(err, engine.ErrRejects) && !errors.Is(err, died) {
			t.Errorf("%s: %v", what, err)
		}
		if d := pipelinetest.Differing(before, pipelinetest.Snapshot(t, c.Out)); len(d) > 0 {
			t.Errorf("%s: readers get others of %v", what, d)
		}
		if err := readThrough(t.Context(), c.Out); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := verify.Tables(t.Context(), storage.Default, c.Out, func(p verify.Problem) { t.Errorf("%s: %v", what, p) }); err != nil {
			t.Error(err)
		}
	}
	if err := os.Remove(broken); err != nil {
		t.Fatal(err)
	}
	pipelinetest.Build(t, c)
	pipelinetest.SameAsAFullBuild(t, c)
}

// readThrough reads every table of a run as a reader does who knows nothing of nights,
// and all of them together as our commands do.
func readThrough(ctx context.Context, out string) error {
	for _, t := range table.All() {
		name := t.Describe().Name
		if _, err := table.ReadCommit(ctx, storage.Default, out, name); errors.Is(err, table.ErrNoRecord) {
			if _, err := os.Lstat(filepath.Join(out, name)); err == nil && name != table.Rejects.Name {
				return fmt.Errorf("%s is there and has no commit record", name)
			}
			continue
		} else if err != nil {
			return err
		}
		shards, err := filepath.Glob(filepath.Join(table.Dir(out, name), "*.parquet"))
		if err != nil || len(shards) == 0 {
			return fmt.Errorf("%s has no shards (%v)", name, err)
		}
		for _, path := range shards {
			for _, err := range t.Cells(ctx, storage.Default, path, nil) {
				if err != nil {
					return err
				}
			}
		}
	}
	return readVersion(ctx, out)
}

// readVersion reads all tables of the night that counts, as our commands do.
func readVersion(ctx context.Context, out string) error {
	night, err := table.Current(ctx, out)
	if err != nil {
		return err
	}
	commits, err := table.Whole(ctx, storage.Default, night)
	if err == nil && len(commits) < 8 {
		err = fmt.Errorf("there are %d tables", len(commits))
	}
	if err != nil {
		return err
	}
	for _, c := range commits {
		for i, path := range c.ShardPaths(night) {
			if whole, err := storage.HasSum(ctx, path, c.Shards[i].SHA256); err != nil || !whole {
				return fmt.Errorf("%s is another shard than %s says (%v)", path, c.Table, err)
			}
		}
		for _, s := range c.Rejects {
			path := storage.Join(table.RejectsDir(night, c.Stage), s.File)
			if whole, err := storage.HasSum(ctx, path, s.SHA256); err != nil || !whole {
				return fmt.Errorf("%s is another shard than %s says (%v)", path, c.Table, err)
			}
		}
	}
	return nil
}

// TestReadersThroughNights reads all tables without a pause while nights come and go:
// none is ever absent, none is ever another than the rest.
func TestReadersThroughNights(t *testing.T) {
	c, folder := small(t)
	if err := pipelinetest.TryBuild(c); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var reader sync.WaitGroup
	rounds := 0
	reader.Go(func() {
		for ; ctx.Err() == nil; rounds++ {
			if err := readThrough(ctx, c.Out); err != nil && ctx.Err() == nil {
				t.Errorf("in round %d: %v", rounds, err)
				return
			}
		}
	})
	for i, night := range []func() engine.Request{
		func() engine.Request { bookOf(t, folder, "salt.txt"); return engine.Request{} },
		func() engine.Request { return engine.Request{Force: true} },
		func() engine.Request {
			bookOf(t, folder, "twin.txt")
			return engine.Request{Stages: []string{"crawl", "quotes", "segment", "match", "works", "group", "label", "align", "count", "score", "rank"}}
		},
		func() engine.Request {
			if err := os.Remove(filepath.Join(folder, "books", "salt.txt")); err != nil {
				t.Error(err)
			}
			return engine.Request{}
		},
		func() engine.Request { return engine.Request{Check: true} },
	} {
		r := night()
		r.Config = c
		if err := engine.Build(t.Context(), r); err != nil {
			t.Errorf("night %d: %v", i, err)
		}
	}
	stop()
	reader.Wait()
	t.Logf("%d rounds", rounds)
	pipelinetest.SameAsAFullBuild(t, c)
}

// TestKilledNights ends a night at many of its calls of the storage, none of which works
// from there on: readers get the night before or the new one, and the same command
// gives the bytes of a full build. So it is with the night that takes a folder of
// version 0.1.0 over, whose tables lie in the run's folder.
func TestKilledNights(t *testing.T) {
	c, folder := small(t)
	if err := pipelinetest.TryBuild(c); err != nil {
		t.Fatal(err)
	}
	before := pipelinetest.Snapshot(t, c.Out)
	bookOf(t, folder, "salt.txt")
	full := pipelinetest.Into(c, filepath.Join(t.TempDir(), "full"))
	if err := pipelinetest.TryBuild(full); err != nil {
		t.Fatal(err)
	}
	want := pipelinetest.Snapshot(t, full.Out)
	flat := func(out string) error { // as version 0.1.0 had it
		night, err := table.Current(t.Context(), c.Out)
		if err != nil {
			return err
		}
		return errors.Join(os.CopyFS(out, os.DirFS(night)), os.Remove(filepath.Join(out, ".night.json")),
			os.WriteFile(filepath.Join(out, table.MarkFile), before[table.MarkFile], 0o644))
	}
	for name, copied := range map[string]func(out string) error{
		"of this version":  func(out string) error { return os.CopyFS(out, os.DirFS(c.Out)) },
		"of version 0.1.0": flat,
	} {
		t.Run(name, func(t *testing.T) {
			night := func(fault func(int64, bool) error) (calls int64, out string, err error) {
				if out, err = os.MkdirTemp(t.TempDir(), ""); err == nil {
					err = copied(out)
				}
				if err != nil {
					t.Fatal(err)
				}
				f, lift := faultBelow(t, fault)
				defer lift()
				err = pipelinetest.TryBuild(pipelinetest.Into(c, out))
				return f.calls.Load(), out, err
			}
			calls, _, err := night(nil)
			if err != nil {
				t.Fatal(err)
			}
			tried, was, is := 0, 0, 0
			// Closest among the last calls, in which readers change over.
			var moments []int64
			for n := int64(1); n <= calls; n += map[bool]int64{true: int64(every(60)), false: int64(every(int(calls)))}[n > calls-60] {
				moments = append(moments, n)
			}
			for _, n := range append(moments, calls-30, calls-4) {
				tried++
				_, out, err := night(func(call int64, _ bool) error {
					if call >= n {
						return syscall.EIO
					}
					return nil
				})
				there := pipelinetest.Snapshot(t, out)
				for _, tab := range table.All() { // for readers of globs, too
					dir := table.Dir(c.Out, tab.Describe().Name)
					of := func(run string) int {
						shards, err := filepath.Glob(filepath.Join(run, strings.TrimPrefix(dir, c.Out), "*.parquet"))
						if err != nil {
							t.Fatal(err)
						}
						return len(shards)
					}
					if of(out) < of(c.Out) {
						t.Errorf("killed at call %d of %d: %d shards in %s", n, calls, of(out), dir)
					}
				}
				old, new := pipelinetest.Differing(there, before), pipelinetest.Differing(there, want)
				switch {
				case len(old) == 0:
					was++
				case len(new) == 0:
					is++
				default:
					t.Errorf("killed at call %d of %d (%v): readers get neither the night before, but for %d files such as %s, nor the new one, but for %d such as %s", n, calls, err, len(old), old[0], len(new), new[0])
				}
				if err := pipelinetest.TryBuild(pipelinetest.Into(c, out)); err != nil {
					t.Fatalf("killed at call %d: it is not resumed: %v", n, err)
				}
				if d := pipelinetest.Differing(want, pipelinetest.Snapshot(t, out)); len(d) > 0 {
					t.Errorf("killed at call %d: other bytes than a full build in %s", n, d)
				}
				if err := readThrough(t.Context(), out); err != nil {
					t.Errorf("killed at call %d: %v", n, err)
				}
				os.RemoveAll(out)
			}
			if was == 0 || is == 0 {
				t.Errorf("%d ended before readers changed over and %d after", was, is)
			}
			t.Logf("%d of %d calls: %d ended with the night before, %d with the new one", tried, calls, was, is)
		})
	}
}

// TestAYearOfNights goes through what goes wrong in a year. After each night readers can
// read all, get the ranking of the night before or the right one, and the disk holds no
// more than before.
func TestAYearOfNights(t *testing.T) {
	if !slow {
		t.Skip("takes minutes: set COMMONPLACE_SLOW=1 to run it")
	}
	c, folder := small(t)
	c.Guard, c.MaxRejectFraction = config.Default().Guard, 0.5
	c.Guard.Passages, c.Guard.Alignments = 0.5, 0.5 // of few books
	list := filepath.Join(t.TempDir(), "quotes.jsonl")
	quotes := fileOf(t, c.Quotes[0].Path)
	c.Quotes[0].Path = list
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
			return build(func(call int64, _ bool) error {
				if call > int64(200+17*n) {
					return syscall.EIO
				}
				return nil
			})
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
