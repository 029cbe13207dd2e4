package pipelines

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
)

// The word counts of a library serve every build of it: also with lists alone, where
// no stage searches derived documents, and after --force.
func TestWordCountsStay(t *testing.T) {
	for _, name := range []string{"gandhi", "quotus"} { // without and with derived documents
		t.Run(name, func(t *testing.T) {
			c := pipelinetest.Dataset(t, name, nil)
			counts := func() os.FileInfo {
				t.Helper()
				found, err := filepath.Glob(filepath.Join(c.Out, cache.Folder, "counts-*"))
				if err != nil || len(found) != 1 {
					t.Fatalf("%d files of counts, %v", len(found), err)
				}
				info, err := os.Stat(found[0])
				if err != nil {
					t.Fatal(err)
				}
				return info
			}
			pipelinetest.Build(t, c)
			first := counts()
			list := filepath.Join(t.TempDir(), filepath.Base(c.Quotes[0].Path))
			text, err := os.ReadFile(c.Quotes[0].Path)
			if err != nil {
				t.Fatal(err)
			}
			more := strings.TrimSpace(string(text)) + "\n" + `{"id":"one-more","text":"nobody has said this before"}` + "\n"
			if err := os.WriteFile(list, []byte(more), 0o644); err != nil {
				t.Fatal(err)
			}
			c.Quotes[0].Path = list
			if reports := pipelinetest.Build(t, c); reports["align"].Fresh {
				t.Error("another quote is no work")
			}
			if second := counts(); !os.SameFile(first, second) || first.ModTime() != second.ModTime() {
				t.Error("the words were counted again")
			}
			if err := Build(t.Context(), engine.Request{Config: c, Force: true}); err != nil {
				t.Fatal(err)
			}
			counts()
		})
	}
}
