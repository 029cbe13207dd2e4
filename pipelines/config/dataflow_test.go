package config_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage/cloud/loopback"
)

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
	c.Runner.Memory = "plenty"
	refused("runner.memory")
	c.Runner.Memory, c.Runner.Accelerator = "16GB", "nvidia-l4"
	refused("runner.accelerator")
	c.Runner.Accelerator = "type:nvidia-l4;count:1"
	refused("score.device")
	c.Score.Device = "auto"
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
