package pipelines

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Records name the program that made their tables. What another release made is neither
// made again nor committed again because of that, and no Parquet file names a release.
func TestRecordsNameTheProgram(t *testing.T) {
	c, folder := small(t)
	c.Shards = 2
	pipelinetest.Build(t, c)
	first := pipelinetest.Snapshot(t, c.Out)
	const other = "0.0.9 0123456789ab"
	programs := func() map[string]int {
		found := map[string]int{}
		commits, err := table.Commits(t.Context(), storage.Default, c.Out)
		if err != nil {
			t.Fatal(err)
		}
		for _, commit := range commits {
			found["commit of "+commit.Program]++
			for k := range commit.Shards {
				rec, err := table.ReadTask(t.Context(), storage.Default, c.Out, commit.Table, k, len(commit.Shards))
				if err != nil {
					t.Fatal(err)
				}
				found[rec.Program]++
			}
		}
		return found
	}
	if now := programs(); len(now) != 2 || now[commonplace.Program()] < 15 || !strings.HasPrefix(commonplace.Program(), commonplace.Version) {
		t.Errorf("records name %v", now)
	}
	for name, b := range first {
		if strings.HasSuffix(name, ".parquet") && bytes.Contains(b, []byte(commonplace.Version)) {
			t.Errorf("%s names the release", name)
		}
	}

	commits, err := table.Commits(t.Context(), storage.Default, c.Out)
	if err != nil {
		t.Fatal(err)
	}
	night, err := table.Current(t.Context(), c.Out)
	if err != nil {
		t.Fatal(err)
	}
	for _, commit := range commits { // as another release would have left it
		for k := range commit.Shards {
			rec, err := table.ReadTask(t.Context(), storage.Default, night, commit.Table, k, len(commit.Shards))
			if rec.Program = other; err == nil {
				err = table.WriteTask(t.Context(), storage.Default, night, rec)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		commit.Program = other
		if err := table.WriteCommit(t.Context(), storage.Default, night, commit); err != nil {
			t.Fatal(err)
		}
	}
	theirs := pipelinetest.Snapshot(t, c.Out)
	for _, stage := range pipelinetest.Build(t, c) {
		if !stage.Fresh {
			t.Errorf("%s was made again", stage.Stage)
		}
	}
	if d := pipelinetest.Differing(theirs, pipelinetest.Snapshot(t, c.Out)); len(d) > 0 {
		t.Errorf("%v are others", d)
	}
	bookOf(t, folder, "new.txt")
	pipelinetest.Build(t, c)
	if now := programs(); now[other] == 0 || now[commonplace.Program()] == 0 {
		t.Errorf("with a new book records name %v", now)
	}
	full := pipelinetest.Into(c, t.TempDir()+"/full")
	pipelinetest.Build(t, full)
	tables := func(files map[string][]byte) map[string][]byte {
		files = maps.Clone(files)
		maps.DeleteFunc(files, func(name string, _ []byte) bool { return !strings.HasSuffix(name, ".parquet") })
		return files
	}
	if d := pipelinetest.Differing(tables(pipelinetest.Snapshot(t, c.Out)), tables(pipelinetest.Snapshot(t, full.Out))); len(d) > 0 {
		t.Errorf("tables of two releases are others than those of one: %v", d)
	}
}
