package pipelines

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/sorting"
)

// TestTwoBuildsAtOnce builds two libraries in one process, of which one ends while
// the other goes on. The tables are those of each alone, and neither puts a
// temporary file anywhere else than into its own run's folder, which it removes:
// the machine's folder for them is not there.
func TestTwoBuildsAtOnce(t *testing.T) {
	held := sorting.HeldBytes
	sorting.HeldBytes = 500 // so that what is sorted goes through files
	t.Cleanup(func() { sorting.HeldBytes = held })
	both := func() [2]*config.Config {
		configs := [2]*config.Config{pipelinetest.Demo(t), pipelinetest.Demo(t)}
		books := pipelinetest.Copied(t, configs[1])
		if err := os.Remove(filepath.Join(books, "weathers.txt")); err != nil {
			t.Fatal(err)
		}
		return configs
	}
	var want [2]map[string][]byte
	for i, c := range both() {
		pipelinetest.Build(t, c)
		want[i] = pipelinetest.Snapshot(t, c.Out)
	}

	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "gone"))
	configs := both()
	var begun, ended sync.WaitGroup
	begun.Add(2)
	ended.Add(1) // the first
	var errs [2]error
	var all sync.WaitGroup
	for i, c := range configs {
		start := sync.OnceFunc(begun.Done)
		all.Go(func() {
			defer start() // also where it fails before its first stage
			errs[i] = Build(t.Context(), engine.Request{Config: c, Begin: func(s engine.StageReport) func(engine.Progress) {
				start()
				begun.Wait()
				if i == 1 && s.Stage == "rank" {
					ended.Wait()
				}
				return nil
			}})
			if i == 0 {
				ended.Done()
			}
		})
	}
	all.Wait()
	for i, c := range configs {
		if errs[i] != nil {
			t.Errorf("build %d: %v", i+1, errs[i])
			continue
		}
		if d := pipelinetest.Differing(want[i], pipelinetest.Snapshot(t, c.Out)); len(d) > 0 {
			t.Errorf("build %d: other bytes than alone in %s", i+1, d)
		}
		if _, err := os.Stat(filepath.Join(c.Out, runner.TempFolder)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("build %d leaves its temporary folder: %v", i+1, err)
		}
	}
}
