package datasets

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/table"
)

// splitsFile writes a line for each id.
func splitsFile(t *testing.T, lines ...map[string]any) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "splits.jsonl")
	var text []byte
	for _, l := range lines {
		b, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		text = append(append(text, b...), '\n')
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// A paper's own split and folds are taken, and what they do not name stays where it was.
func TestGivenSplits(t *testing.T) {
	pipelinetest.Demo(t)
	c := pipelinetest.Dataset(t, "demo", func(c *config.Config) {
		c.Label.Datasets = []string{config.DataTriples, config.DataCounts}
		c.Label.Split.By = "example" // near-duplicates of quotes that are not named stay elsewhere
	})
	pipelinetest.Build(t, c)
	before, quotes := map[string]string{}, map[string]bool{}
	for _, e := range pipelinetest.Rows(t, c, table.Examples) {
		before[e.ID] = e.Split
		quotes[e.QuoteID] = true
	}
	folds := map[string]int64{}
	for _, r := range pipelinetest.Rows(t, c, table.Counted) {
		folds[r.DocID] = r.Fold
	}
	var lines []map[string]any
	for id := range quotes {
		if strings.HasPrefix(id, "demo-") {
			lines = append(lines, map[string]any{"id": id, "split": "validation"})
		}
	}
	for id, fold := range folds {
		lines = append(lines, map[string]any{"id": id, "fold": (fold + 1) % 5})
		break
	}
	moved := lines[len(lines)-1]
	c.Label.Split.File = splitsFile(t, lines...)
	pipelinetest.Build(t, c)
	given := 0
	for _, e := range pipelinetest.Rows(t, c, table.Examples) {
		if strings.HasPrefix(e.QuoteID, "demo-") {
			given++
			if e.Split != "validation" {
				t.Errorf("%s of %s is in %s", e.ID, e.QuoteID, e.Split)
			}
		}
	}
	if given == 0 || given == len(before) {
		t.Errorf("%d of %d examples were given a split: some and not all", given, len(before))
	}
	for _, r := range pipelinetest.Rows(t, c, table.Counted) {
		want := folds[r.DocID]
		if r.DocID == moved["id"] {
			want = moved["fold"].(int64)
		}
		if r.Fold != want {
			t.Errorf("%s is in fold %d, want %d", r.PassageID, r.Fold, want)
		}
	}
}

func TestGivenSplitsThatCannotBe(t *testing.T) {
	pipelinetest.Demo(t)
	for want, lines := range map[string][]map[string]any{
		`split is "dev", must be train, validation or test`: {{"id": "a", "split": "dev"}},
		"line 2: a is in train and in test":                 {{"id": "a", "split": "train"}, {"id": "a", "split": "test"}},
		"the folds are 0 to 4":                              {{"id": "a", "fold": 5}},
		"expected split or fold":                            {{"id": "a"}},
		"expected id, a string":                             {{"id": 7, "split": "train"}},
	} {
		c := pipelinetest.Dataset(t, "demo", func(c *config.Config) { c.Label.Split.File = splitsFile(t, lines...) })
		_, err := givenSplits(t.Context(), c)
		if !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Ids that nothing of the run has are said, with how many they are, by one stage; a file
// of others' ids is refused.
func TestGivenIDsThatNothingHas(t *testing.T) {
	pipelinetest.Demo(t)
	c := pipelinetest.Dataset(t, "demo", func(c *config.Config) {
		c.Label.Datasets = []string{config.DataTriples, config.DataCounts}
		c.Label.Split.By = "example"
	})
	pipelinetest.Build(t, c)
	known := map[string]string{
		"quote":    pipelinetest.Rows(t, c, table.Examples)[0].QuoteID,
		"context":  pipelinetest.Rows(t, c, table.Examples)[0].ID,
		"document": pipelinetest.Rows(t, c, table.Documents)[0].ID,
	}
	for what, id := range known {
		for _, of := range []struct {
			ids  []string
			want string
		}{
			{[]string{id}, ""},
			{[]string{id, "zzz", "none"}, `warning: label.split.file: 2 of its 3 ids are those of no context, quote, source or conversation of this run, such as "none"`},
		} {
			var lines []map[string]any
			for _, id := range of.ids {
				lines = append(lines, map[string]any{"id": id, "split": "test"})
			}
			c.Label.Split.File = splitsFile(t, lines...)
			if what == "quote" && of.want == "" {
				pipelinetest.Build(t, c)
				for _, e := range pipelinetest.Rows(t, c, table.Examples) {
					if e.QuoteID == id && e.Split != "test" {
						t.Errorf("%s was given to test, and is in %s", id, e.Split)
					}
				}
			}
			var said []string
			for _, stage := range []engine.PreJobber{Examples{}, Windows{}, Replies{}, PositionTokens{}} {
				notes, err := stage.PreJobs(t.Context(), engine.Request{Config: c})
				if err != nil {
					t.Fatal(err)
				}
				said = append(said, notes...)
			}
			if got := strings.Join(said, "; "); got != of.want {
				t.Errorf("%s: %q, want %q", what, got, of.want)
			}
		}
	}
	c.Label.Split.File = splitsFile(t, map[string]any{"id": "zzz", "split": "test"}, map[string]any{"id": "none", "fold": 1})
	err := pipelinetest.TryBuild(c)
	if !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), `none of its 2 ids is that of a context, a quote, a source or a conversation of this run, such as "none"`) {
		t.Error(err)
	}
}

// Conversations have ids, too.
func TestGivenIDsOfConversations(t *testing.T) {
	c := pipelinetest.Dataset(t, "conversations", func(c *config.Config) { c.Recommend, c.Evaluate = config.Recommend{}, config.Evaluate{} })
	pipelinetest.Build(t, c)
	first := pipelinetest.Rows(t, c, table.Conversations)[0].ID
	c.Label.Split.File = splitsFile(t, map[string]any{"id": first, "split": "test"}, map[string]any{"id": "zzz", "split": "test"})
	notes, err := Replies{}.PreJobs(t.Context(), engine.Request{Config: c})
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0], `1 of its 2 ids`) || !strings.Contains(notes[0], `"zzz"`) {
		t.Errorf("%q, %v", notes, err)
	}
}

// A quotation has the split of what it quotes, so the id of a document that only quotes names nothing.
func TestGivenIDsOfQuotingDocuments(t *testing.T) {
	c := pipelinetest.Dataset(t, "relic-hathitrust", func(c *config.Config) { c.Recommend, c.Evaluate = config.Recommend{}, config.Evaluate{} })
	pipelinetest.Build(t, c)
	lines := []map[string]any{{"id": pipelinetest.Rows(t, c, table.Windows)[0].SourceID, "split": "test"}}
	for _, d := range pipelinetest.Rows(t, c, table.Documents) {
		if d.Role == "derived" {
			lines = append(lines, map[string]any{"id": d.ID, "split": "test"})
		}
	}
	c.Label.Split.File = splitsFile(t, lines...)
	notes, err := Windows{}.PreJobs(t.Context(), engine.Request{Config: c})
	want := fmt.Sprintf("%d of its %d ids are those of no context, quote, source or conversation", len(lines)-1, len(lines))
	if err != nil || len(lines) < 2 || len(notes) != 1 || !strings.Contains(notes[0], want) {
		t.Errorf("%q, %v, want %s", notes, err, want)
	}
}
