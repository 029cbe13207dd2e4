package pipelines

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Where rankings.keep is lowered, the next build frees the disk, also one that has
// nothing to make. What somebody else has put into a version's folder stays.
func TestKeepingFewerVersionsFreesDisk(t *testing.T) {
	c, folder := small(t)
	c.Rankings.Keep = 4
	for _, name := range []string{"", "b.txt", "c.txt", "d.txt", "e.txt", "f.txt"} {
		if name != "" {
			bookOf(t, folder, name)
		}
		pipelinetest.Build(t, c)
	}
	versions := func() (kept []int, folders []string) {
		all, err := table.KeptNights(t.Context(), c.Out)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range all {
			kept = append(kept, k.Number)
		}
		folders, err = storage.List(t.Context(), filepath.Join(c.Out, ".nights"))
		if err != nil {
			t.Fatal(err)
		}
		return kept, folders
	}
	kept, folders := versions()
	if len(kept) < 5 || len(folders) != 6 { // the current one, four before it, and one to work in
		t.Fatalf("kept are %d in %v", kept, folders)
	}
	note := filepath.Join(c.Out, ".nights", folders[1], "documents", "note.txt")
	if err := os.WriteFile(note, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	before := disk(t, c.Out)
	c.Rankings.Keep = 1
	pipelinetest.Build(t, c)
	kept, folders = versions()
	if after := disk(t, c.Out); len(kept) > 3 || kept[0] != 6 || len(folders) > 4 || after >= before {
		t.Errorf("kept are %d in %v, and %d bytes of %d", kept, folders, after, before)
	}
	if _, err := os.Stat(note); err != nil {
		t.Error(err)
	}
	if err := readThrough(t.Context(), c.Out); err != nil {
		t.Error(err)
	}
}
