package ranking

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/sorting"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// The scores are put in order before the first task runs, and once: workers in
// processes of their own find the file there. One that is damaged is made again.
func TestTheOrderIsMadeOnce(t *testing.T) {
	c := pipelinetest.Demo(t)
	c.Runner.Parallelism = 1
	pipelinetest.Build(t, c)
	want := pipelinetest.Snapshot(t, c.Out)
	var files []os.FileInfo
	for _, damaged := range []bool{false, true} {
		files = nil
		around := func(ctx context.Context, task engine.Task, work engine.MakeFunc) (table.TaskRecord, error) {
			if task.Stage == "rank" {
				found, err := filepath.Glob(filepath.Join(c.Out, cache.Folder, "order-*"))
				if err != nil || len(found) != 1 {
					t.Fatalf("a task runs, and the order is in %v, %v", found, err)
				}
				if damaged && files == nil {
					b, err := os.ReadFile(found[0])
					if err != nil {
						t.Fatal(err)
					}
					b[len(b)/2] ^= 1
					if err := os.WriteFile(found[0], b, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				defer func() {
					if info, err := os.Stat(found[0]); err == nil {
						files = append(files, info)
					}
				}()
				alone, end := worker.Begin(ctx) // as in another process
				defer end()
				ctx = alone
			}
			return work(ctx, task)
		}
		for _, of := range []string{"rankings", "rejects/rank"} {
			if err := os.RemoveAll(filepath.Join(c.Out, of)); err != nil {
				t.Fatal(err)
			}
		}
		if err := engine.Build(t.Context(), engine.Request{Config: c, Around: around}); err != nil {
			t.Fatal(err)
		}
		if len(files) != c.Shards {
			t.Fatalf("%d tasks of %d found the order", len(files), c.Shards)
		}
		for _, f := range files {
			if !os.SameFile(f, files[0]) {
				t.Error("it was made by more than one")
			}
		}
		if d := pipelinetest.Differing(want, pipelinetest.Snapshot(t, c.Out)); len(d) > 0 {
			t.Errorf("damaged %v: other bytes in %s", damaged, d)
		}
	}
}

// What the sorter of scores cannot write is the storage's affair, which the user
// is reported with the status of one.
func TestTheOrdersTemporaryFiles(t *testing.T) {
	c := pipelinetest.Demo(t)
	c.Shards = 1
	pipelinetest.Build(t, c)
	held := sorting.HeldBytes
	sorting.HeldBytes = 64
	t.Cleanup(func() { sorting.HeldBytes = held })
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "gone"))
	shard := filepath.Join(c.Out, "scores", table.ShardName(0, 1))
	if err := makeOrder(t.Context(), filepath.Join(t.TempDir(), "order"), scoresOf(t.Context(), []string{shard})); !errors.Is(err, storage.ErrRefused) {
		t.Errorf("%v", err)
	}
}

// Documents take turns in rank_balanced: of each passage it is one more than the
// passages that are better placed in their documents, or as well and score higher.
func TestBalancedRanks(t *testing.T) {
	c := pipelinetest.Demo(t)
	pipelinetest.Build(t, c)
	rows := pipelinetest.Rows(t, c, table.Rankings)
	others := 0
	for _, r := range rows {
		want := int64(1)
		for _, o := range rows {
			if o.RankInDocument < r.RankInDocument || o.RankInDocument == r.RankInDocument && o.Score > r.Score {
				want++
			}
		}
		if r.RankBalanced != want {
			t.Errorf("%s has the balanced rank %d, want %d", r.PassageID, r.RankBalanced, want)
		}
		if r.RankBalanced != r.RankOverall {
			others++
		}
	}
	if others == 0 {
		t.Error("the two orders are the same: the test shows nothing")
	}
}
