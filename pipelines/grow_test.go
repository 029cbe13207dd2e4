package pipelines

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
)

// grown is the demonstration with counts that are kept, of which the first build
// has all books but one; more adds that one.
func grown(t *testing.T) (c *config.Config, more func()) {
	t.Helper()
	c = demo(t)
	c.Shards = 7
	c.Align.Counts = filepath.Join(t.TempDir(), "counts")
	books := copied(t, c)
	late := filepath.Join(books, "weathers.txt")
	text, err := os.ReadFile(late)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(late); err != nil {
		t.Fatal(err)
	}
	return c, func() {
		if err := os.WriteFile(late, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// With counts that are kept, a new book is one shard of work for every stage that
// looks at texts, and the tables are those of a full build with the same counts.
func TestANewBookIsItsOwnWork(t *testing.T) {
	c, more := grown(t)
	c.Sources = c.Sources[:1] // a list of quotes and books, nothing derived
	build(t, c)
	more()
	reports := build(t, c)
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
	sameAsAFullBuild(t, c)
}

// Where derived documents quote the books, all their shards are merged anew, but
// only the part with the new book is looked through.
func TestANewBookChangesItsPartOnly(t *testing.T) {
	c, more := grown(t)
	c.Align.PartBytes = 1 // a part for every shard
	build(t, c)
	before := indexFiles(t, c)
	more()
	build(t, c)
	made := 0
	for name := range indexFiles(t, c) {
		if !before[name] {
			made++
		}
	}
	if made == 0 || made > 4 { // its part, and the finds of that part in at most three shards that quote
		t.Errorf("%d files of the index were made anew, want 1 to 4", made)
	}
	sameAsAFullBuild(t, c)
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

// sameAsAFullBuild builds the config as it is now into another folder, with parts
// of another size.
func sameAsAFullBuild(t *testing.T, c *config.Config) {
	t.Helper()
	full := *c
	full.Out = filepath.Join(t.TempDir(), "full")
	full.Align.PartBytes = 1 << 30
	build(t, &full)
	if d := differing(snapshot(t, c.Out), snapshot(t, full.Out)); len(d) > 0 {
		t.Errorf("other bytes than a full build in %s", d)
	}
}
