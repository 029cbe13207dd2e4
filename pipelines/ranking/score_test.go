package ranking

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// A passage's score is the same bits in another cut into shards, with another
// batch and other tasks beside it; the table says what gave it.
func TestScoresDoNotDependOnShards(t *testing.T) {
	for _, head := range []string{"quotability", "quotability-sequence"} {
		t.Run(head, func(t *testing.T) {
			scored := func(shards, batch, parallelism int) map[string]commonplace.Score {
				c := pipelinetest.Demo(t)
				c.Shards, c.Runner.Parallelism = shards, parallelism
				c.Score.Model, c.Score.Batch = filepath.Join("../../infer/testdata/models", head), batch
				reports := map[string]engine.StageReport{}
				for _, stage := range []string{"crawl", "segment", "score"} {
					err := engine.Build(t.Context(), engine.Request{Config: c, Stages: []string{stage}, Done: func(r engine.StageReport) { reports[r.Stage] = r }})
					if err != nil {
						t.Fatal(err)
					}
				}
				rows := map[string]commonplace.Score{}
				truncated := int64(0)
				for _, s := range pipelinetest.Rows(t, c, table.Scores) {
					rows[s.PassageID] = s
					if s.Truncated {
						truncated++
					}
				}
				commit, err := table.ReadCommit(t.Context(), storage.Default, c.Out, "scores")
				if err != nil {
					t.Fatal(err)
				}
				if truncated == 0 || commit.Counts["truncated"] != truncated {
					t.Errorf("%d rows are truncated, the record counts %d", truncated, commit.Counts["truncated"])
				}
				return rows
			}
			one, other := scored(2, 0, 2), scored(5, 1, 1)
			if len(one) < 20 || len(one) != len(other) {
				t.Fatalf("%d and %d passages", len(one), len(other))
			}
			manifest, err := infer.ReadManifest(filepath.Join("../../infer/testdata/models", head))
			if err != nil {
				t.Fatal(err)
			}
			for id, s := range one {
				if !reflect.DeepEqual(s, other[id]) {
					t.Errorf("%+v and %+v", s, other[id])
				}
				if s.ModelSHA256 != manifest.SHA256 || s.Device != "cpu" || s.Precision != "fp32" || s.Model != manifest.Name {
					t.Errorf("%+v does not say what gave it", s)
				}
			}
		})
	}
}
