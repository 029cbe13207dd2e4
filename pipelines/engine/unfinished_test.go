package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/table"
)

// skewed is the demonstration with one book of a thousand times the length of
// twenty others.
func skewed(t *testing.T) *config.Config {
	t.Helper()
	c := pipelinetest.Demo(t)
	c.Shards, c.Sources, c.Runner.Name = 12, c.Sources[:1], config.GoroutineRunner
	folder := t.TempDir()
	c.Sources[0].Files = []string{folder}
	line := "The tide keeps its own accounts, and nobody audits the sea. "
	for i := range 20 {
		if err := os.WriteFile(filepath.Join(folder, "short"+string(rune('a'+i))+".txt"), []byte(strings.Repeat(line, 5)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var long strings.Builder
	random := rand.New(rand.NewPCG(12, 1)) // files are compressed: what repeats itself is short
	for range 5000 {
		fmt.Fprintf(&long, "%s%x\n\n", line, random.Uint64())
	}
	if err := os.WriteFile(filepath.Join(folder, "long.txt"), []byte(long.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return c
}

// The shard with a document that is far longer than others is begun first, and
// status says that the others wait for it.
func TestTheLongestShardIsBegunFirst(t *testing.T) {
	c := skewed(t)
	long := table.ShardOf("long", c.Shards)
	for _, stage := range []string{"crawl", "segment"} {
		if err := engine.Build(context.Background(), engine.Request{Config: c, Stages: []string{stage}}); err != nil {
			t.Fatal(err)
		}
	}
	planned, err := engine.PlanNamed(t.Context(), c, "score")
	if err != nil {
		t.Fatal(err)
	}
	stale := planned.Stale()
	if len(stale) != c.Shards || stale[0].Shard != long {
		t.Errorf("shard %d of %d is begun first, want %d", stale[0].Shard, len(stale), long)
	}

	// Killed while the long one was being scored, and two others were not begun.
	records := filepath.Join(c.Out, "records/passages")
	waiting := []int{long, (long + 1) % c.Shards, (long + 2) % c.Shards}
	for _, k := range waiting {
		name := table.ShardName(k, c.Shards)
		if err := os.Remove(filepath.Join(records, strings.TrimSuffix(name, ".parquet")+".json")); err != nil {
			t.Fatal(err)
		}
	}
	temp := filepath.Join(c.Out, "passages", "."+table.ShardName(long, c.Shards)+".0123456789ab.tmp")
	if err := errors.Join(os.WriteFile(temp, nil, 0o644), os.Remove(filepath.Join(c.Out, "records/passages/_commit.json"))); err != nil {
		t.Fatal(err)
	}
	u, err := engine.LookUnfinished(t.Context(), c.Out, "passages")
	if err != nil {
		t.Fatal(err)
	}
	var shards []int
	for _, w := range u.At {
		shards = append(shards, w.Shard)
	}
	slices.Sort(waiting)
	if u.Made != c.Shards-3 || u.Of != c.Shards || shards[0] != long || !u.At[0].Begun || u.At[1].Begun || u.At[0].Median < 2 || !slices.Equal(slices.Sorted(slices.Values(shards)), waiting) {
		t.Errorf("it says %+v", u)
	}
}
