package pipelines

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

func init() {
	register.DoFn3x1[context.Context, string, func(string, string), error](&workFn{})
	register.DoFn3x1[context.Context, string, func(*string) bool, error](&commitFn{})
	register.Emitter2[string, string]()
	register.Iter1[string]()
}

// namespace of the counters.
const namespace = "commonplace"

// job is the one shape of all stages: tasks, each worked on alone; their records
// gathered; one commit.
//
// Only tasks whose shards have to be made travel: of a library of which one book
// in a thousand is new, the others would cost more than the work. Where all shards
// are there and only the commit is not, one of them stands for all.
func job(p *beam.Pipeline, pl *plan, maxRejects float64, parallelism int) {
	scope := p.Root().Scope(pl.stage.name)
	stale := pl.stale
	if len(stale) == 0 {
		stale = pl.tasks[:1]
	}
	elements := make([]string, len(stale))
	for i, t := range stale {
		elements[i] = string(storage.MustJSON(t))
	}
	// Without the Reshuffle the runner fuses the list with the work into one worker.
	spread := beam.Reshuffle(scope, beam.CreateList(scope, elements))
	records := beam.ParDo(scope, &workFn{Parallelism: parallelism}, spread)
	beam.ParDo0(scope, newCommit(pl, maxRejects), beam.GroupByKey(scope, records))
}

// workFn makes one shard. It may run twice for one task, and at once with itself:
// the shard is published atomically and both write the same bytes.
type workFn struct {
	Parallelism int `json:"parallelism"` // tasks at once in one process
}

// ProcessElement makes the shard that the task names, unless its record says that
// it is there, and emits the record under the table's name.
func (f *workFn) ProcessElement(ctx context.Context, element string, emit func(string, string)) error {
	var t Task
	if err := json.Unmarshal([]byte(element), &t); err != nil {
		return fmt.Errorf("task: %w", err)
	}
	s, err := stageNamed(t.Stage)
	if err != nil {
		return err
	}
	defer slot(f.Parallelism)()
	rec, err := makeShard(ctx, s, t)
	if err != nil {
		err = fmt.Errorf("%s, shard %d of %d: %w", t.Stage, t.Shard, t.Of, err)
		reportFailure(t.Out, err)
		return err
	}
	emit(s.table, string(storage.MustJSON(rec)))
	return nil
}

// makeShard runs a stage's function and turns a panic into an error, so that the
// user reads one sentence; the log has the rest.
func makeShard(ctx context.Context, s *stage, t Task) (rec table.TaskRecord, err error) {
	defer func() {
		if p := recover(); p != nil {
			slog.Error("panic", "stage", t.Stage, "shard", t.Shard, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("a fault of the program: %v; run again with -v to see where", p)
		}
	}()
	// What is there may have been asked for again: by a bundle that runs twice, or
	// with a shard that stands for all.
	if rec, err := table.ReadTask(storage.Default, t.Out, t.Table, t.Shard, t.Of); err == nil && table.Fresh(rec, t.Fingerprint) {
		return rec, nil
	}
	return s.make(ctx, t)
}

// commitFn writes the table's commit record when every shard's record is there.
type commitFn struct {
	Stage             string   `json:"stage"`
	Table             string   `json:"table"`
	Out               string   `json:"out"`
	Settings          string   `json:"settings"`
	Inputs            string   `json:"inputs"`
	MaxRejectFraction float64  `json:"max_reject_fraction"`
	Fingerprints      []string `json:"fingerprints"` // of all tasks
}

func newCommit(pl *plan, maxRejects float64) *commitFn {
	f := &commitFn{
		Stage: pl.stage.name, Table: pl.table, Out: pl.tasks[0].Out, Settings: string(pl.tasks[0].Settings),
		Inputs: string(storage.MustJSON(pl.inputs)), MaxRejectFraction: maxRejects,
	}
	for _, t := range pl.tasks {
		f.Fingerprints = append(f.Fingerprints, t.Fingerprint)
	}
	return f
}

// ProcessElement checks that in = out + rejected and commits.
func (f *commitFn) ProcessElement(ctx context.Context, _ string, next func(*string) bool) error {
	var records []table.TaskRecord
	var element string
	for next(&element) {
		var r table.TaskRecord
		if err := json.Unmarshal([]byte(element), &r); err != nil {
			return fmt.Errorf("shard record: %w", err)
		}
		records = append(records, r)
	}
	records, err := f.all(ctx, records)
	if err == nil {
		err = f.commit(records)
	}
	if err != nil {
		reportFailure(f.Out, err)
	}
	return err
}

// all adds the records of the shards that were there to those of the shards that
// were made. They are read some at once: in a bucket, each is a request.
func (f *commitFn) all(ctx context.Context, made []table.TaskRecord) ([]table.TaskRecord, error) {
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
	err := eachShard(ctx, others, func(k int) error {
		r, err := table.ReadTask(storage.Default, f.Out, f.Table, k, len(records))
		if err == nil && !table.Fresh(r, f.Fingerprints[k]) {
			err = table.ErrNoRecord
		}
		if err != nil {
			return fmt.Errorf("%s: shard %d of %d was there and is gone (%w); run again", f.Stage, k, len(records), err)
		}
		records[k] = r
		return nil
	})
	return records, err
}

// atOnce is how many tasks run at once.
func atOnce(parallelism int) int {
	if parallelism < 1 {
		return runtime.GOMAXPROCS(0)
	}
	return parallelism
}

// slots bound the tasks that run at once in this process, whatever the runner
// thinks: it is what --parallelism means on the embedded runners.
var slots sync.Map

// slot waits for a free slot and returns the function that frees it.
func slot(parallelism int) func() {
	parallelism = atOnce(parallelism)
	v, _ := slots.LoadOrStore(parallelism, make(chan struct{}, parallelism))
	free := v.(chan struct{})
	free <- struct{}{}
	return func() { <-free }
}
