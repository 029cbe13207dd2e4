package datasets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/commonplace/commonplace/crawl/chat"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/verify"
)

func TestFoldsAreOfWorks(t *testing.T) {
	c := pipelinetest.Dataset(t, "latin", func(c *config.Config) { c.Label.Split.Seed = 3 })
	pipelinetest.Build(t, c)
	folds := map[int64]bool{}
	for _, r := range pipelinetest.Rows(t, c, table.Counted) {
		if want := label.Fold(3, r.DocID, label.Folds); r.Fold != want {
			t.Errorf("%s is in fold %d, want %d", r.DocID, r.Fold, want)
		}
		folds[r.Fold] = true
	}
	if len(folds) < 2 {
		t.Errorf("all three works are in one fold: choose another seed for this test")
	}
}

func TestQuotusAgreements(t *testing.T) {
	c := pipelinetest.Dataset(t, "quotus", nil)
	pipelinetest.Build(t, c)
	verdicts := map[string]int{}
	for _, a := range pipelinetest.Rows(t, c, table.Agreements) {
		verdicts[a.Verdict]++
	}
	if verdicts[label.Same] < 5 || verdicts[label.NotFound] > 0 {
		t.Errorf("the file's alignments are plain, ours agree so: %v", verdicts)
	}
}

// What says the same is in one split, also where a list and essays quote the
// same books: whatever the seed.
func TestNoSplitLeaks(t *testing.T) {
	c := pipelinetest.Demo(t)
	c.Runner.Name = config.GoroutineRunner
	for seed := range int64(4) {
		c.Label.Split.Seed = seed
		err := engine.Build(context.Background(), engine.Request{Config: c, Force: seed > 0, Stages: nil})
		if err != nil {
			t.Fatal(err)
		}
		commit, err := table.ReadCommit(t.Context(), storage.Default, c.Out, "examples")
		if err != nil || commit.Checks["stretches_in_one_split"] == 0 || commit.Checks["quotes_in_one_split"] == 0 {
			t.Errorf("seed %d: held to %v, %v", seed, commit.Checks, err)
		}
	}
	// Were there no groups, it would be refused.
	bare := table.Groups
	commit, err := table.ReadCommit(t.Context(), storage.Default, c.Out, bare.Name)
	if err != nil {
		t.Fatal(err)
	}
	refused := false
	for seed := range int64(20) {
		check := label.NewSpanCheck()
		for _, path := range commit.ShardPaths(c.Out) {
			for g, err := range bare.Rows(t.Context(), path) {
				if err != nil {
					t.Fatal(err)
				}
				check.Add(g.DocID, g.SourceBegin, g.SourceEnd, label.Split{Train: .8, Validation: .1, Test: .1, Seed: seed}.Of(g.AlignmentID))
			}
		}
		refused = refused || check.Err() != nil
	}
	if !refused {
		t.Error("the demonstration has no overlapping spans: the check is held to nothing")
	}
}

// Two editions of a work are in one fold, and what the work alone says is in no
// language model that is for it.
func TestEditionsAreLeftOutTogether(t *testing.T) {
	c := pipelinetest.Dataset(t, "latin", nil)
	caesar := "caesar-de-bello-gallico"
	edition := ""
	for k := 0; edition == "" || label.Fold(c.Label.Split.Seed, edition, label.Folds) == label.Fold(c.Label.Split.Seed, caesar, label.Folds); k++ {
		edition = fmt.Sprintf("another-edition-%d", k) // by its own name it would be in another fold
	}
	text, err := os.ReadFile(filepath.Join("../../testdata/latin/sources", caesar+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	library := t.TempDir()
	if err := os.WriteFile(filepath.Join(library, edition+".txt"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	c.Sources[0].Files = append(c.Sources[0].Files, library)
	pipelinetest.Build(t, c)
	fold := map[string]int64{}
	for _, r := range pipelinetest.Rows(t, c, table.Counted) {
		fold[r.DocID] = r.Fold
	}
	if len(fold) != 4 || fold[edition] != fold[caesar] {
		t.Fatalf("the editions are not in one fold: %v", fold)
	}
	got, want := map[int64]int64{}, map[int64]int64{-1: 2} // the word's times outside of each fold
	for k := range int64(label.Folds) {
		if want[k] = 2; k == fold[caesar] {
			want[k] = 0
		}
	}
	for _, r := range pipelinetest.Rows(t, c, table.Language) {
		if r.Term == "gallia" {
			got[r.Fold] = r.Background
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("a word of one work stands outside of its folds %v times, want %v", got, want)
	}
}

// A language model on this machine is asked once for each context; what it said
// is kept, and the cap stops a run that the next one goes on from.
func TestParaphrases(t *testing.T) {
	var questions atomic.Int64
	asked := func() int { return int(questions.Load()) }
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		questions.Add(1)
		w.Write([]byte(`{"choices": [{"message": {"content": "In other words, the wheel."}}], "usage": {"prompt_tokens": 100, "completion_tokens": 10}}`))
	}))
	defer s.Close()
	cache := t.TempDir()
	with := func(most float64) *config.Config {
		return pipelinetest.Dataset(t, "gandhi", func(c *config.Config) {
			p := &c.Label.Paraphrase
			p.URL, p.Model, p.Cache, p.PromptPrice, p.AnswerPrice, p.MaxCost = s.URL, "small", cache, 1000, 1000, most
		})
	}
	capped := with(1.8) // a question may cost 1.2 at most and an answer costs 0.11
	capped.Runner.Parallelism = 1
	if err := engine.Build(context.Background(), engine.Request{Config: capped}); !errors.Is(err, chat.ErrCap) {
		t.Fatalf("the cap is passed: %v", err)
	}
	first := asked()
	c := with(0)
	pipelinetest.Build(t, c)
	rows := pipelinetest.Rows(t, c, table.Paraphrases)
	distinct := map[string]bool{}
	for _, r := range rows {
		distinct[r.Context] = true
		if r.Target != "In other words, the wheel." || r.Model != "small" || r.Overlap != label.Overlap(r.Context, r.Target) || strings.Contains(r.Context, r.Target) {
			t.Errorf("%+v", r)
		}
	}
	if len(rows) != len(pipelinetest.Rows(t, c, table.Examples)) || first == 0 || first >= len(distinct) || asked() != len(distinct) {
		t.Errorf("%d paraphrases of %d contexts, %d asked of the first run and %d of both", len(rows), len(distinct), first, asked())
	}
	pipelinetest.Build(t, with(0))
	if asked() != len(distinct) {
		t.Errorf("%d questions for %d contexts: the kept answers were not used", asked(), len(distinct))
	}
}

// A dataset that the config no longer names stays as long as it is up to date,
// and goes when the tables that it was made from change: nobody takes it for new.
func TestLeftoverDatasets(t *testing.T) {
	c := pipelinetest.Dataset(t, "gandhi", nil)
	pipelinetest.Build(t, c)
	c.Label.Datasets = []string{config.DataCounts}
	pipelinetest.Build(t, c)
	if len(pipelinetest.Rows(t, c, table.Examples)) == 0 {
		t.Error("examples are up to date and have no rows")
	}
	kept := func(kind string) int {
		found, err := filepath.Glob(filepath.Join(c.Out, cache.Folder, kind+"-*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	if kept("groups") == 0 || kept("stretches") == 0 {
		t.Error("groups are up to date, and what they were made from is gone")
	}
	c.Quotes[0].Path = filepath.Join(t.TempDir(), "quotes.jsonl")
	if err := os.WriteFile(c.Quotes[0].Path, []byte(`{"quote_id": "g07", "text": "The sea asks nobody for a licence."}`), 0o644); err != nil {
		t.Fatal(err)
	}
	reports := pipelinetest.Build(t, c)
	for stage, in := range map[string]string{"label": "alignments", "negatives": "alignments", "group": "alignments", "count": ""} {
		if reports[stage].Removed != in {
			t.Errorf("%s: removed for %q, want %q", stage, reports[stage].Removed, in)
		}
	}
	if kept("groups") > 0 || kept("stretches") > 0 || kept("sketches") == 0 {
		t.Errorf("the index keeps %d files of groups, %d of stretches and %d of sketches, of which works are made", kept("groups"), kept("stretches"), kept("sketches"))
	}
	if _, err := os.Stat(table.Dir(c.Out, "examples")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("old examples are there: %v", err)
	}
	if _, err := verify.Tables(t.Context(), storage.Local, c.Out, func(p verify.Problem) { t.Error(p) }); err != nil {
		t.Error(err)
	}
}

// Even folds are the same in every table that has one, and editions stay together.
func TestEvenFolds(t *testing.T) {
	c := pipelinetest.Dataset(t, "kjv-newspapers", func(c *config.Config) { c.Label.Counts.Folds = 2 })
	if !c.Label.Counts.EvenFolds {
		t.Fatal("the config of the King James Bible asks for even folds")
	}
	pipelinetest.Build(t, c)
	sizes := map[string]int64{}
	for _, p := range pipelinetest.Rows(t, c, table.Passages) {
		sizes[p.DocID]++
	}
	want := label.EvenFolds(c.Label.Split.Seed, sizes, 2)
	inFold := map[int64]int{}
	for _, r := range pipelinetest.Rows(t, c, table.Counted) {
		if r.Fold != want[r.DocID] {
			t.Errorf("%s is in fold %d, want %d", r.DocID, r.Fold, want[r.DocID])
		}
		inFold[r.Fold]++
	}
	words := map[int64]int64{} // what the language models of each fold leave out
	for _, r := range pipelinetest.Rows(t, c, table.Language) {
		words[r.Fold] += r.Background
	}
	if len(inFold) != 2 || len(words) != 3 {
		t.Errorf("passages by fold %v, words by fold %v", inFold, words)
	}
}

// Workers read the texts that editions and groups are found in, and not the machine that
// submits: also of a build that makes everything again.
func TestWorkersReadTexts(t *testing.T) {
	c := pipelinetest.Dataset(t, "gandhi", func(c *config.Config) { c.Runner.Name = config.EmbeddedRunner })
	for _, force := range []bool{false, true} {
		var log bytes.Buffer
		if err := engine.Build(t.Context(), engine.Request{Config: c, Force: force, Log: slog.New(slog.NewJSONHandler(&log, nil))}); err != nil {
			t.Fatal(err)
		}
		for _, job := range []string{"sketches", "stretches"} {
			if n := strings.Count(log.String(), "-"+job+`"`); n != 1 {
				t.Errorf("force %v: %d jobs made %s", force, n, job)
			}
		}
	}
}
