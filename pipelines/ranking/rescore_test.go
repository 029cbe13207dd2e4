package ranking

import (
	"context"
	"path/filepath"
	"sync"
	"testing"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// regrown builds the library, adds the book, and builds again; of its two shards
// one has the new book, with others.
func regrown(t *testing.T, force bool) (c *config.Config, reports map[string]engine.StageReport, read engine.Meter) {
	t.Helper()
	c, more := pipelinetest.Grown(t)
	c.Shards, c.Sources = 2, c.Sources[:1]
	pipelinetest.Build(t, c)
	more()
	reports = map[string]engine.StageReport{}
	err := engine.Build(context.Background(), engine.Request{Config: c, Force: force, Around: behindScores(func(ctx context.Context) { read = Score{}.Meter(ctx) }), Done: func(r engine.StageReport) { reports[r.Stage] = r }})
	if err != nil {
		t.Fatal(err)
	}
	return c, reports, read
}

// behindScores does something behind each task of the stage score, one at a time.
func behindScores(do func(context.Context)) func(context.Context, engine.Task, engine.MakeFunc) (table.TaskRecord, error) {
	var mu sync.Mutex
	return func(ctx context.Context, t engine.Task, work engine.MakeFunc) (table.TaskRecord, error) {
		rec, err := work(ctx, t)
		if t.Stage == "score" {
			mu.Lock()
			defer mu.Unlock()
			do(ctx)
		}
		return rec, err
	}
}

// What was kept is used: in a shard with a new book the model reads the new
// passages and no others, and of rankings a shard without it is copied.
func TestWhatWasKeptIsUsed(t *testing.T) {
	c, reports, read := regrown(t, false)
	fresh, others := int64(0), int64(0)
	shard := table.ShardOf("weathers", c.Shards)
	for _, p := range pipelinetest.Rows(t, c, table.Passages) {
		switch {
		case p.DocID == "weathers":
			fresh++
		case table.ShardOf(p.DocID, c.Shards) == shard:
			others++
		}
	}
	if fresh == 0 || others == 0 {
		t.Fatalf("%d new passages beside %d others", fresh, others)
	}
	if read.Units != fresh || read.Kept != others {
		t.Errorf("the model read %d passages and %d were kept, want %d and %d", read.Units, read.Kept, fresh, others)
	}
	if n := reports["rank"].Counters["revised"]; n != 1 {
		t.Errorf("%d shards of rankings were copied, want 1", n)
	}
	pipelinetest.SameAsAFullBuild(t, c)
}

// To force is to make everything again.
func TestForceTakesNothingOver(t *testing.T) {
	c, reports, read := regrown(t, true)
	if rows := reports["score"].Rows; read.Units != rows || read.Kept != 0 {
		t.Errorf("the model read %d passages of %d, and %d were kept", read.Units, rows, read.Kept)
	}
	if n := reports["rank"].Counters["revised"]; n != 0 {
		t.Errorf("%d shards of rankings were copied", n)
	}
	pipelinetest.SameAsAFullBuild(t, c)
}

// scoredInOneShard is a run whose scores are in one shard, the task of it, and what the cache says of its documents.
func scoredInOneShard(t *testing.T) (*config.Config, engine.Task, []scoredDocument) {
	t.Helper()
	c := pipelinetest.Demo(t)
	c.Shards = 1
	pipelinetest.Build(t, c)
	task := engine.Task{Out: c.Out, Shard: 0, Of: 1}
	lines, err := cache.ReadLines[scoredDocument](t.Context(), scoredPath(task))
	if err != nil || len(lines) == 0 {
		t.Fatalf("%d documents are kept, %v", len(lines), err)
	}
	return c, task, lines
}

// Scores are kept under the model as the worker ran it: the submitting machine,
// which may have another device, neither names nor removes them.
func TestScoresAreKeptUnderTheWorkersModel(t *testing.T) {
	c, task, lines := scoredInOneShard(t)
	here := lines[0].Model
	for i := range lines {
		lines[i].Model = "on a worker's device"
	}
	if err := cache.WriteLines(t.Context(), scoredPath(task), lines); err != nil {
		t.Fatal(err)
	}
	if err := sweepScored(t.Context(), c, task); err != nil {
		t.Fatal(err)
	}
	for model, want := range map[string]bool{"on a worker's device": true, here: false} {
		before, err := openScored(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		rows := before.of(lines[0].DocID, lines[0].Passages, model)
		before.stop()
		if (len(rows) > 0) != want {
			t.Errorf("model %q has %d rows", model, len(rows))
		}
	}
	if found, err := filepath.Glob(filepath.Join(c.Out, cache.Folder, "scored-*")); err != nil || len(found) != 1 {
		t.Errorf("%v, %v", found, err)
	}
}

// Whether a text taught a model is asked once, until the text or what taught the model is another.
func TestSampleIsAskedOnce(t *testing.T) {
	c, task, lines := scoredInOneShard(t)
	first, text := lines[0], ""
	if first.Sample != outOfSample {
		t.Fatalf("the first line is %+v", first)
	}
	for d, err := range table.Documents.Rows(t.Context(), storage.Join(c.Out, "documents", table.ShardName(0, 1)), "doc_id", "text") {
		if err != nil {
			t.Fatal(err)
		}
		if d.ID == first.DocID {
			text = d.Text
		}
	}
	lines[0].Sample = unknownSample // so that it shows where the answer is from
	if err := cache.WriteLines(t.Context(), scoredPath(task), lines); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ text, taughtBy, want string }{
		{text, first.Taught, unknownSample},
		{text + " ", first.Taught, outOfSample},
		{text, "another list", outOfSample},
	} {
		before, err := openScored(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		got := before.sample(first.DocID, test.text, &scorer{taught: &taught{known: true}, taughtBy: test.taughtBy})
		before.stop()
		if got.Sample != test.want || got.Taught != test.taughtBy {
			t.Errorf("%d bytes of text and the list %q: %+v, want %s", len(test.text), test.taughtBy, got, test.want)
		}
	}
}
