package pipelines

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/storage/cloud/loopback"
)

// TestDataflowTranslates has Dataflow's runner translate the job of every stage,
// as --dry_run does: the job must be the one that the other runners run, with
// this program as its worker.
func TestDataflowTranslates(t *testing.T) {
	store := loopback.Use(t, "gs") // the runner looks at the staging bucket
	c := demo(t)
	c.Runner.Name = config.GoroutineRunner
	build(t, c)
	c.Runner = config.Runner{Name: config.DataflowRunner, Project: "library", Region: "europe-west1", Staging: store.Path("staging"), Image: "registry.example/commonplace:1"}
	flags, err := c.Runner.DataflowFlags()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(flags, "--dry_run=true") {
		name, value, _ := strings.Cut(strings.TrimPrefix(f, "--"), "=")
		was := flag.Lookup(name).Value.String()
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { flag.Set(name, was) })
	}
	opened, err := runner.Open(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := engine.NewPlanner(c)
	for _, s := range wanted(t, c) {
		pl, err := p.PlanNamed(context.Background(), s.Name)
		if err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		before := slog.Default()
		slog.SetDefault(slog.New(slog.NewTextHandler(&said, nil)))
		_, err = opened.Run(context.Background(), pl.Job(c.MaxRejectFraction, 1))
		slog.SetDefault(before)
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		for _, part := range []string{"commonplace-" + s.Name, "workFn", "finishFn", "Reshuffle", "registry.example/commonplace:1", "gs://library/staging", "europe-west1"} {
			if !strings.Contains(said.String(), part) {
				t.Errorf("the job of %s has no %s", s.Name, part)
			}
		}
	}
	objects, err := store.Objects()
	if err != nil || len(objects) != 0 {
		t.Errorf("a dry run staged %d objects: %v", len(objects), err)
	}
}

func TestDataflowIsToldWhatItNeeds(t *testing.T) {
	loopback.Use(t, "gs")
	c := config.Default()
	c.Out, c.Runner.Name = "gs://library/run", config.DataflowRunner
	refused := func(words string) {
		t.Helper()
		if err := c.CheckDataflow(); !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), words) {
			t.Errorf("want %q, got %v", words, err)
		}
	}
	refused("runner.project")
	c.Runner.Flags = []string{"--project=library"} // as a flag of Beam's
	refused("runner.region")
	c.Runner.Region, c.Runner.Staging = "europe-west1", "/tmp/staging"
	refused("runner.staging")
	c.Runner.Staging = "gs://library/staging"
	if err := c.CheckDataflow(); err != nil {
		t.Error(err)
	}
	c.Score.Model = "models/small"
	refused("models/small lies on this machine")
	if self, err := os.Executable(); err != nil || !strings.Contains(strings.Join(must(c.Runner.DataflowFlags()), " "), self) {
		t.Errorf("the worker is not this program: %v", err)
	}
}

func must[T any](v T, _ error) T { return v }

func TestPathsThatNoBucketTakes(t *testing.T) {
	c := config.Default()
	c.Out = "ftp://host/out"
	if err := c.CheckBuckets(t.Context()); !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), "gs://bucket/… and s3://bucket/…") {
		t.Error(err)
	}
	loopback.Use(t, "gs")
	c.Out = "gs://library/out"
	c.Sources = []config.Source{{Name: "news", Kind: config.KindArticles}}
	if err := c.CheckBuckets(t.Context()); !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), "news") {
		t.Errorf("fetching into a bucket: %v", err)
	}
	c.Sources = []config.Source{{Name: "old", Kind: config.KindWARC, Files: []string{"gs://library/x.warc"}}}
	if err := c.CheckBuckets(t.Context()); !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), "kind warc") {
		t.Errorf("WARC files in a bucket: %v", err)
	}
}
