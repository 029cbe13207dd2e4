package pipelines

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
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
		os.WriteFile(filepath.Join(c.Out, "index/notes.txt"), nil, 0o644), // somebody else's
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
