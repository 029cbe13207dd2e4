package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// jobKind names the jobs of stages for the runner.
const jobKind = "stage"

func init() {
	runner.Register(jobKind, runner.Handler{
		Work: workOn, Finish: finish, Errors: jobErrors,
	})
}

// jobErrors are the kinds of errors that travel from workers.
var jobErrors = map[string]error{"config": config.ErrInvalid, "storage": storage.ErrRefused, "rejects": ErrRejects}

// job is the one shape of all stages: tasks, each worked on alone; their records
// gathered; one commit.
//
// Only tasks whose shards have to be made travel: of a library of which one book
// in a thousand is new, the others would cost more than the work. Where all shards
// are there and only the commit is not, one of them stands for all.
func (pl *stagePlan) job(maxRejects float64, parallelism int) runner.Job {
	stale := pl.stale
	if len(stale) == 0 {
		stale = pl.tasks[:1]
	}
	elements := make([]string, len(stale))
	for i, t := range stale {
		elements[i] = string(storage.MustJSON(t))
	}
	return runner.Job{
		Kind: jobKind, Name: pl.stage.Name, Elements: elements, AtOnce: parallelism, Models: pl.external.Models,
		Params: string(storage.MustJSON(newCommitment(pl, maxRejects))),
	}
}

// workOn makes the shard that a task names, unless its record says that it is
// there, and returns the record. It may run twice for one task, and at once with
// itself: the shard is published atomically and both write the same bytes.
func workOn(ctx context.Context, element string) (record string, err error) {
	var t Task
	if err := json.Unmarshal([]byte(element), &t); err != nil {
		return "", fmt.Errorf("task: %w", err)
	}
	rec, err := runTask(ctx, t)
	if err != nil {
		return "", fmt.Errorf("%s, shard %d of %d: %w", t.Stage, t.Shard, t.Of, err)
	}
	return string(storage.MustJSON(rec)), nil
}

// runTask runs a stage's function and turns a panic into an error, so that the
// user reads one sentence; the log has the rest.
func runTask(ctx context.Context, t Task) (rec table.TaskRecord, err error) {
	s, err := stageNamed(t.Stage)
	if err != nil {
		return rec, err
	}
	defer func() {
		if p := recover(); p != nil {
			runner.Log(ctx).Error("panic", "stage", t.Stage, "shard", t.Shard, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("a fault of the program: %v; run again with -v to see where", p)
		}
	}()
	// What is there may have been asked for again: by a bundle that runs twice, or
	// with a shard that stands for all.
	if rec, err := table.ReadTask(ctx, storage.Default, t.Out, t.Table, t.Shard, t.Of); err == nil && table.Fresh(rec, t.Fingerprint) {
		return rec, nil
	}
	return s.makeShard(ctx, t)
}

// MakeFunc makes one shard.
type MakeFunc func(ctx context.Context, t Task) (table.TaskRecord, error)

type aroundKey struct{}

// makeShard makes a stage's shard, with what the build's request puts around it.
func (s *registered) makeShard(ctx context.Context, t Task) (table.TaskRecord, error) {
	if around, ok := ctx.Value(aroundKey{}).(func(context.Context, Task, MakeFunc) (table.TaskRecord, error)); ok && around != nil {
		return around(ctx, t, s.impl.Make)
	}
	return s.impl.Make(ctx, t)
}

// commitment is what the last step of a stage's job must know to commit the table.
type commitment struct {
	Stage             string   `json:"stage"`
	Table             string   `json:"table"`
	Out               string   `json:"out"`
	Settings          string   `json:"settings"`
	Inputs            string   `json:"inputs"`
	MaxRejectFraction float64  `json:"max_reject_fraction"`
	Fingerprints      []string `json:"fingerprints"` // of all tasks
}

func newCommitment(pl *stagePlan, maxRejects float64) *commitment {
	f := &commitment{
		Stage: pl.stage.Name, Table: pl.stage.Table, Out: pl.tasks[0].Out, Settings: string(pl.tasks[0].Settings),
		Inputs: string(storage.MustJSON(pl.inputs)), MaxRejectFraction: maxRejects,
	}
	for _, t := range pl.tasks {
		f.Fingerprints = append(f.Fingerprints, t.Fingerprint)
	}
	return f
}

// finish writes the table's commit record from the records of the job's shards.
func finish(ctx context.Context, params string, results []string) error {
	var c commitment
	if err := json.Unmarshal([]byte(params), &c); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	records := make([]table.TaskRecord, len(results))
	for i, result := range results {
		if err := json.Unmarshal([]byte(result), &records[i]); err != nil {
			return fmt.Errorf("shard record: %w", err)
		}
	}
	records, err := c.all(ctx, records)
	if err != nil {
		return err
	}
	return c.commit(ctx, records)
}

// all adds the records of the shards that were there to those of the shards that
// were made. They are read some at once: in a bucket, each is a request.
func (f *commitment) all(ctx context.Context, made []table.TaskRecord) ([]table.TaskRecord, error) {
	records, there := make([]table.TaskRecord, len(f.Fingerprints)), make([]bool, len(f.Fingerprints))
	for _, r := range made {
		k, of, ok := table.ParseShardName(r.Shard.File)
		if !ok || of != len(records) || there[k] {
			return nil, fmt.Errorf("%s: shard %q among %d tasks: twice, or of another number; this is a fault of the program", f.Stage, r.Shard.File, len(records))
		}
		records[k], there[k] = r, true
	}
	var others []int
	for k := range records {
		if !there[k] {
			others = append(others, k)
		}
	}
	err := ForEach(ctx, others, func(k int) error {
		r, err := table.ReadTask(ctx, storage.Default, f.Out, f.Table, k, len(records))
		if err == nil && !table.Fresh(r, f.Fingerprints[k]) {
			err = table.ErrNoRecord
		}
		if err != nil {
			return fmt.Errorf("%s: shard %d of %d disappeared during the run (%w); run the same command again", f.Stage, k, len(records), err)
		}
		records[k] = r
		return nil
	})
	return records, err
}
