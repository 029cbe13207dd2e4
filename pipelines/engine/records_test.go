package engine_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
)

// distant is a file system that answers late, as a bucket does, and counts how
// many records are read at once.
type distant struct {
	storage.FileSystem
	now, most atomic.Int64
}

func (d *distant) Open(ctx context.Context, path string) (storage.ReadableFile, error) {
	if strings.Contains(path, "/records/") {
		now := d.now.Add(1)
		defer d.now.Add(-1)
		for most := d.most.Load(); now > most && !d.most.CompareAndSwap(most, now); most = d.most.Load() {
		}
		time.Sleep(5 * time.Millisecond)
	}
	return d.FileSystem.Open(ctx, path)
}

// The records of shards that are there are read some at once, for the plan and
// for the commit, and not all at once.
func TestRecordsAreReadSomeAtOnce(t *testing.T) {
	c := pipelinetest.Demo(t)
	c.Shards, c.Runner.Name = 12, config.GoroutineRunner
	if err := engine.Build(t.Context(), engine.Request{Config: c, Stages: []string{"crawl"}}); err != nil {
		t.Fatal(err)
	}
	far := &distant{FileSystem: storage.Local}
	storage.Local = far
	t.Cleanup(func() { storage.Local = far.FileSystem })
	pl, err := engine.PlanNamed(t.Context(), c, "crawl")
	if err != nil || !pl.Fresh() {
		t.Fatalf("fresh %v, %v", pl.Fresh(), err)
	}
	planned := far.most.Swap(0)
	if err := pl.Commit(t.Context(), 0, nil); err != nil {
		t.Fatal(err)
	}
	for _, most := range []int64{planned, far.most.Load()} {
		if most < 2 || most > 8 {
			t.Errorf("%d records are read at once", most)
		}
	}
}
