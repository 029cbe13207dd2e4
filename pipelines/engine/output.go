package engine

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/runner"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/sorting"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// taken is the count of what a task took of its units. The rest it rejected, or left out, as
// the config asks.
const taken = "taken"

// LeftOut is the count of units that make no row because the config does not want them.
const LeftOut = "left out"

// Output is what a task makes: rows of one shard, and rejects.
type Output[T any] struct {
	Ctx     context.Context
	stage   string
	shard   int
	Rows    *table.Writer[T]
	rejects rejectOrder

	InputChanged bool  // what was read is not what the task's fingerprint is of
	Parts        Parts // of the fingerprint, beside the task's

	In         int64            // units read
	Taken      int64            // units that made it into rows
	Unrecorded int64            // rejects without a row, which another's detail counts
	also       map[string]int64 // what else is worth counting
}

// Put writes a row; rows come in the table's order.
func (o *Output[T]) Put(row T) error { return o.Rows.Write(row) }

// PutAll takes the rows of one thing that was read.
func (o *Output[T]) PutAll(rows []T, err error) error {
	if err != nil {
		return err
	}
	o.In++
	for _, row := range rows {
		if err := o.Put(row); err != nil {
			return err
		}
	}
	o.Taken++
	return nil
}

// Reject writes a reject.
func (o *Output[T]) Reject(r commonplace.Reject) {
	r.Stage = o.stage
	o.rejects.add(r)
	runner.Log(o.Ctx).Info("rejected", "stage", o.stage, "shard", o.shard, "document", r.ID, "reason", r.Reason, "location", r.Location)
}

// Count adds to a counter that the commit record keeps.
func (o *Output[T]) Count(name string, n int64) {
	if o.also == nil {
		o.also = map[string]int64{}
	}
	o.also[name] += n
}

// WriteShard makes the shard of a task, unless its record says that it is there:
// rows and rejects are published first, then the record that vouches for them.
func WriteShard[T any](ctx context.Context, t Task, tab *table.Table[T], work func(*Output[T]) error) (rec table.TaskRecord, err error) {
	if rec, err := table.ReadTask(ctx, storage.Default, t.Out, t.Table, t.Shard, t.Of); err == nil && table.Fresh(rec, t.Fingerprint) {
		return rec, nil
	}
	w, err := tab.Create(ctx, t.Folder(t.Table), t.Shard, t.Of)
	if err != nil {
		return table.TaskRecord{}, err
	}
	defer w.Abort()
	o := &Output[T]{Ctx: ctx, stage: t.Stage, shard: t.Shard, Rows: w, rejects: rejectOrder{sorter: sorting.Sorter{Dir: storage.TempDir(ctx)}}}
	defer func() { err = errors.Join(err, o.rejects.sorter.Close()) }()
	if err := errors.Join(work(o), o.rejects.failed); err != nil {
		return table.TaskRecord{}, err
	}
	if err := ctx.Err(); err != nil {
		return table.TaskRecord{}, err
	}
	s, err := stageNamed(t.Stage)
	if err != nil {
		return table.TaskRecord{}, err
	}
	rec = table.TaskRecord{
		Untold: o.Unrecorded, Program: commonplace.Program(),
		Format: table.Format, Table: tab.Name, Stage: t.Stage,
		In:     map[string]int64{s.Unit: o.In},
		Counts: map[string]int64{taken: o.Taken},
	}
	rec.MadeFrom = t.Parts.with(o.Parts)
	for name, n := range o.also {
		rec.Counts[name] = n
	}
	if err := table.RemoveTask(ctx, storage.Default, t.Out, t.Table, t.Shard, t.Of); err != nil {
		return table.TaskRecord{}, err
	}
	if rec.Shard, err = w.Close(); err != nil {
		return table.TaskRecord{}, err
	}
	rec.Shard.Fingerprint = t.Fingerprint
	if o.InputChanged { // so that no run takes the shard for fresh
		rec.Shard.Fingerprint = storage.Key("changed", t.Fingerprint)
	}
	if rec.Rejects, err = writeRejects(ctx, t, &o.rejects); err != nil {
		return table.TaskRecord{}, err
	}
	if err := table.WriteTask(ctx, storage.Default, t.Out, rec); err != nil {
		return table.TaskRecord{}, err
	}
	runner.Count(ctx, s.Unit, o.In)
	runner.Count(ctx, s.Table, rec.Shard.Rows)
	runner.Count(ctx, "rejects", o.rejects.n+o.Unrecorded)
	runner.Log(ctx).Info("shard made", "stage", t.Stage, "shard", t.Shard, "shards", t.Of, "rows", rec.Shard.Rows, "rejected", o.rejects.n+o.Unrecorded)
	return rec, nil
}

// writeRejects writes the rejects' shard, also an empty one, so that every stage
// has its folder and a rebuilt shard forgets what it refused before.
func writeRejects(ctx context.Context, t Task, rejects *rejectOrder) (*table.ShardRecord, error) {
	dir := table.RejectsDir(t.Out, t.Stage)
	if rejects.n == 0 { // most shards, of which most had none before
		if rec, ok, err := noRejects(ctx, dir, t.Shard, t.Of); ok || err != nil {
			return &rec, err
		}
	}
	w, err := table.Rejects.Create(ctx, dir, t.Shard, t.Of)
	if err != nil {
		return nil, err
	}
	defer w.Abort()
	if err := rejects.each(w.Write); err != nil {
		return nil, err
	}
	rec, err := w.Close()
	if err == nil && rejects.n == 0 {
		emptyRejects.Of(ctx).CompareAndSwap(nil, &rec)
	}
	return &rec, err
}

// emptyRejects is the record of a shard without rejects, once a worker has written one.
var emptyRejects worker.Var[atomic.Pointer[table.ShardRecord]]

// noRejects reports whether a shard without rejects is there already.
func noRejects(ctx context.Context, dir string, k, of int) (table.ShardRecord, bool, error) {
	empty := emptyRejects.Of(ctx).Load()
	if empty == nil {
		return table.ShardRecord{}, false, nil
	}
	rec := *empty
	rec.File = table.ShardName(k, of)
	ok, err := storage.HasSum(ctx, storage.Join(dir, rec.File), rec.SHA256)
	return rec, ok, err
}
