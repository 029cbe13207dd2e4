package datasets

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// An article that quotes transcripts of two splits would have its text in both: it makes no
// query, and the table's check knows articles.
func TestNoArticleIsInTwoSplits(t *testing.T) {
	c := pipelinetest.Dataset(t, "quotus", nil)
	given, err := os.ReadFile(c.Sources[1].Files[0])
	if err != nil {
		t.Fatal(err)
	}
	const both = `{"id": "article-both", "title": "From bridges to harbors", "date": "2013-09-06", "text": "The two speeches have more in common than their length, though nobody who heard them said so. ` +
		`Of the first one this is remembered: “A bridge is a promise that one shore makes to the other.” ` +
		`And of the second this: “I say that a harbor is never finished; the silt does not vote, and it does not sleep, and it does not care who won.”"}` + "\n"
	articles := filepath.Join(t.TempDir(), "articles.jsonl")
	if err := os.WriteFile(articles, []byte(strings.TrimRight(string(given), "\n")+"\n"+both), 0o666); err != nil {
		t.Fatal(err)
	}
	pipelinetest.Build(t, c)
	before := len(pipelinetest.Rows(t, c, table.Queries))
	c.Sources[1].Files = []string{articles}
	pipelinetest.Build(t, c)
	split := map[string]string{}
	rows := pipelinetest.Rows(t, c, table.Queries)
	for _, q := range rows {
		if first, seen := split[q.ArticleID]; seen && first != q.Split {
			t.Errorf("%s is in %s and in %s", q.ArticleID, first, q.Split)
		}
		split[q.ArticleID] = q.Split
	}
	commit, err := table.ReadCommit(t.Context(), storage.Default, c.Out, "queries")
	if err != nil || commit.Counts["in_articles_of_two_splits"] != 2 || commit.Checks["articles_in_one_split"] != int64(len(split)) {
		t.Errorf("counts %v, checks %v, %v", commit.Counts, commit.Checks, err)
	}
	if len(rows) != before {
		t.Errorf("%d queries, and %d before the article came", len(rows), before)
	}
	if len(split) == 0 || split["articles/article-both"] != "" {
		t.Errorf("%v", split)
	}
}
