package pipelines

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/sorting"
)

// TestBuildsAtOnce builds several libraries in one process, at once: the demonstration
// into two folders, the same without a book, and others with other settings, of which
// one loads no model. The first ends while the second goes on. The tables are those of
// each alone, and each logs its own jobs. None puts a temporary file anywhere else than into its own run's folder,
// which it removes: the machine's folder for them is not there.
func TestBuildsAtOnce(t *testing.T) {
	held := sorting.HeldBytes
	sorting.HeldBytes = 500 // so that what is sorted goes through files
	t.Cleanup(func() { sorting.HeldBytes = held })
	all := func() []*config.Config {
		smaller, other := pipelinetest.Demo(t), pipelinetest.Demo(t)
		if err := os.Remove(filepath.Join(pipelinetest.Copied(t, smaller), "weathers.txt")); err != nil {
			t.Fatal(err)
		}
		other.Shards, other.Segment.By, other.Align.MinSimilarity = 2, "words:60", other.Align.MinSimilarity+0.05
		return []*config.Config{
			smaller, pipelinetest.Demo(t), pipelinetest.Demo(t), other,
			pipelinetest.Dataset(t, "quotus", nil), pipelinetest.Dataset(t, "conversations", nil),
		}
	}
	var want []map[string][]byte
	for _, c := range all() {
		pipelinetest.Build(t, c)
		want = append(want, pipelinetest.Snapshot(t, c.Out))
	}

	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "gone"))
	configs := all()
	var begun, ended sync.WaitGroup
	begun.Add(len(configs))
	ended.Add(1) // the first
	errs, logs := make([]error, len(configs)), make([]bytes.Buffer, len(configs))
	var building sync.WaitGroup
	for i, c := range configs {
		start := sync.OnceFunc(begun.Done)
		building.Go(func() {
			defer start() // also where it fails before its first stage
			errs[i] = Build(t.Context(), engine.Request{Config: c, Log: slog.New(slog.NewTextHandler(&logs[i], nil)), Begin: func(s engine.StageReport) func(engine.Progress) {
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
	building.Wait()
	for i, c := range configs {
		if errs[i] != nil {
			t.Errorf("build %d: %v", i+1, errs[i])
			continue
		}
		if d := pipelinetest.Differing(want[i], pipelinetest.Snapshot(t, c.Out)); len(d) > 0 {
			t.Errorf("build %d: other bytes than alone in %s", i+1, d)
		}
		if n := strings.Count(logs[i].String(), "-crawl runner="); c.Runner.Name == config.EmbeddedRunner && n != 1 {
			t.Errorf("build %d logs %d crawls, want its own", i+1, n)
		}
		if _, err := os.Stat(filepath.Join(c.Out, runner.TempFolder)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("build %d leaves its temporary folder: %v", i+1, err)
		}
	}
}
