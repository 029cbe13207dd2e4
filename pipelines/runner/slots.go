package runner

import (
	"context"
	"fmt"
	"runtime"
	"sync"
)

// atOnce is how many elements are worked on at once.
func atOnce(n int) int {
	if n < 1 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}

// slots bound the elements of a run that are worked on at once in this process,
// whatever the runner thinks: it is what --parallelism means on every runner.
var slots sync.Map

// slot waits for a free slot and returns the function that frees it.
func slot(ctx context.Context, out string, n int) (free func(), err error) {
	n = atOnce(n)
	v, _ := slots.LoadOrStore(fmt.Sprint(n, " ", out), make(chan struct{}, n))
	taken := v.(chan struct{})
	select {
	case taken <- struct{}{}:
		return func() { <-taken }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
