package engine_test

import (
	"bytes"
	"context"
	"flag"
	"log/slog"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/storage/cloud/loopback"
)

// TestDataflowTranslates has Dataflow's runner translate the job of every stage,
// as --dry_run does: the job must be the one that the other runners run, with
// this program as its worker.
func TestDataflowTranslates(t *testing.T) {
	c := pipelinetest.Demo(t)
	c.Runner.Name = config.GoroutineRunner
	stages := pipelinetest.Stages(t, c)
	store := loopback.Use(t, "gs") // the runner looks at the staging bucket
	c.Runner = config.Runner{Name: config.DataflowRunner, Project: "library", Region: "europe-west1", Staging: store.Path("staging"), Image: "registry.example/commonplace:1", Memory: "16GB", Accelerator: "type:nvidia-l4;count:1"}
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
	opened, err := runner.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range stages {
		pl, err := engine.PlanNamed(t.Context(), c, s.Stage)
		if err != nil {
			t.Fatal(err)
		}
		var logged bytes.Buffer
		logging := runner.WithLog(context.Background(), slog.New(slog.NewTextHandler(&logged, nil)))
		_, err = opened.Run(logging, pl.Job(c.MaxRejectFraction, 1))
		if err != nil {
			t.Fatalf("%s: %v", s.Stage, err)
		}
		for _, part := range []string{"commonplace-tables-" + s.Stage, "workFn", "finishFn", "Reshuffle", "registry.example/commonplace:1", "gs://library/staging", "europe-west1", "beam:resources:min_ram_bytes:v1", "16000000000"} {
			if !strings.Contains(logged.String(), part) {
				t.Errorf("the job of %s has no %s", s.Stage, part)
			}
		}
		if got, want := strings.Contains(logged.String(), "type:nvidia-l4;count:1"), s.Stage == "score"; got != want {
			t.Errorf("the job of %s asks for a GPU: %t, want %t", s.Stage, got, want)
		}
	}
	objects, err := store.Objects()
	if err != nil || len(objects) != 0 {
		t.Errorf("a dry run staged %d objects: %v", len(objects), err)
	}
}
