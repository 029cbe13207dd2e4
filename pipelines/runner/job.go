package runner

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

// Handler does the work of one kind of job, in whatever process the runner starts.
type Handler struct {
	// Work works on one element. It may run twice for one element, and at once
	// with itself, and must then give the same.
	Work func(ctx context.Context, element string) (result string, err error)

	// Finish is given all results, in no order, when every element is done.
	// Nil where nothing follows.
	Finish func(ctx context.Context, params string, results []string) error

	// Shared makes what the elements of a run share in one process, where the job
	// does not carry it: in a worker elsewhere. Nil where they share nothing.
	Shared func() any

	// Errors are the sentinels of this kind's errors, by a name under which they
	// travel from a worker on another machine.
	Errors map[string]error
}

// handlers by kind. They are registered before main and never change: Beam sends
// a kind's name to workers, and not its functions.
var handlers = map[string]Handler{}

// Register names a kind of job. Call it from init.
func Register(kind string, h Handler) { handlers[kind] = h }

func handlerOf(kind string) (Handler, error) {
	h, ok := handlers[kind]
	if !ok {
		return h, fmt.Errorf("this program knows no job of the kind %q: the worker is another version", kind)
	}
	return h, nil
}

// Job is one run of a kind's handler.
type Job struct {
	Kind     string   // that [Register] named
	Name     string   // for the log and the runner's own page
	Elements []string // what to work on
	Params   string   // for the last step
	Shared   any      // what its elements share in this process, see [Shared]; nil: nothing
	Models   bool     // its elements run models
	AtOnce   int      // elements at once in one process; less than 1: as many as there are processors
}

func init() {
	register.DoFn3x1[context.Context, string, func(string, string), error](&workFn{})
	register.DoFn3x1[context.Context, string, func(*string) bool, error](&finishFn{})
	register.Emitter2[string, string]()
	register.Iter1[string]()
}

// pipeline is the job as Beam sees it.
func (j Job) pipeline(out string) *beam.Pipeline {
	p := beam.NewPipeline()
	scope := p.Root().Scope(j.Name)
	// Without the Reshuffle the runner fuses the list with the work into one worker.
	spread := beam.Reshuffle(scope, beam.CreateList(scope, j.Elements))
	results := beam.ParDo(scope, &workFn{Kind: j.Kind, Out: out, AtOnce: j.AtOnce}, spread)
	beam.ParDo0(scope, &finishFn{Kind: j.Kind, Out: out, Params: j.Params}, beam.GroupByKey(scope, results))
	return p
}

// workFn is the step that works on one element.
type workFn struct {
	Kind   string `json:"kind"`
	Out    string `json:"out"`
	AtOnce int    `json:"at_once"` // elements at once in one process
}

// ProcessElement emits the element's result under one key for all.
func (f *workFn) ProcessElement(ctx context.Context, element string, emit func(string, string)) error {
	h, err := handlerOf(f.Kind)
	if err != nil {
		return err
	}
	ctx, elsewhere := onWorker(ctx)
	if ctx, err = WithTempDir(ctx, f.Out); err != nil {
		return err
	}
	free, err := slot(ctx, f.AtOnce)
	if err != nil {
		return err
	}
	defer free()
	result, err := h.Work(withShared(ctx, f.Kind, h), element)
	if err != nil {
		report(ctx, elsewhere, f.Out, h, err)
		return err
	}
	emit(f.Kind, result)
	return nil
}

// finishFn is the last step.
type finishFn struct {
	Kind   string `json:"kind"`
	Out    string `json:"out"`
	Params string `json:"params"`
}

// ProcessElement hands all results to the handler.
func (f *finishFn) ProcessElement(ctx context.Context, _ string, next func(*string) bool) error {
	h, err := handlerOf(f.Kind)
	if err != nil || h.Finish == nil {
		return err
	}
	ctx, elsewhere := onWorker(ctx)
	if ctx, err = WithTempDir(ctx, f.Out); err != nil {
		return err
	}
	var results []string
	for result := ""; next(&result); {
		results = append(results, result)
	}
	err = h.Finish(ctx, f.Params, results)
	if err != nil {
		report(ctx, elsewhere, f.Out, h, err)
	}
	return err
}

// namespace of the counters.
const namespace = "commonplace"

// Count adds to a counter of the job that ctx belongs to.
func Count(ctx context.Context, name string, n int64) {
	beam.NewCounter(namespace, name).Inc(ctx, n)
}

// errNoElements is returned for a job without elements, of which Beam's runners
// never run the last step.
var errNoElements = errors.New("a job without elements; this is a fault of the program")
