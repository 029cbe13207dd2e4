package runner

import (
	"context"
	"sync"

	"github.com/commonplace/commonplace/pipelines/worker"
)

// The elements of a run share a worker, and what the job brings. In the submitting
// process both come with the context, which goes through Beam's own execution, and
// both end with the build. In a process elsewhere neither is there: its worker is
// processWorker, and the handler makes what is shared.

// processWorker is the worker of a process that a runner started elsewhere: it works
// for one run and lives as long as that. It is all that the elements of such a process
// have in common, and no build in this process touches it.
var processWorker = worker.New()

// onWorker gives an element's context a worker, and tells whether it is elsewhere.
func onWorker(ctx context.Context) (working context.Context, elsewhere bool) {
	w := worker.From(ctx)
	if w == nil {
		w, ctx = processWorker, worker.With(ctx, processWorker)
	}
	return ctx, w == processWorker
}

type sharedKey struct{}

// madeHere is what handlers made for the elements of their kinds.
var madeHere worker.Var[struct {
	sync.Mutex
	byKind map[string]any
}]

// withShared gives an element's context what its run shares in this process.
func withShared(ctx context.Context, kind string, h Handler) context.Context {
	if ctx.Value(sharedKey{}) != nil || h.Shared == nil {
		return ctx
	}
	made := madeHere.Of(ctx)
	made.Lock()
	defer made.Unlock()
	if made.byKind == nil {
		made.byKind = map[string]any{}
	}
	if made.byKind[kind] == nil {
		made.byKind[kind] = h.Shared()
	}
	return context.WithValue(ctx, sharedKey{}, made.byKind[kind])
}

// Shared is what the elements of a run share in this process: Job.Shared, or in a
// worker elsewhere what the handler's Shared made.
func Shared[T any](ctx context.Context) T { return ctx.Value(sharedKey{}).(T) }
