package pipelines

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/inspect"
	"github.com/commonplace/commonplace/table/verify"
)

// The tables are the same to the last byte whatever runs the tasks, however many
// at once: shards, rejects, records of tasks and commits.
func TestTablesDoNotDependOnTheRunner(t *testing.T) {
	var first map[string][]byte
	var stages []engine.StageReport
	for _, runner := range []string{config.EmbeddedRunner, "direct"} {
		for _, parallelism := range []int{1, 2, 8} {
			c := pipelinetest.Demo(t)
			c.Runner.Name, c.Runner.Parallelism = runner, parallelism
			stages = pipelinetest.Stages(t, c)
			now := pipelinetest.Snapshot(t, c.Out)
			if first == nil {
				first = now
				continue
			}
			if d := pipelinetest.Differing(first, now); len(d) > 0 {
				t.Errorf("%s, %d at once: other bytes than embedded, 1 at once, in %s", runner, parallelism, d)
			}
		}
	}
	tasks := 0
	for _, s := range stages {
		tasks += s.Tasks
	}
	if want := 3*tasks + len(stages) + 3; len(first) != want { // shards, records and rejects, commits, settings, mark, guard
		t.Errorf("%d files, want %d", len(first), want)
	}
}

// What a run leaves is tables, records, settings and the lock: nothing temporary.
func TestNothingIsLeftBehind(t *testing.T) {
	c := pipelinetest.Demo(t)
	books := pipelinetest.Copied(t, c)
	pipelinetest.Build(t, c)
	if err := os.Remove(filepath.Join(books, "weathers.txt")); err != nil {
		t.Fatal(err)
	}
	pipelinetest.Build(t, c)
	c.Shards = 2
	stages := pipelinetest.Stages(t, c)
	night, err := table.Current(t.Context(), c.Out)
	if err != nil {
		t.Fatal(err)
	}
	expected := map[string]bool{"settings.json": true, ".night.json": true, "guard.json": true}
	folders := map[string]bool{".": true, "rejects": true, "records": true}
	names := []string{".current", ".lock", ".nights", table.MarkFile, cache.Folder, "guard.json", "records", "rejects", engine.RunFile, "settings.json"} // of the run's folder
	for _, s := range stages {
		commit, err := table.ReadCommit(t.Context(), storage.Default, c.Out, s.Table)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, s.Table)
		folders[s.Table], folders["records/"+s.Table], folders["rejects/"+s.Stage] = true, true, true
		expected["records/"+s.Table+"/_commit.json"] = true
		for _, shard := range commit.Shards {
			expected[s.Table+"/"+shard.File] = true
			expected["records/"+s.Table+"/"+strings.TrimSuffix(shard.File, ".parquet")+".json"] = true
			expected["rejects/"+s.Stage+"/"+shard.File] = true
		}
	}
	slices.Sort(names)
	if there, err := storage.List(t.Context(), c.Out); err != nil || !slices.Equal(there, slices.Compact(names)) {
		t.Errorf("the run's folder has %v, want %v (%v)", there, names, err)
	}
	index := map[string]int{}
	cached, err := storage.List(t.Context(), filepath.Join(c.Out, cache.Folder))
	for _, name := range cached {
		kind, _, _ := strings.Cut(name, "-")
		index[kind]++
	}
	if err != nil {
		t.Error(err)
	}
	err = fs.WalkDir(os.DirFS(night), ".", func(path string, d fs.DirEntry, err error) error {
		if d.IsDir() && !folders[path] || !d.IsDir() && !expected[path] {
			t.Errorf("%s is left behind", path)
		}
		delete(expected, path)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	for path := range expected {
		t.Errorf("%s is missing", path)
	}
	if want := map[string]int{"counts": 1, "part": 1, "finds": 1, "matches": 1, "works": 1, "sketches": 2, "groups": 1, "stretches": 2, "scored": 2}; !maps.Equal(index, want) { // of the last collection
		t.Errorf("the index has %v, want %v", index, want)
	}
}

// For every stage of the demonstration: what came in was taken or rejected, and
// the table says so.
func TestInIsOutAndRejected(t *testing.T) {
	c := pipelinetest.Demo(t)
	books := pipelinetest.Copied(t, c)
	for name, content := range map[string]string{"empty.txt": "", "blank.txt": " \n", "weathers.txt.gz": "no gzip", "cut.txt.gz": "\x1f\x8b\x08"} {
		if err := os.WriteFile(filepath.Join(books, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c.MaxRejectFraction = 1
	for _, s := range pipelinetest.Stages(t, c) {
		commit, err := table.ReadCommit(t.Context(), storage.Default, c.Out, s.Table)
		if err != nil {
			t.Fatal(err)
		}
		in := commit.In[s.Unit]
		if in == 0 && s.Stage != "match" || in != commit.Counts["taken"]+commit.Rejected {
			t.Errorf("%s: %d %s in, %d taken, %d rejected", s.Stage, in, s.Unit, commit.Counts["taken"], commit.Rejected)
		}
		rows, rejects := int64(0), int64(0)
		for range inspect.Rows(t.Context(), storage.Default, c.Out, s.Table, inspect.Selection{}) {
			rows++
		}
		for row, err := range inspect.Rows(t.Context(), storage.Default, c.Out, "rejects", inspect.Selection{}) {
			if err != nil {
				t.Fatal(err)
			}
			if row.Get("stage") == s.Stage {
				rejects++
			}
		}
		if rows != commit.Rows || rejects != commit.Rejected {
			t.Errorf("%s: %d rows and %d rejects, the commit record says %d and %d", s.Stage, rows, rejects, commit.Rows, commit.Rejected)
		}
		// Beam's committed counters of this run say the same.
		got := fmt.Sprint(s.Counters[s.Unit], s.Counters[s.Table], s.Counters["rejects"])
		want := fmt.Sprint(in, commit.Rows, commit.Rejected)
		if s.Unit == s.Table { // one counter for both
			got, want = fmt.Sprint(s.Counters[s.Unit]), fmt.Sprint(in+commit.Rows)
		}
		if got != want {
			t.Errorf("%s: counters say %s, the commit record %s", s.Stage, got, want)
		}
	}
	if c, _ := table.ReadCommit(t.Context(), storage.Default, c.Out, "documents"); c.In["inputs"] != 10 || c.Rejected != 4 {
		t.Errorf("of 10 files %d came in and %d were rejected, want 4", c.In["inputs"], c.Rejected)
	}
}

// A new book rebuilds the shards in which it is, and no others.
func TestABookTouchesItsShardsOnly(t *testing.T) {
	c := pipelinetest.Demo(t)
	c.Shards = 8
	books := pipelinetest.Copied(t, c)
	pipelinetest.Build(t, c)
	before := pipelinetest.Snapshot(t, c.Out)
	content := "A short book. It is a truth that nobody has quoted yet, and few will.\n"
	if err := os.WriteFile(filepath.Join(books, "new.txt"), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	reports := pipelinetest.Build(t, c)
	for _, name := range []string{"crawl", "segment", "score"} {
		if r := reports[name]; r.Stale != 1 || r.Tasks != 8 {
			t.Errorf("%s made %d of %d shards, want 1 of 8", name, r.Stale, r.Tasks)
		}
	}
	if !reports["quotes"].Fresh {
		t.Error("the list was read again")
	}
	collected := []string{"matches", "alignments", "works", "groups", "examples", "quote_counts", "rankings"}
	own := table.ShardName(table.ShardOf("new", 8), 8)
	for _, name := range pipelinetest.Differing(before, pipelinetest.Snapshot(t, c.Out)) {
		base := filepath.Base(name)
		switch {
		case base == "_commit.json", name == "guard.json": // they count
		case slices.Contains(collected, strings.Split(strings.TrimPrefix(name, "records/"), "/")[0]): // a rank depends on every score, a find on how rare its words are in the collection
		case strings.TrimSuffix(base, filepath.Ext(base)) == strings.TrimSuffix(own, ".parquet"):
		default:
			t.Errorf("%s is another", name)
		}
	}
	// And it is what a run from nothing makes.
	after := pipelinetest.Snapshot(t, c.Out)
	c.Out = filepath.Join(t.TempDir(), "anew")
	pipelinetest.Build(t, c)
	if d := pipelinetest.Differing(after, pipelinetest.Snapshot(t, c.Out)); len(d) > 0 {
		t.Errorf("a build from nothing gives other bytes: %s", d)
	}
	// Taken away again, everything is as it was.
	if err := os.Remove(filepath.Join(books, "new.txt")); err != nil {
		t.Fatal(err)
	}
	pipelinetest.Build(t, c)
	if d := pipelinetest.Differing(before, pipelinetest.Snapshot(t, c.Out)); len(d) > 0 {
		t.Errorf("without the book again, other bytes than before it: %s", d)
	}
}

// Chunks overlap where they are asked to, and nothing else does.
func TestChunksThatOverlapAreVerified(t *testing.T) {
	c := pipelinetest.Demo(t)
	c.Segment.By, c.Runner.Name = "chunks:300/80", config.GoroutineRunner
	pipelinetest.Build(t, c)
	sum, err := verify.Tables(t.Context(), storage.Default, c.Out, func(p verify.Problem) { t.Error(p) })
	if err != nil || sum.Rows == 0 {
		t.Errorf("%+v, %v", sum, err)
	}
}
