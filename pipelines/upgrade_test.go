package pipelines

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/verify"
)

// A run's folder of version 0.1.0 has a cache called index and other names of some
// stages. The next build takes both over, and leaves no rejects of an old name.
func TestAFolderOfVersion010(t *testing.T) {
	c := pipelinetest.Dataset(t, "gandhi", nil)
	pipelinetest.Build(t, c)
	was := pipelinetest.Snapshot(t, c.Out)
	settings := filepath.Join(c.Out, "settings.json")
	raw, err := os.ReadFile(settings)
	if err != nil {
		t.Fatal(err)
	}
	old := bytes.Replace(raw, []byte(`"negatives": {`), []byte(`"choose": {`), 1)
	if bytes.Equal(raw, old) {
		t.Fatalf("no stage negatives in %s", raw)
	}
	for _, do := range []error{
		os.WriteFile(settings, old, 0o644),
		os.Rename(filepath.Join(c.Out, cache.Folder), filepath.Join(c.Out, "index")),
		os.Rename(filepath.Join(c.Out, "rejects/negatives"), filepath.Join(c.Out, "rejects/choose")),
		os.WriteFile(filepath.Join(c.Out, "index/notes.txt"), nil, 0o644),                                          // somebody else's
		os.WriteFile(filepath.Join(c.Out, "index/.part-0123456789abcdef.0123456789ab.tmp"), []byte("half"), 0o644), // a killed run's
	} {
		if do != nil {
			t.Fatal(do)
		}
	}
	pipelinetest.Build(t, c)
	if err := os.Remove(filepath.Join(c.Out, "index/notes.txt")); err != nil {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(c.Out, "index")); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(filepath.Join(c.Out, "rejects/choose")); err == nil && len(left) > 0 {
		t.Errorf("%d rejects are left under the old name", len(left))
	}
	now := pipelinetest.Snapshot(t, c.Out)
	for _, name := range pipelinetest.Differing(was, now) {
		t.Errorf("%q differs", name)
	}
	if again, err := os.ReadFile(settings); err != nil || !bytes.Equal(again, raw) {
		t.Errorf("%v: %s", err, again)
	}
}

// asVersion010 makes the table of a stage what version 0.1.0 left: its record and its
// rejects have the stage's former name, and its shards are out of date.
func asVersion010(t *testing.T, out, tab, formerly string) {
	t.Helper()
	c, err := table.ReadCommit(t.Context(), storage.Default, out, tab)
	if err != nil {
		t.Fatal(err)
	}
	now := c.Stage
	c.Stage = formerly
	for _, err := range []error{
		table.WriteCommit(t.Context(), storage.Default, out, c),
		table.RemoveTasks(t.Context(), out, tab),
		os.Rename(table.RejectsDir(out, now), table.RejectsDir(out, formerly)),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// talking is a config with a file of conversations, of which one line is broken.
func talking(t *testing.T) *config.Config {
	t.Helper()
	raw, err := os.ReadFile(pipelinetest.Path(t, "testdata/conversations/english.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "english.jsonl")
	if err := os.WriteFile(path, append([]byte("{broken\n"), raw...), 0o644); err != nil {
		t.Fatal(err)
	}
	return pipelinetest.Dataset(t, "conversations", func(c *config.Config) {
		c.Conversations[0].Path, c.MaxRejectFraction = path, 1
	})
}

func verified(t *testing.T, out string) {
	t.Helper()
	if _, err := verify.Tables(t.Context(), storage.Default, out, func(p verify.Problem) { t.Error(p) }); err != nil {
		t.Error(err)
	}
}

// A build that does not ask for a table of version 0.1.0 leaves its rejects, which
// its record names; and one command that makes such a table anew removes them.
func TestRejectsOfVersion010(t *testing.T) {
	c := talking(t)
	pipelinetest.Build(t, c)
	asVersion010(t, c.Out, "conversations", "talk")
	verified(t, c.Out)

	other := pipelinetest.Into(pipelinetest.Dataset(t, "gandhi", nil), c.Out)
	pipelinetest.Build(t, other)
	verified(t, c.Out)

	if err := Build(t.Context(), engine.Request{Config: c, Stages: []string{"label"}}); err != nil {
		t.Fatal(err)
	}
	verified(t, c.Out)
	if left, err := os.ReadDir(table.RejectsDir(c.Out, "talk")); err == nil {
		t.Errorf("%v are left", left)
	}
}
