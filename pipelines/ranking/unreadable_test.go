package ranking

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/table"
)

// A passage that the tokenizer does not read within its bounds is a reject, and has neither
// score nor rank. All others have the scores that they have without it, whatever the shards
// and batches, and a later build takes them over.
func TestUnreadablePassages(t *testing.T) {
	for _, test := range []struct {
		head      string
		sentences int
	}{{"quotability", 0}, {"quotability", 2}, {"quotability-sequence", 0}} {
		t.Run(fmt.Sprint(test.head, test.sentences), func(t *testing.T) {
			c := pipelinetest.Demo(t)
			c.Shards, c.Score.Model, c.MaxRejectFraction = 2, pipelinetest.ModelThatReadsTooOften(t, test.head), 0.5
			c.Score.Sentences = &test.sentences
			c.Evaluate = config.Evaluate{Splits: []string{"test"}, Baselines: []string{"bm25"}, Confidence: .95, Resamples: 50}
			books := pipelinetest.Copied(t, c)
			pipelinetest.Build(t, c)
			without := map[string]commonplace.Ranking{}
			for _, r := range pipelinetest.Rows(t, c, table.Rankings) {
				without[r.PassageID] = r
			}
			hostile := pipelinetest.ReadTooOften()
			for name, text := range map[string]string{
				"hostile": hostile,
				"mixed":   strings.Repeat("The rain fell on the roofs and on the river. ", 40) + "\n\n" + hostile + strings.Repeat("Nobody owns the weather, and everybody tells it. ", 80),
			} {
				if err := os.WriteFile(filepath.Join(books, name+".txt"), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			reports := pipelinetest.Build(t, c)
			if reports["score"].Rejected < 2 || reports["score"].Rows == 0 {
				t.Fatalf("%+v", reports["score"])
			}
			rejects, mixed := map[string]bool{}, 0
			for _, r := range pipelinetest.Rejects(t, c, "scores") {
				if r.Reason != label.ReasonUnreadable || !strings.Contains(r.Detail, "more than 16 times") || r.Location != "mixed" && r.Location != "hostile" {
					t.Errorf("%+v", r)
				}
				rejects[r.ID] = true
			}
			ranked := map[string]bool{}
			for _, r := range pipelinetest.Rows(t, c, table.Rankings) {
				ranked[r.PassageID] = true
				if r.DocID == "mixed" {
					mixed++
				}
				if was, ok := without[r.PassageID]; ok && was.Score != r.Score {
					t.Errorf("%s has the score %v, and %v without the hostile books", r.PassageID, r.Score, was.Score)
				}
			}
			if mixed == 0 {
				t.Error("no passage of a book is left that has one unreadable passage")
			}
			for _, p := range pipelinetest.Rows(t, c, table.Passages) {
				if rejects[p.ID] == ranked[p.ID] {
					t.Errorf("%s is ranked: %v, and rejected: %v", p.ID, ranked[p.ID], rejects[p.ID])
				}
			}
			other := pipelinetest.Into(c, filepath.Join(t.TempDir(), "other"))
			other.Score.Batch, other.Runner.Parallelism = 1, 1
			pipelinetest.Build(t, other)
			if !reflect.DeepEqual(pipelinetest.Rows(t, c, table.Rankings), pipelinetest.Rows(t, other, table.Rankings)) {
				t.Error("other batches rank other passages, or otherwise")
			}
			pipelinetest.SameAsAFullBuild(t, c)
		})
	}
}
