package runner

import (
	"context"
	"sync"
)

// What the elements of a run share in a process belongs to the run. In the submitting
// process the job brings it, and it is forgotten when the job ends. In a worker
// elsewhere the handler makes it, and it goes with the process.

// sharing holds what runs share in this process, by the run's folder, which is one
// run's at a time.
var sharing sync.Map

// share lends a job's value to its elements until done is called.
func share(out string, j Job) (done func()) {
	if j.Shared == nil {
		return func() {}
	}
	sharing.Store(out, j.Shared)
	return func() { sharing.Delete(out) }
}

type sharedKey struct{}

// withShared gives an element's context what its run shares in this process.
func withShared(ctx context.Context, out string, h Handler) context.Context {
	v, there := sharing.Load(out)
	if !there && h.Shared != nil {
		v, _ = sharing.LoadOrStore(out, h.Shared())
	}
	return context.WithValue(ctx, sharedKey{}, v)
}

// Shared is what the elements of a run share in this process: Job.Shared, or in a
// worker elsewhere what the handler's Shared made.
func Shared[T any](ctx context.Context) T { return ctx.Value(sharedKey{}).(T) }
