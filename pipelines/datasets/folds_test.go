package datasets

import (
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/table"
)

// The sections of Latin reach the dataset: where a text has none with numbers, they are its
// paragraphs.
func TestLatinSectionsReachTheDataset(t *testing.T) {
	c := pipelinetest.Dataset(t, "latin", nil)
	pipelinetest.Build(t, c)
	marked := map[string]string{} // by document
	for _, r := range pipelinetest.Rows(t, c, table.Counted) {
		marked[r.DocID] += r.Marked + "\n"
	}
	for doc, text := range marked {
		if !strings.Contains(doc, "cicero") {
			continue
		}
		for _, want := range []string{"[Starts-Section] Quo usque", "audacia? [Ends-Section]", "[Starts-Section] O tempora"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %s:\n%s", doc, want, text)
			}
		}
		if n := strings.Count(text, "[Starts-Section]"); n != 2 || strings.Count(text, "[Ends-Section]") != n {
			t.Errorf("%s has %d sections, want 2:\n%s", doc, n, text)
		}
		marked = nil
	}
	if marked != nil {
		t.Fatal("no document of Cicero")
	}

	c = pipelinetest.Dataset(t, "latin", func(c *config.Config) { c.Label.Counts.Genre = "prose" })
	pipelinetest.Build(t, c)
	for _, r := range pipelinetest.Rows(t, c, table.Counted) {
		if strings.Contains(r.Marked, "Section") {
			t.Fatalf("a section in prose: %s", r.Marked)
		}
	}
}
