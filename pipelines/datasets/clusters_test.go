package datasets

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/table"
)

// Each copy has the words of its document, and of the stage's work only what the last
// build made is kept.
func TestClustersOfARun(t *testing.T) {
	c := pipelinetest.Dataset(t, "quotus", func(c *config.Config) { c.Label.Datasets = []string{config.DataClusters} })
	articles, err := os.ReadFile(c.Sources[1].Files[0])
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := bytes.Cut(articles, []byte("\n"))
	for _, list := range [][]byte{articles, append(first, '\n')} {
		path := filepath.Join(t.TempDir(), "articles.jsonl")
		if err := os.WriteFile(path, list, 0o666); err != nil {
			t.Fatal(err)
		}
		c.Sources[1].Files = []string{path}
		pipelinetest.Build(t, c)
		kept, err := filepath.Glob(filepath.Join(c.Out, cache.Folder, "clusters-*"))
		if err != nil || len(kept) != 1 {
			t.Errorf("%d files of clusters, %v", len(kept), err)
		}
		texts := map[string]string{}
		for _, doc := range pipelinetest.Rows(t, c, table.Documents) {
			texts[doc.ID] = doc.Text
		}
		rows := pipelinetest.Rows(t, c, table.Clusters)
		if len(rows) < 2 {
			t.Errorf("%d copies", len(rows))
		}
		for _, r := range rows {
			if want := commonplace.Slice(texts[r.DocID], commonplace.Span{Begin: int(r.Begin), End: int(r.End)}); r.Text != want || r.Text == "" {
				t.Errorf("%s [%d:%d] is %q, want %q", r.DocID, r.Begin, r.End, r.Text, want)
			}
		}
	}
}
