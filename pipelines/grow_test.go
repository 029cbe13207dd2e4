package pipelines

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
)

// With counts that are kept, a new book is one shard of work for every stage that
// looks at texts, and the tables are those of a full build with the same counts.
func TestANewBookIsItsOwnWork(t *testing.T) {
	c, more := pipelinetest.Grown(t)
	c.Sources = c.Sources[:1] // a list of quotes and books, nothing derived
	pipelinetest.Build(t, c)
	more()
	reports := pipelinetest.Build(t, c)
	lines, err := Plan(t.Context(), engine.Request{Config: c})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		if !strings.HasSuffix(line, "skip, fresh") {
			t.Errorf("after it the plan is %q", line)
		}
	}
	for _, s := range []string{"crawl", "segment", "align", "label", "count", "score"} {
		if n := reports[s].Stale; n != 1 {
			t.Errorf("%s: %d of %d shards were made anew, want 1", s, n, reports[s].Tasks)
		}
	}
	if reports["quotes"].Stale != 0 {
		t.Error("the quotes were read again")
	}
	pipelinetest.SameAsAFullBuild(t, c)
}

// Where derived documents quote the books, all their shards are merged again, but
// only the part with the new book is looked through.
func TestANewBookChangesItsPartOnly(t *testing.T) {
	c, more := pipelinetest.Grown(t)
	c.Align.PartBytes = 1 // a part for every shard
	pipelinetest.Build(t, c)
	before := indexFiles(t, c)
	more()
	pipelinetest.Build(t, c)
	made := 0
	for name := range indexFiles(t, c) {
		if !before[name] {
			made++
		}
	}
	if made == 0 || made > 4 { // its part, and the finds of that part in at most three shards that quote
		t.Errorf("%d files of the index were made anew, want 1 to 4", made)
	}
	pipelinetest.SameAsAFullBuild(t, c)
}

// indexFiles are the index parts and what they gave.
func indexFiles(t *testing.T, c *config.Config) map[string]bool {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(c.Out, cache.Folder))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, e := range entries {
		if kind, _, _ := strings.Cut(e.Name(), "-"); kind == "part" || kind == "finds" {
			names[e.Name()] = true
		}
	}
	return names
}

// TestCountsOfWorkersAreThoseOfOne: workers count some shards each and merge what they
// wrote in two levels. The counts are those of a collection that is counted at once.
func TestCountsOfWorkersAreThoseOfOne(t *testing.T) {
	counted := func(partBytes int64) []byte {
		c, _ := pipelinetest.Grown(t)
		c.Shards, c.Align.PartBytes = 40, partBytes
		c.Align.Counts = filepath.Join(t.TempDir(), "counts")
		pipelinetest.Build(t, c)
		b, err := os.ReadFile(c.Align.Counts)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if !bytes.Equal(counted(1), counted(1<<30)) {
		t.Error("the counts of many workers are not those of one")
	}
}
