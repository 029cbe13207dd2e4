package ingest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// liveHeap is what is held when nothing that could go is there any more.
func liveHeap() int64 {
	runtime.GC()
	runtime.GC() // what the first one finalised
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Documents are named before they are read, and their names travel to the tasks.
// What is held of that when the tasks begin does not follow their number, so that a
// million of them fit beside everything else.
func TestNamesOfDocumentsAreNotHeld(t *testing.T) {
	const documents, most = 20_000, 500
	dir := t.TempDir()
	list, err := os.Create(filepath.Join(dir, "list.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(list)
	for i := range documents {
		fmt.Fprintf(w, "{\"id\": \"document-%06d\", \"text\": \"It was a dark and stormy night.\"}\n", i)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := list.Close(); err != nil {
		t.Fatal(err)
	}
	c := config.Default()
	c.Out = filepath.Join(dir, "tables")
	s := config.NewSource(config.KindFiles)
	s.Name, s.Files = "list", []string{list.Name()}
	c.Sources = []config.Source{s}

	before, held := liveHeap(), int64(0)
	around := func(ctx context.Context, task engine.Task, work engine.MakeFunc) (table.TaskRecord, error) {
		if held == 0 {
			held = liveHeap() - before
		}
		return work(ctx, task)
	}
	c.Runner.Parallelism = 1 // one task at once: nobody else is working when it is measured
	if err := engine.Build(context.Background(), engine.Request{Config: &c, Stages: []string{"crawl"}, Around: around}); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes a document", held/documents)
	if held > documents*most {
		t.Errorf("when the first task begins, %d bytes are held for each of %d documents, want %d at most", held/documents, documents, most)
	}
}

// Documents of one id, from however many files, get a row each up to the limit, and
// one row that counts the others. A list that breaks off gives nothing of what came before.
// What is not held is not counted: a list may name more than limits.memory.
func TestTwinsBeyondTheLimit(t *testing.T) {
	dir := t.TempDir()
	line := "{\"id\": \"a\", \"text\": \"It was a dark and stormy night.\"}\n"
	broken := strings.Repeat("no JSON\n", 5)
	for name, text := range map[string]string{
		"1.jsonl": line + line + "{\"id\": \"b\", \"text\": \"And so to bed.\"}\n", "2.jsonl": line + line + line + broken,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := gzipped([]byte(strings.Repeat(line+broken, 100)))
	if err := os.WriteFile(filepath.Join(dir, "3.jsonl.gz"), b[:len(b)-6], 0o600); err != nil {
		t.Fatal(err)
	}
	c := config.Default()
	c.Out, c.Shards, c.MaxRejectFraction = filepath.Join(dir, "tables"), 3, 1
	s := config.NewSource(config.KindFiles)
	s.Name, s.Files = "lists", []string{filepath.Join(dir, "*.jsonl*")}
	c.Sources = []config.Source{s}
	c.Limits.Rejects, c.Limits.Memory = 2, 1
	c.Limit()
	if err := engine.Build(t.Context(), engine.Request{Config: &c, Stages: []string{"crawl"}}); err != nil {
		t.Fatal(err)
	}
	commit, err := table.ReadCommit(t.Context(), storage.Default, c.Out, "documents")
	if err != nil {
		t.Fatal(err)
	}
	// Two documents; four twins, five broken lines, one list that breaks off.
	if in := commit.In["inputs"]; in != 12 || commit.Rows != 2 || commit.Rejected != 10 || commit.Untold != 1+2 {
		t.Errorf("%d in, %d rows, %d rejected, %d of them untold", in, commit.Rows, commit.Rejected, commit.Untold)
	}
	reasons := map[string]int{}
	for _, r := range commit.Rejects {
		for row, err := range table.Rejects.Rows(t.Context(), filepath.Join(table.RejectsDir(c.Out, "crawl"), r.File)) {
			if err != nil {
				t.Fatal(err)
			}
			if row.Reason == files.ReasonDuplicate && row.ID != "a" {
				t.Errorf("%+v", row)
			}
			reasons[row.Reason]++
		}
	}
	if want := map[string]int{files.ReasonDuplicate: 3, files.ReasonBrokenLine: 3, files.ReasonGzip: 1}; !maps.Equal(reasons, want) {
		t.Errorf("%v, want %v", reasons, want)
	}
}

// A task that is killed between its shard and its record leaves no record that
// vouches for the shard, not even one of the same size.
func TestTheOldRecordGoesBeforeTheNewShard(t *testing.T) {
	c := pipelinetest.Demo(t)
	books := pipelinetest.Copied(t, c)
	pipelinetest.Build(t, c)
	path := filepath.Join(books, "weathers.txt")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(raw, []byte("robin"), []byte("raven"), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	tasks, _ := crawlTasks(t, c)
	task := tasks[table.ShardOf("weathers", c.Shards)]
	// The rejects are written between the shard and the record: where they cannot
	// be, the task dies there.
	dir := table.RejectsDir(c.Out, "crawl")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := (Crawl{}).Make(context.Background(), task); err == nil {
		t.Fatal("the task did not die")
	}
	if _, err := os.Stat(filepath.Join(c.Out, "records/documents", strings.TrimSuffix(table.ShardName(task.Shard, task.Of), ".parquet")+".json")); err == nil {
		t.Error("the record of the old shard is still there")
	}
}
