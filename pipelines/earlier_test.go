package pipelines

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/pipelines/ranking"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/storage/storagetest"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/tabletest"
)

// changes are what diff says of a run.
func changes(t *testing.T, out string) []ranking.Change {
	t.Helper()
	night, err := table.Current(t.Context(), out)
	if err != nil {
		t.Fatal(err)
	}
	var all []ranking.Change
	for c, err := range ranking.Diff(t.Context(), night, "") {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all
}

// A run whose tables' folders hold their records, and whose rankings lie in versions, is
// read as it is. The next build makes nothing again and lays all of it out as today,
// and an earlier version can be gone back to.
func TestTheLayoutOfVersion010(t *testing.T) {
	c, folder := small(t)
	pipelinetest.Build(t, c)
	bookOf(t, folder, "new.txt")
	pipelinetest.Build(t, c)
	want, changed := pipelinetest.Snapshot(t, c.Out), changes(t, c.Out)
	kept, err := table.KeptNights(t.Context(), c.Out)
	if err != nil || len(kept) != 2 {
		t.Fatalf("%d versions, %v", len(kept), err)
	}
	flat := pipelinetest.Into(c, filepath.Join(t.TempDir(), "flat")) // of version 0.1.0
	for _, err := range []error{
		os.CopyFS(flat.Out, os.DirFS(kept[0].Dir)), os.Remove(filepath.Join(flat.Out, ".night.json")),
		os.CopyFS(filepath.Join(flat.Out, "cache"), os.DirFS(filepath.Join(c.Out, "cache"))),
		os.WriteFile(filepath.Join(flat.Out, table.MarkFile), want[table.MarkFile], 0o644),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	tabletest.Earlier(t, flat.Out)
	for _, k := range kept {
		tabletest.EarlierNight(t, k.Dir)
	}
	if err := os.Remove(filepath.Join(c.Out, "records")); err != nil {
		t.Fatal(err)
	}
	// The rankings of the version before, as that release kept them.
	version := strings.Repeat("0", 16)
	before := strings.Repeat("1", 16)
	for _, err := range []error{
		os.CopyFS(filepath.Join(flat.Out, "rankings", before), os.DirFS(filepath.Join(kept[1].Dir, "rankings", version))),
		os.Symlink(before, filepath.Join(flat.Out, "rankings", "previous")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	record := filepath.Join(flat.Out, "rankings", before, "_commit.json")
	if err := os.WriteFile(record, []byte(strings.Replace(string(fileOf(t, record)), version, before, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	inBucket := inABucket(t, flat)
	for name, c := range map[string]*config.Config{"versions": c, "0.1.0": flat, "0.1.0 in a bucket": inBucket} {
		if now := changes(t, c.Out); !reflect.DeepEqual(now, changed) {
			t.Errorf("%s: diff says %d changes, and said %d", name, len(now), len(changed))
		}
		before, err := table.Current(t.Context(), c.Out)
		if err != nil {
			t.Fatal(err)
		}
		verified(t, before)
		if err := readVersion(t.Context(), c.Out); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		status, err := engine.Look(t.Context(), c.Out, c)
		if err != nil || !status.Whole {
			t.Errorf("%s: status is %+v, %v", name, status, err)
		}
		lines, err := engine.Plan(t.Context(), engine.Request{Config: c})
		for _, line := range lines {
			if !strings.HasSuffix(line, "skip, fresh") {
				t.Errorf("%s: the plan says %s", name, line)
			}
		}
		if err != nil {
			t.Error(err)
		}
		for _, r := range pipelinetest.Stages(t, c) {
			if !r.Fresh {
				t.Errorf("%s: %s made %d shards", name, r.Stage, r.Stale)
			}
		}
		night, err := table.Current(t.Context(), c.Out)
		if err != nil {
			t.Fatal(err)
		}
		verified(t, night)
		if c == inBucket {
			root, err := storage.List(t.Context(), c.Out)
			if want := []string{table.MarkFile, ".current", ".nights", "cache", "run.json"}; err != nil || !slices.Equal(root, want) {
				t.Errorf("the bucket has %v (%v), want %v", root, err, want)
			}
		} else if d := pipelinetest.Differing(want, pipelinetest.Snapshot(t, c.Out)); len(d) > 0 {
			t.Errorf("%s: after a build %s are others", name, d)
		}
		for _, tab := range table.All() { // by the folder alone
			name := tab.Describe().Name
			files, err := storage.List(t.Context(), table.Dir(night, name))
			for _, file := range files {
				if _, _, ok := table.ParseShardName(file); !ok && name != table.Rejects.Name {
					t.Errorf("%s holds %s", name, file)
				}
			}
			if err != nil {
				t.Error(err)
			}
		}
	}
	if now := changes(t, c.Out); !reflect.DeepEqual(now, changed) {
		t.Errorf("after the upgrade diff says %d changes, and said %d", len(now), len(changed))
	}
	if _, err := engine.Rollback(t.Context(), c.Out, kept[1].Number); err != nil {
		t.Fatal(err)
	}
	verified(t, c.Out)
	if _, err := engine.Pin(t.Context(), c.Out, false); err != nil {
		t.Fatal(err)
	}
	pipelinetest.Build(t, c)
	if d := pipelinetest.Differing(want, pipelinetest.Snapshot(t, c.Out)); len(d) > 0 {
		t.Errorf("after a rollback and a build %s are others", d)
	}
}

// inABucket is a copy of a run in a bucket, where links are objects with a name in them.
func inABucket(t *testing.T, c *config.Config) *config.Config {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	bucket := storagetest.NewBucket(t, "memory")
	copied := pipelinetest.Into(c, "memory://library/run")
	err := filepath.WalkDir(c.Out, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(c.Out, path)
		if err != nil {
			return err
		}
		b, err := []byte(nil), error(nil)
		if d.Type()&fs.ModeSymlink != 0 {
			to, failed := os.Readlink(path)
			b, err = []byte(to), failed
		} else {
			b, err = os.ReadFile(path)
		}
		bucket.Objects[copied.Out+"/"+filepath.ToSlash(rel)] = b
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return copied
}

// A build that was killed while it worked, by a program of the earlier layout, is begun
// anew: nothing is written into its folder.
func TestAKilledBuildOfTheEarlierLayout(t *testing.T) {
	c, folder := small(t)
	pipelinetest.Build(t, c)
	bookOf(t, folder, "new.txt")
	if err := engine.Build(t.Context(), engine.Request{Config: c, Stages: []string{"crawl", "segment"}}); err != nil {
		t.Fatal(err)
	}
	working, err := table.Working(t.Context(), c.Out)
	if err != nil {
		t.Fatal(err)
	}
	current, err := table.Current(t.Context(), c.Out)
	if err != nil || working == current {
		t.Fatalf("no build works in %s: %v", working, err)
	}
	tabletest.EarlierNight(t, working)
	tabletest.EarlierNight(t, current)
	if err := os.Remove(filepath.Join(c.Out, "records")); err != nil {
		t.Fatal(err)
	}
	pipelinetest.Build(t, c)
	verified(t, c.Out)
	pipelinetest.SameAsAFullBuild(t, c)
}
