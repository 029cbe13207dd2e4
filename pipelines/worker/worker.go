// Package worker holds what the tasks of one build keep in memory of one process:
// models, the counts of words, the last quote list, the commit records. None of it
// decides a row, and all of it can be made again.
//
// A [Worker] belongs to a build and ends with it, so that two builds in one process
// share nothing. Where a runner starts this program on another machine, its process
// works for one run, and has one worker for its lifetime.
//
// Packages name what they keep by a [Var] or a [Memo], which are package variables
// that never change, as the keys of a context are.
package worker

import (
	"context"
	"io"
	"sync"
)

// Worker is the memory of a build's tasks in one process. It holds a value for each
// Var and Memo that was asked for, and each bounds itself.
type Worker struct {
	mu     sync.Mutex
	values map[any]any
}

// New is a worker that remembers nothing yet.
func New() *Worker { return &Worker{values: map[any]any{}} }

// Close forgets all values, and closes those that can be closed. Nobody may be
// using them.
func (w *Worker) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, v := range w.values {
		if c, ok := v.(io.Closer); ok {
			_ = c.Close() // what is given back holds no output
		}
	}
	w.values = map[any]any{}
}

type workerKey struct{}

// With hands a worker down.
func With(ctx context.Context, w *Worker) context.Context {
	return context.WithValue(ctx, workerKey{}, w)
}

// Begin gives a context a worker of its own, which ends with end.
func Begin(ctx context.Context) (working context.Context, end func()) {
	w := New()
	return With(ctx, w), w.Close
}

// From is the worker of a context; nil where it has none.
func From(ctx context.Context) *Worker {
	w, _ := ctx.Value(workerKey{}).(*Worker)
	return w
}

// Var names a value of which each worker has one: at first the zero T.
type Var[T any] struct {
	_ byte // every Var has an address of its own, which is its name
}

// Of is the value of the context's worker. Without a worker it is a new one, which
// nobody else sees.
func (v *Var[T]) Of(ctx context.Context) *T {
	w := From(ctx)
	if w == nil {
		return new(T)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if value, there := w.values[v]; there {
		return value.(*T)
	}
	value := new(T)
	w.values[v] = value
	return value
}
