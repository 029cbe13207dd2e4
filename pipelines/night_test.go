package pipelines

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/tabletest"
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
// version 0.1.0 over, whose tables lie in the run's folder, and with one whose versions
// are laid out as that release did it.
func TestKilledNights(t *testing.T) {
	c, folder := small(t)
	if err := pipelinetest.TryBuild(c); err != nil {
		t.Fatal(err)
	}
	mark := fileOf(t, filepath.Join(c.Out, table.MarkFile))
	first, err := table.Current(t.Context(), c.Out)
	if err != nil {
		t.Fatal(err)
	}
	bookOf(t, folder, "salt.txt")
	full := pipelinetest.Into(c, filepath.Join(t.TempDir(), "full"))
	if err := pipelinetest.TryBuild(full); err != nil {
		t.Fatal(err)
	}
	want := pipelinetest.Snapshot(t, full.Out)
	flat := func(out string) error { // as version 0.1.0 had it
		err := errors.Join(os.CopyFS(out, os.DirFS(first)), os.Remove(filepath.Join(out, ".night.json")), os.WriteFile(filepath.Join(out, table.MarkFile), mark, 0o644))
		if err == nil {
			tabletest.Earlier(t, out)
		}
		return err
	}
	earlier := func(out string) error { // as a build between that version and this one had it
		err := errors.Join(os.CopyFS(out, os.DirFS(c.Out)), os.Remove(filepath.Join(out, "records")))
		if err == nil {
			tabletest.EarlierNight(t, filepath.Join(out, strings.TrimPrefix(first, c.Out)))
		}
		return err
	}
	for name, copied := range map[string]func(out string) error{
		"of this version":                func(out string) error { return os.CopyFS(out, os.DirFS(c.Out)) },
		"of version 0.1.0":               flat,
		"of the layout of version 0.1.0": earlier,
	} {
		t.Run(name, func(t *testing.T) {
			once := filepath.Join(t.TempDir(), "before")
			if err := copied(once); err != nil {
				t.Fatal(err)
			}
			before := pipelinetest.Snapshot(t, once)
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
					name := tab.Describe().Name
					of := func(run string) int {
						shards, err := filepath.Glob(filepath.Join(run, name, "*.parquet"))
						versioned, also := filepath.Glob(filepath.Join(run, name, "current", "*.parquet")) // of rankings, before the upgrade
						if err != nil || also != nil {
							t.Fatal(err, also)
						}
						return len(shards) + len(versioned)
					}
					if of(out) < of(c.Out) {
						t.Errorf("killed at call %d of %d: %d shards of %s", n, calls, of(out), name)
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
