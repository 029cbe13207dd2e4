package engine_test

import (
	"bytes"
	"context"
	"flag"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/storage/cloud/loopback"
)

// put uploads a folder, or one file, of the checkout.
func put(t *testing.T, store *loopback.Server, name, from string) string {
	t.Helper()
	root := pipelinetest.Path(t, from)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return store.Put(strings.TrimSuffix(name+"/"+filepath.ToSlash(rel), "/."), b)
	})
	if err != nil {
		t.Fatal(err)
	}
	return store.Path(name)
}

// A dry run of any kind writes nothing and removes nothing, also where much is to be
// made: by --dry-run, with --force or --check, and by Beam's own flag on Dataflow.
func TestDryRunsWriteNothing(t *testing.T) {
	store := loopback.Use(t, "gs")
	c := pipelinetest.Demo(t)
	c.Sources[0].Files = []string{put(t, store, "in/books", "testdata/demo/books")}
	c.Sources[1].Files = []string{put(t, store, "in/essays", "testdata/demo/essays")}
	c.Quotes[0].Path = put(t, store, "in/quotes.jsonl", "testdata/demo/quotes.jsonl")
	c.Score.Model = put(t, store, "in/model", "models/quotability-features")
	c.Out = store.Path("run")
	c.Runner.Name = config.GoroutineRunner
	pipelinetest.Build(t, c)
	if err := os.RemoveAll(runner.HomeOf(c.Out)); err != nil { // with the build's lock: dry runs leave nothing there either
		t.Fatal(err)
	}

	// A book is new, so that every stage has work; a table has lost its record; and a
	// failure of Dataflow's workers is left, as it is after a killed build.
	for name, text := range map[string]string{"in/books/new.txt": "A new book says that the sea keeps no accounts.", "run/.commonplace.tmp/failure.json": `{"text":"left"}`} {
		if err := store.Put(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Delete("run/.nights/0/records/alignments/_commit.json"); err != nil {
		t.Fatal(err)
	}
	before, err := store.Objects()
	if err != nil {
		t.Fatal(err)
	}

	cloud := *c
	cloud.Runner = config.Runner{Name: config.DataflowRunner, Project: "library", Region: "europe-west1", Staging: store.Path("staging"), Image: "registry.example/commonplace:1", Flags: []string{"--dry_run"}}
	flags, err := cloud.Runner.DataflowFlags()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range flags { // Beam takes them once a process, and another test may have been first
		name, value, valued := strings.Cut(strings.TrimPrefix(f, "--"), "=")
		if !valued {
			value = "true"
		}
		was := flag.Lookup(name).Value.String()
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { flag.Set(name, was) })
	}
	var translated bytes.Buffer
	log := slog.New(slog.NewTextHandler(&translated, nil))
	for what, run := range map[string]func() error{
		"--dry-run":         func() error { _, err := engine.Plan(t.Context(), engine.Request{Config: c}); return err },
		"--dry-run --force": func() error { _, err := engine.Plan(t.Context(), engine.Request{Config: c, Force: true}); return err },
		"--dry-run --check": func() error {
			_, err := engine.Plan(t.Context(), engine.Request{Config: c, Check: true, AcceptLoss: true})
			return err
		},
		"-- --dry_run": func() error { return engine.Build(t.Context(), engine.Request{Config: &cloud, Log: log}) },
		"--force -- --dry_run": func() error {
			return engine.Build(context.Background(), engine.Request{Config: &cloud, Force: true, Log: log})
		},
	} {
		if err := run(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		after, err := store.Objects()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range pipelinetest.Differing(before, after) {
			t.Errorf("%s: %s is another, new or gone", what, name)
		}
	}
	if !strings.Contains(translated.String(), "commonplace-run-crawl") {
		t.Error("Dataflow's runner translated no job")
	}
}
