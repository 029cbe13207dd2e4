package quotes

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace/align"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/table"
)

// TestMergingsReachOneFile: whatever the number of elements, each file is merged exactly once
// a level, in order, and a few levels leave sixteen files or less.
func TestMergingsReachOneFile(t *testing.T) {
	for _, shards := range []int{1, 2, 17, 100, 1000} {
		c := collection{partBytes: 1}
		for k := range shards {
			c.shards = append(c.shards, table.ShardRecord{SHA256: string(rune(k)), Bytes: countedParts})
		}
		level := c.wordCounts(engine.Task{Out: "run"})
		if len(level) > countedMost || level[0].First != 0 || level[len(level)-1].End != shards {
			t.Errorf("%d shards make %d elements, from %d to %d", shards, len(level), level[0].First, level[len(level)-1].End)
		}
		for i := 1; i < len(level); i++ {
			if level[i].First != level[i-1].End || level[i].To == level[i-1].To {
				t.Errorf("%d shards: element %d begins at %d, the one before ends at %d", shards, i, level[i].First, level[i-1].End)
			}
		}
		for len(level) > mergedAtOnce {
			next, at := mergings(level), 0
			for _, e := range next {
				if len(e.From) > mergedAtOnce {
					t.Errorf("an element merges %d files", len(e.From))
				}
				for _, file := range e.From {
					if file != level[at].To {
						t.Fatalf("%s is merged in the place of %s", file, level[at].To)
					}
					at++
				}
			}
			if at != len(level) {
				t.Errorf("%d of %d files are merged", at, len(level))
			}
			level = next
		}
	}
}

// A damaged file of counts fails one merging, not all that follow. One that cannot be read now stays.
func TestDamagedCountsAreRemoved(t *testing.T) {
	var c collection
	dir := t.TempDir()
	whole, damaged, to := filepath.Join(dir, "whole"), filepath.Join(dir, "damaged"), filepath.Join(dir, "to")
	if err := writeStats(t.Context(), align.NewStats(c.o), whole); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(damaged, []byte("no counts"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := c.mergeTo(t.Context(), []string{whole, damaged}, to); !errors.Is(err, config.ErrInvalid) {
		t.Error(err)
	}
	if _, err := os.Stat(damaged); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the damaged file is kept:", err)
	}
	if _, err := c.mergeTo(t.Context(), []string{whole, filepath.Join(dir, "none")}, to); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := c.mergeTo(t.Context(), []string{whole}, to); err != nil {
		t.Error(err)
	}
}

// A machine that only submits counts no more than an index part: workers count a collection that is one element.
func TestWhoCounts(t *testing.T) {
	for parts, here := range map[int]bool{1: true, 2: false, 16: false} {
		c := collection{partBytes: 1}
		for range parts {
			c.shards = append(c.shards, table.ShardRecord{Bytes: 1})
		}
		if n := len(c.wordCounts(engine.Task{})); n != 1 {
			t.Errorf("%d parts are %d elements", parts, n)
		}
		for _, runner := range []string{config.FlinkRunner, config.DataflowRunner} {
			if got := c.countedHere(config.Runner{Name: runner}); got != here {
				t.Errorf("%d parts on %s: counted here is %v", parts, runner, got)
			}
		}
		if !c.countedHere(config.Runner{Name: config.EmbeddedRunner}) {
			t.Errorf("%d parts are not counted in the process that works", parts)
		}
	}
}
