package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
)

// Who follows a build's record hears of the build and of the stages that work, in order.
func TestRecorded(t *testing.T) {
	c := pipelinetest.Demo(t)
	c.Shards, c.Runner.Name = 2, config.GoroutineRunner
	var heard []string
	r := engine.Request{Config: c, Stages: []string{"crawl"}, Recorded: func(r engine.Recorded) {
		line := "build " + r.Build.Status
		if r.Stage != nil {
			line = fmt.Sprint(r.Stage.Stage, " ", r.Stage.Status, " ", r.Files)
		}
		heard = append(heard, line)
	}}
	said := func(want string) {
		t.Helper()
		if got := strings.Join(heard, ", "); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		heard = nil
	}
	for _, want := range []string{"build running, crawl running 0, crawl done 2, build done", "build running, build done"} {
		if err := engine.Build(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		said(want)
	}
	stopped, stop := context.WithCancel(t.Context())
	r.Planning = func(string) { stop() }
	r.Force = true
	if err := engine.Build(stopped, r); err == nil {
		t.Error("it is built")
	}
	said("build running, crawl running 0, crawl stopped 0, build stopped")
}

// The config knows the stages that read its paths by their names.
func TestReadersAreStages(t *testing.T) {
	c := &config.Config{
		Sources: []config.Source{{Files: []string{"/crawl"}}}, Quotes: []config.QuoteList{{Path: "/quotes"}}, Spans: []config.SpanFile{{Path: "/spans"}},
		Conversations: []config.Conversations{{Path: "/conversations"}}, Recommend: config.Recommend{Candidates: "/recommend", When: "/when_to_quote"},
	}
	c.Score.Model, c.Count.File, c.Paraphrases.Model, c.Align.Ignore = "/score", "/count", "/sentence_vectors", "/align"
	c.Label.Tokenizer, c.Label.Split.File, c.Label.Queries.Given = "/label", "/window", "/compare_reference"
	var read []string
	for _, name := range engine.Names() {
		read = append(read, c.ReadBy(name)...)
	}
	for _, path := range c.Inputs() {
		if !slices.Contains(read, path) {
			t.Errorf("no stage reads %s", path)
		}
		if own := c.ReadBy(path[1:]); !slices.Contains(own, path) || !slices.Contains(engine.Names(), path[1:]) {
			t.Errorf("stage %s reads %q", path[1:], own)
		}
	}
}
