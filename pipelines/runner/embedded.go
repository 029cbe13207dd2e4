package runner

import (
	"context"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/mtime"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/exec"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	"golang.org/x/sync/errgroup"
)

// The embedded runner executes a job in this process, with Beam's own execution
// of DoFns, and opens no port. Beam's Prism, which was used before, listens on all
// interfaces and starts any program that anybody asks it for; Beam's direct runner
// does one thing after the other.
//
// It knows what our jobs are made of: one line of steps without side inputs, in the
// global window. A Reshuffle or a GroupByKey is where work is handed out: each
// element or group behind it is a bundle of its own.

// bundle is an element or, behind a GroupByKey, a key with its values.
type bundle struct {
	element exec.FullValue
	values  []exec.ReStream
}

// runEmbedded runs a job with so many bundles at once, and returns its counters.
func runEmbedded(ctx context.Context, p *beam.Pipeline, atOnce int) (map[string]int64, error) {
	edges, _, err := p.Build()
	if err != nil {
		return nil, err
	}
	sums := map[string]int64{}
	var waiting []bundle
	var steps []*graph.MultiEdge // that the bundles have still to go through
	through := func() (made []exec.FullValue, err error) {
		made, err = runBundles(ctx, steps, waiting, atOnce, sums)
		waiting, steps = nil, nil
		return made, err
	}
	for i, e := range edges {
		if i > 0 && (len(e.Input) != 1 || len(edges[i-1].Output) != 1 || e.Input[0].From != edges[i-1].Output[0].To) {
			return nil, fmt.Errorf("step %v does not follow the one before it alone", e)
		}
		switch e.Op {
		case graph.Impulse:
			waiting = []bundle{{element: inGlobalWindow(e.Value)}}
		case graph.ParDo:
			steps = append(steps, e)
		case graph.Reshuffle:
			made, err := through()
			if err != nil {
				return nil, err
			}
			for _, v := range made {
				waiting = append(waiting, bundle{element: v})
			}
		case graph.CoGBK:
			made, err := through()
			if err != nil {
				return nil, err
			}
			waiting = grouped(made)
		default:
			return nil, fmt.Errorf("step %v: the embedded runner knows no %s", e, e.Op)
		}
	}
	_, err = through()
	return sums, err
}

func inGlobalWindow(element any) exec.FullValue {
	return exec.FullValue{Elm: element, Timestamp: mtime.ZeroTimestamp, Windows: window.SingleGlobalWindow}
}

// grouped gathers the values of each key. Keys are strings.
func grouped(pairs []exec.FullValue) []bundle {
	var keys []any
	values := map[any][]exec.FullValue{}
	for _, p := range pairs {
		if _, known := values[p.Elm]; !known {
			keys = append(keys, p.Elm)
		}
		values[p.Elm] = append(values[p.Elm], inGlobalWindow(p.Elm2))
	}
	groups := make([]bundle, len(keys))
	for i, k := range keys {
		groups[i] = bundle{inGlobalWindow(k), []exec.ReStream{&exec.FixedReStream{Buf: values[k]}}}
	}
	return groups
}

// runBundles puts bundles through some steps, in their order, so many at once. The
// first that fails ends the others. What comes out is in no order.
func runBundles(ctx context.Context, steps []*graph.MultiEdge, bundles []bundle, atOnce int, sums map[string]int64) ([]exec.FullValue, error) {
	if len(steps) == 0 {
		made := make([]exec.FullValue, len(bundles))
		for i, b := range bundles {
			made[i] = b.element
		}
		return made, nil
	}
	next := make(chan bundle, len(bundles))
	for _, b := range bundles {
		next <- b
	}
	close(next)
	workers := make([]*bundleWorker, min(atOnce, len(bundles)))
	g, working := errgroup.WithContext(ctx)
	for i := range workers {
		w, err := newBundleWorker(steps)
		if err != nil {
			return nil, err
		}
		workers[i] = w
		g.Go(func() error { return w.work(working, next) })
	}
	err := g.Wait()
	var made []exec.FullValue
	for _, w := range workers {
		made = append(made, w.to.made...)
		for name, n := range w.sums {
			sums[name] += n
		}
	}
	return made, err
}

// bundleWorker takes bundle after bundle through its own copy of some steps.
type bundleWorker struct {
	from *bundleSource
	to   *bundleSink
	plan *exec.Plan
	sums map[string]int64 // counters
}

// newBundleWorker copies the steps' functions as every runner does, so that what
// one keeps is not another's, and what does not travel is not missed elsewhere.
func newBundleWorker(steps []*graph.MultiEdge) (*bundleWorker, error) {
	w := &bundleWorker{to: &bundleSink{unit: unit(len(steps) + 1)}, sums: map[string]int64{}}
	units := []exec.Unit{w.to}
	var out exec.Node = w.to
	for i := len(steps) - 1; i >= 0; i-- {
		encoded, err := graphx.EncodeMultiEdge(steps[i])
		if err != nil {
			return nil, err
		}
		_, fn, _, in, _, err := graphx.DecodeMultiEdge(encoded)
		if err != nil {
			return nil, err
		}
		do, err := graph.AsDoFn(fn, graph.MainUnknown)
		if err != nil {
			return nil, err
		}
		step := &exec.ParDo{UID: exec.UnitID(i + 1), Fn: do, Inbound: in, PID: fmt.Sprint(i)}
		if len(steps[i].Output) > 0 {
			step.Out = []exec.Node{out}
		}
		out, units = step, append(units, step)
	}
	w.from = &bundleSource{to: out}
	var err error
	w.plan, err = exec.NewPlan("embedded", append(units, w.from))
	return w, err
}

func (w *bundleWorker) work(ctx context.Context, next <-chan bundle) error {
	defer w.plan.Down(ctx) // none of our functions has anything to tear down
	for b := range next {
		if err := ctx.Err(); err != nil {
			return err
		}
		w.from.bundle = b
		counting := metrics.SetBundleID(ctx, "embedded")
		if err := w.plan.Execute(counting, "", exec.DataContext{}); err != nil {
			return err
		}
		for name, n := range counters(metrics.ResultsExtractor(counting)) {
			w.sums[name] += n
		}
	}
	return nil
}

// unit is what the ends of a plan have in common.
type unit exec.UnitID

func (u unit) ID() exec.UnitID                                           { return exec.UnitID(u) }
func (unit) Up(context.Context) error                                    { return nil }
func (unit) StartBundle(context.Context, string, exec.DataContext) error { return nil }
func (unit) FinishBundle(context.Context) error                          { return nil }
func (unit) Down(context.Context) error                                  { return nil }

// bundleSource begins a plan with one bundle.
type bundleSource struct {
	unit
	bundle bundle
	to     exec.Node
}

func (s *bundleSource) StartBundle(ctx context.Context, id string, data exec.DataContext) error {
	return s.to.StartBundle(ctx, id, data)
}

func (s *bundleSource) Process(ctx context.Context) ([]*exec.Checkpoint, error) {
	return nil, s.to.ProcessElement(ctx, &s.bundle.element, s.bundle.values...)
}

func (s *bundleSource) FinishBundle(ctx context.Context) error { return s.to.FinishBundle(ctx) }

// bundleSink ends a plan and keeps what comes out.
type bundleSink struct {
	unit
	made []exec.FullValue
}

func (s *bundleSink) ProcessElement(_ context.Context, v *exec.FullValue, _ ...exec.ReStream) error {
	s.made = append(s.made, *v)
	return nil
}
