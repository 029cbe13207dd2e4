package infer

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// cpuWindow and gpuWindow are how many texts are in memory as ids at once, twice:
// one window is run while the next is encoded. They are sorted by length within
// it; a GPU's batches are larger and fill up only in a larger window.
const (
	cpuWindow = 2048
	gpuWindow = 16384
)

// work is one batch on its way to the graph.
type work struct {
	order  int // place among the batches of the call
	items  []*item
	window *sync.WaitGroup
}

// each has n inputs encoded, it.at of them 0 to n-1, runs the graph over them and
// yields each one's row. It encodes and yields from several goroutines at once,
// each input once; a row is gone when yield returns. The error is that of the
// first batch that failed, an [InputError] where it is encode's or yield's.
func (r *textRunner) each(ctx context.Context, n int, encode func(it *item) error, yield func(it *item, out row) error) error {
	if r.closed {
		return errors.New("the model is closed")
	}
	select {
	case r.calls <- true:
		defer func() { <-r.calls }()
	case <-ctx.Done():
		return ctx.Err()
	}
	var failed firstError
	batches := make(chan work)
	var running sync.WaitGroup
	for range min(cap(r.lanes), n) {
		running.Go(func() {
			for w := range batches {
				if err := r.take(ctx, w, &failed, yield); err != nil {
					failed.add(w.order, err)
				}
				w.window.Done()
			}
		})
	}
	size := min(n, r.window)
	free := make(chan []item, 2)
	free <- make([]item, size)
	if n > size {
		free <- make([]item, size)
	}
	order := 0
	for begin := 0; begin < n && !failed.any(); begin += size {
		items := <-free
		part := items[:min(size, n-begin)]
		err := inParallel(len(part), r.encoders, func(i int) error {
			it := &part[i]
			it.at, it.texts = begin+i, 1
			return atInput(it.at, encode(it))
		})
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			failed.add(order, err)
			break
		}
		group, left := r.batches(part), &sync.WaitGroup{}
		left.Add(len(group))
		for _, b := range group {
			batches <- work{order, b, left}
			order++
		}
		go func() {
			left.Wait()
			free <- items
		}()
	}
	close(batches)
	running.Wait()
	return failed.err
}

// take runs a batch, unless an earlier one has failed.
func (r *textRunner) take(ctx context.Context, w work, failed *firstError, yield func(it *item, out row) error) error {
	if failed.before(w.order) {
		return nil
	}
	var l *lane
	select {
	case l = <-r.lanes:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { r.lanes <- l }()
	if err := ctx.Err(); err != nil {
		return err
	}
	return r.run(l, w.items, r.rowsOf(w.items[0]), yield)
}

// firstError keeps the error of the lowest order.
type firstError struct {
	sync.Mutex
	order int
	err   error
}

func (f *firstError) add(order int, err error) {
	f.Lock()
	defer f.Unlock()
	if f.err == nil || order < f.order {
		f.order, f.err = order, err
	}
}

func (f *firstError) any() bool {
	f.Lock()
	defer f.Unlock()
	return f.err != nil
}

func (f *firstError) before(order int) bool {
	f.Lock()
	defer f.Unlock()
	return f.err != nil && f.order < order
}

// handful is how many texts a goroutine takes at once.
const handful = 16

// inParallel calls f for 0 to n-1 from several goroutines and returns the error
// of the lowest number that failed.
func inParallel(n, goroutines int, f func(i int) error) error {
	var failed firstError
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(goroutines, (n+handful-1)/handful) {
		wait.Go(func() {
			for {
				end := int(next.Add(handful))
				for i := end - handful; i < min(end, n); i++ {
					if failed.before(i) {
						return
					}
					if err := f(i); err != nil {
						failed.add(i, err)
						return
					}
				}
				if end >= n {
					return
				}
			}
		})
	}
	wait.Wait()
	return failed.err
}
