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
// gathered; one commit. The commit stands behind a GroupByKey, because a working
// step without output makes Prism 2.77 spin for as long as the step takes.
func job(p *beam.Pipeline, s *stage, tasks []Task, inputs map[string]string, maxRejects float64, parallelism int) {
	scope := p.Root().Scope(s.name)
	elements := make([]string, len(tasks))
	for i, t := range tasks {
		elements[i] = string(mustJSON(t))
	}
	// Without the Reshuffle the runner fuses the list with the work into one worker.
	spread := beam.Reshuffle(scope, beam.CreateList(scope, elements))
	records := beam.ParDo(scope, &workFn{Parallelism: parallelism}, spread)
	beam.ParDo0(scope, &commitFn{
		Stage:             s.name,
		Table:             tasks[0].Table,
		Out:               tasks[0].Out,
		Settings:          string(tasks[0].Settings),
		Inputs:            string(mustJSON(inputs)),
		MaxRejectFraction: maxRejects,
	}, beam.GroupByKey(scope, records))
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
	emit(s.table, string(mustJSON(rec)))
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
	return s.make(ctx, t)
}

// commitFn writes the table's commit record when every shard's record is there.
type commitFn struct {
	Stage             string  `json:"stage"`
	Table             string  `json:"table"`
	Out               string  `json:"out"`
	Settings          string  `json:"settings"`
	Inputs            string  `json:"inputs"`
	MaxRejectFraction float64 `json:"max_reject_fraction"`
}

// ProcessElement checks that in = out + rejected and commits.
func (f *commitFn) ProcessElement(ctx context.Context, name string, next func(*string) bool) error {
	var records []table.TaskRecord
	var element string
	for next(&element) {
		var r table.TaskRecord
		if err := json.Unmarshal([]byte(element), &r); err != nil {
			return fmt.Errorf("shard record: %w", err)
		}
		records = append(records, r)
	}
	err := f.commit(records)
	if err != nil {
		reportFailure(f.Out, err)
	}
	return err
}

// slots bound the tasks that run at once in this process, whatever the runner
// thinks: it is what --parallelism means on the embedded runners.
var slots sync.Map

// slot waits for a free slot and returns the function that frees it.
func slot(parallelism int) func() {
	if parallelism < 1 {
		parallelism = runtime.GOMAXPROCS(0)
	}
	v, _ := slots.LoadOrStore(parallelism, make(chan struct{}, parallelism))
	free := v.(chan struct{})
	free <- struct{}{}
	return func() { <-free }
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // our own structs always marshal
	}
	return b
}
