package runner

import (
	"context"
	"runtime"
	"sync"

	"github.com/commonplace/commonplace/pipelines/worker"
)

// atOnce is how many elements are worked on at once.
func atOnce(n int) int {
	if n < 1 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}

// slots bound the elements that a worker works on at once, whatever the runner
// thinks: it is what --parallelism means on every runner. They are by their number.
var slots worker.Var[struct {
	sync.Mutex
	byNumber map[int]chan struct{}
}]

func slotsOf(ctx context.Context, n int) chan struct{} {
	s := slots.Of(ctx)
	s.Lock()
	defer s.Unlock()
	if s.byNumber == nil {
		s.byNumber = map[int]chan struct{}{}
	}
	if s.byNumber[n] == nil {
		s.byNumber[n] = make(chan struct{}, n)
	}
	return s.byNumber[n]
}

// slot waits for a free slot and returns the function that frees it.
func slot(ctx context.Context, n int) (free func(), err error) {
	taken := slotsOf(ctx, atOnce(n))
	select {
	case taken <- struct{}{}:
		return func() { <-taken }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
