package pipelines

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// shardsOf is how many shards a table of the run has.
func shardsOf(t *testing.T, c *config.Config, name string) int {
	t.Helper()
	night, err := table.Current(t.Context(), c.Out)
	if err != nil {
		t.Fatal(err)
	}
	commit, err := table.ReadCommit(t.Context(), storage.Default, night, name)
	if err != nil {
		t.Fatal(err)
	}
	return len(commit.Shards)
}

// A run whose config says nothing of shards gets a number that fits its text. It keeps
// that while its library grows, until it is made anew.
func TestShardsFitTheTextOfTheFirstBuild(t *testing.T) {
	c := pipelinetest.Demo(t)
	books := pipelinetest.Copied(t, c)
	c.Sources, c.Shards, c.Segment.By, c.Runner.Name = c.Sources[:1], 0, "paragraphs", config.GoroutineRunner
	crawl := func(force bool) {
		t.Helper()
		if err := engine.Build(t.Context(), engine.Request{Config: c, Stages: []string{"crawl"}, Force: force, Resettle: true}); err != nil {
			t.Fatal(err)
		}
	}
	crawl(false)
	if n := shardsOf(t, c, "documents"); n != 16 {
		t.Fatalf("a small library has %d shards, want 16", n)
	}
	grow(t, filepath.Join(books, "large.txt"), 33<<20)
	lines, err := Plan(t.Context(), engine.Request{Config: c, Stages: []string{"crawl"}})
	if err != nil || len(lines) < 1 || !strings.Contains(lines[0], "1 of 16 shards to make") {
		t.Errorf("with a large book more the plan is %q: %v", lines, err)
	}
	crawl(false)
	if n := shardsOf(t, c, "documents"); n != 16 {
		t.Errorf("the library grew, and has %d shards where it had 16", n)
	}
	lines, err = Plan(t.Context(), engine.Request{Config: c, Force: true})
	if err != nil || !strings.Contains(lines[0], "32 of 32 shards to make") {
		t.Errorf("of a build with --force, which makes every table anew, the plan is %q: %v", lines, err)
	}
	c.Out = filepath.Join(t.TempDir(), "other")
	crawl(false)
	if n := shardsOf(t, c, "documents"); n != 32 {
		t.Errorf("a new run of the grown library has %d shards, want 32", n)
	}
	c.Shards = 3
	crawl(false)
	if n := shardsOf(t, c, "documents"); n != 3 {
		t.Errorf("where the config says 3, the table has %d shards", n)
	}
}

// A build that ended before its first table chose no number: it may have read little of the text.
func TestAFailedBuildChoosesNoShards(t *testing.T) {
	c := pipelinetest.Demo(t)
	books := pipelinetest.Copied(t, c)
	c.Sources, c.Shards, c.Segment.By, c.Runner.Name = c.Sources[:1], 0, "paragraphs", config.GoroutineRunner
	var broken []string
	for i := range 8 {
		broken = append(broken, filepath.Join(books, fmt.Sprintf("broken-%d.txt.gz", i)))
		if err := os.WriteFile(broken[i], []byte("no gzip"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	crawl := func() error {
		return engine.Build(t.Context(), engine.Request{Config: c, Stages: []string{"crawl"}, Resettle: true})
	}
	if err := crawl(); err == nil || !strings.Contains(err.Error(), "too many rejects") {
		t.Fatalf("the build did not fail: %v", err)
	}
	for _, path := range broken {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	grow(t, filepath.Join(books, "large.txt"), 33<<20)
	if err := crawl(); err != nil {
		t.Fatal(err)
	}
	if n := shardsOf(t, c, "documents"); n != 32 {
		t.Errorf("after a failed build of little text there are %d shards, want 32", n)
	}
}

// grow writes a text of so many bytes.
func grow(t *testing.T, path string, bytes int) {
	t.Helper()
	random := rand.New(rand.NewPCG(25, 4))
	var text strings.Builder
	for text.Len() < bytes {
		fmt.Fprintf(&text, "The tide keeps its own accounts %d, and nobody audits the sea.\n", random.Uint64())
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Of a source that is fetched, what was fetched decides.
func TestShardsFitWhatWasFetched(t *testing.T) {
	long := strings.Repeat("It was a dark and stormy night; the rain fell in torrents.\n", (3<<20)/59)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, long)
	}))
	t.Cleanup(server.Close)
	c := fetching(t, server, t.TempDir(), config.GoroutineRunner)
	c.Shards = 0
	var list strings.Builder
	for i := range 12 {
		fmt.Fprintf(&list, "%s/%d.txt\n", server.URL, i)
	}
	writeList(t, c.Sources[0].Files[0], list.String())
	if err := Build(t.Context(), engine.Request{Config: c, Stages: []string{"crawl"}}); err != nil {
		t.Fatal(err)
	}
	if n := shardsOf(t, c, "documents"); n != 32 {
		t.Errorf("36 MB that were fetched have %d shards, want 32", n)
	}
}
