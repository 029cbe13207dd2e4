package pipelinetest

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Build runs the stages and gives the reports by stage.
func Build(t testing.TB, c *config.Config) map[string]engine.StageReport {
	t.Helper()
	reports := map[string]engine.StageReport{}
	for _, r := range Stages(t, c) {
		reports[r.Stage] = r
	}
	return reports
}

// Stages runs the stages and gives the reports in their order, of which a table that
// was removed has one, too.
func Stages(t testing.TB, c *config.Config) []engine.StageReport {
	t.Helper()
	var reports []engine.StageReport
	err := engine.Build(t.Context(), engine.Request{Config: c, Done: func(r engine.StageReport) { reports = append(reports, r) }})
	if err != nil {
		t.Fatal(err)
	}
	return reports
}

// TryBuild runs the stages of a build that may fail.
func TryBuild(c *config.Config) error {
	return engine.Build(context.Background(), engine.Request{Config: c})
}

// SameAsAFullBuild builds the config as it is now into another folder, with parts
// of another size, and compares the files.
func SameAsAFullBuild(t testing.TB, c *config.Config) {
	t.Helper()
	full := Into(c, filepath.Join(t.TempDir(), "full"))
	full.Align.PartBytes = 1 << 30
	Build(t, full)
	if d := Differing(Snapshot(t, c.Out), Snapshot(t, full.Out)); len(d) > 0 {
		t.Errorf("other bytes than a full build in %s", d)
	}
}

// Rows reads all rows of a table of a run.
func Rows[T any](t testing.TB, c *config.Config, tab *table.Table[T]) []T {
	t.Helper()
	commit, err := table.ReadCommit(t.Context(), storage.Default, c.Out, tab.Name)
	if err != nil {
		t.Fatal(err)
	}
	var rows []T
	for _, path := range commit.ShardPaths(c.Out) {
		for row, err := range tab.Rows(t.Context(), path) {
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// Rejects reads what the stage of a table rejected.
func Rejects(t testing.TB, c *config.Config, tab string) []commonplace.Reject {
	t.Helper()
	commit, err := table.ReadCommit(t.Context(), storage.Default, c.Out, tab)
	if err != nil {
		t.Fatal(err)
	}
	var rows []commonplace.Reject
	for _, shard := range commit.Rejects {
		for r, err := range table.Rejects.Rows(t.Context(), storage.Join(table.RejectsDir(c.Out, commit.Stage), shard.File)) {
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// Snapshot reads every file of a run's current night by its path, and the run's mark,
// but not the night's own record, which counts the nights.
func Snapshot(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	if mark, err := os.ReadFile(filepath.Join(dir, table.MarkFile)); err == nil {
		files[table.MarkFile] = mark
	}
	dir, err := table.Current(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == cache.Folder || d.Name() == ".nights") {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || d.Name() == ".lock" || strings.Contains(d.Name(), ".night.json") || // also of a killed build
			d.Name() == engine.RunFile || d.Name() == table.LeaseFile || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		files[rel], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Differing names the files that are not the same in both, sorted.
func Differing(a, b map[string][]byte) []string {
	var names []string
	for name, content := range a {
		if other, ok := b[name]; !ok || !bytes.Equal(content, other) {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
