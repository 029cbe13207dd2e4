package pipelines

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
)

// A build that was killed after readers got its night left links and the night's state
// behind. The next build puts them right, also one that has nothing to make.
func TestANightIsFinishedByTheNextBuild(t *testing.T) {
	c, folder := small(t)
	pipelinetest.Build(t, c)
	bookOf(t, folder, "new.txt")
	pipelinetest.Build(t, c)
	before := pipelinetest.Snapshot(t, c.Out)
	state := filepath.Join(c.Out, ".current", ".night.json")
	b, err := os.ReadFile(state)
	if err == nil {
		err = os.WriteFile(state, []byte(strings.Replace(string(b), `"whole"`, `"next"`, 1)), 0o644)
	}
	if err == nil {
		err = os.Remove(filepath.Join(c.Out, "documents"))
	}
	if err != nil {
		t.Fatal(err)
	}
	pipelinetest.Build(t, c)
	if d := pipelinetest.Differing(before, pipelinetest.Snapshot(t, c.Out)); len(d) > 0 {
		t.Errorf("%v are others", d)
	}
	if now, err := os.ReadFile(state); err != nil || string(now) != string(b) {
		t.Errorf("the night says %s, want %s: %v", now, b, err)
	}
}

// Stages that run alone change nothing for readers until their tables fit one another.
func TestAStageAloneIsNoNight(t *testing.T) {
	c, folder := small(t)
	pipelinetest.Build(t, c)
	before := pipelinetest.Snapshot(t, c.Out)
	bookOf(t, folder, "new.txt")
	if err := engine.Build(t.Context(), engine.Request{Config: c, Stages: []string{"crawl"}}); err != nil {
		t.Fatal(err)
	}
	if d := pipelinetest.Differing(before, pipelinetest.Snapshot(t, c.Out)); len(d) > 0 {
		t.Errorf("after crawl alone readers get others of %v", d)
	}
	pipelinetest.Build(t, c)
	pipelinetest.SameAsAFullBuild(t, c)
	inside := *c
	inside.Out = filepath.Join(c.Out, ".nights", "0")
	if err := engine.Build(t.Context(), engine.Request{Config: &inside}); err == nil || !strings.Contains(err.Error(), "a night of the run") {
		t.Errorf("a build inside a night: %v", err)
	}
}
