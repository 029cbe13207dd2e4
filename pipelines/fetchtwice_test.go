package pipelines

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/table"
)

// fetching is a config that fetches a text from a server on loopback.
func fetching(t *testing.T, server *httptest.Server, dir, runner string) *config.Config {
	t.Helper()
	c := config.Default()
	c.Out, c.Shards, c.Runner.Name, c.MaxRejectFraction = filepath.Join(dir, "tables"), 1, runner, 1
	c.Crawl.Contact, c.Crawl.PrivateHosts, c.Crawl.Delay = "test@example.org", []string{"127.0.0.1"}, time.Millisecond
	c.Crawl.Tries, c.Crawl.GiveUp = 1, 1
	s := config.NewSource(config.KindArticles)
	s.Files = []string{filepath.Join(dir, "list.txt")}
	c.Sources = []config.Source{s}
	writeList(t, filepath.Join(dir, "list.txt"), server.URL+"/a.txt\n")
	return &c
}

func documents(t *testing.T, c *config.Config) (ids []string) {
	t.Helper()
	shards, err := filepath.Glob(filepath.Join(c.Out, "documents", "*.parquet"))
	if err != nil || len(shards) != 1 {
		t.Fatal(shards, err)
	}
	for doc, err := range table.Documents.Rows(t.Context(), shards[0]) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, doc.ID)
	}
	return ids
}

// A host that one build gave up is asked by the next build of the same process, as
// by one of another process: what is known of hosts is the run's.
func TestHostsGivenUpAreTheRunsOwn(t *testing.T) {
	var mended atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		case !mended.Load():
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			fmt.Fprintln(w, "It was a dark and stormy night.")
		}
	}))
	t.Cleanup(server.Close)
	for _, runner := range []string{config.EmbeddedRunner, config.GoroutineRunner} {
		mended.Store(false)
		c := fetching(t, server, t.TempDir(), runner)
		crawl := func() {
			if err := Build(t.Context(), engine.Request{Config: c, Stages: []string{"crawl"}}); err != nil {
				t.Fatal(err)
			}
		}
		crawl()
		mended.Store(true)
		crawl()
		if ids := documents(t, c); len(ids) != 1 {
			t.Errorf("%s: the second build has documents %q", runner, ids)
		}
	}
}

// Two builds at once fetch from one host, each into its own archive.
func TestTwoBuildsFetchAtOnce(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintln(w, "It was a dark and stormy night.")
	}))
	t.Cleanup(server.Close)
	var builds sync.WaitGroup
	for i := range 2 {
		c := fetching(t, server, t.TempDir(), config.EmbeddedRunner)
		list := ""
		for j := range 5 {
			list += fmt.Sprintf("%s/%d-%d.txt\n", server.URL, i, j)
		}
		writeList(t, c.Sources[0].Files[0], list)
		builds.Go(func() {
			if err := Build(context.Background(), engine.Request{Config: c, Stages: []string{"crawl"}}); err != nil {
				t.Error(err)
				return
			}
			if ids := documents(t, c); len(ids) != 5 {
				t.Errorf("build %d has documents %q", i, ids)
			}
		})
	}
	builds.Wait()
}

func writeList(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
