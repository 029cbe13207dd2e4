package ingest

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
)

// hostProgress is what a host's worker writes down for the process that submitted it. It goes
// through a file, because the worker may be elsewhere.
type hostProgress struct {
	engine.HostReport
	path string

	lock    sync.Mutex
	written time.Time
}

func newHostProgress(t fetchTask, targets int) *hostProgress {
	a := &hostProgress{path: t.Todo + ".progress", HostReport: engine.HostReport{Host: t.Host, Left: targets}}
	a.write()
	return a
}

// progressEvery is how often progress is written, so that quick hosts cost nothing.
const progressEvery = 200 * time.Millisecond

func (a *hostProgress) change(do func()) {
	a.lock.Lock()
	do()
	due := time.Since(a.written) > progressEvery
	a.lock.Unlock()
	if due {
		a.write()
	}
}

func (a *hostProgress) settled() { a.change(func() { a.Left--; a.Done++ }) }

func (a *hostProgress) got(bytes int) {
	a.change(func() { a.Count.Requests++; a.Count.Bytes += int64(bytes) })
}

func (a *hostProgress) waits(until time.Time, why string) {
	a.change(func() { a.Until, a.Why = until, why })
}

// write replaces the file. Progress that cannot be written stops nothing.
func (a *hostProgress) write() {
	a.lock.Lock()
	defer a.lock.Unlock()
	a.written = time.Now()
	temp := a.path + ".tmp"
	if os.WriteFile(temp, storage.MustJSON(a.HostReport), 0o644) == nil {
		_ = os.Rename(temp, a.path)
	}
}

// readHostProgress reads the progress of a round.
func readHostProgress(dir string) []engine.HostReport {
	names, _ := filepath.Glob(filepath.Join(dir, "*.progress"))
	var list []engine.HostReport
	for _, name := range names {
		var h engine.HostReport
		if b, err := os.ReadFile(name); err == nil && json.Unmarshal(b, &h) == nil {
			list = append(list, h)
		}
	}
	return list
}

func fetchCounts(dir string) (sum engine.FetchCount) {
	for _, h := range readHostProgress(dir) {
		sum.Requests += h.Count.Requests
		sum.Bytes += h.Count.Bytes
	}
	return sum
}

// watchFetch reports a round's progress until the context ends; the channel is
// closed after its last report.
func watchFetch(ctx context.Context, r engine.Request, dir string, before engine.FetchReport) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		if r.Fetching == nil {
			return
		}
		engine.Repeat(ctx, 500*time.Millisecond, func() {
			now := before
			now.Hosts = readHostProgress(dir)
			for _, h := range now.Hosts {
				now.Settled += h.Done
				now.Requests += h.Count.Requests
				now.Bytes += h.Count.Bytes
			}
			r.Fetching(now)
		})
	}()
	return done
}
