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

// account is what a host's worker writes down for whoever submitted it. It goes
// through a file, because the worker may be elsewhere.
type account struct {
	engine.HostReport
	path string

	lock    sync.Mutex
	written time.Time
}

func newAccount(t fetchTask, targets int) *account {
	a := &account{path: t.Todo + ".account", HostReport: engine.HostReport{Host: t.Host, Left: targets}}
	a.write()
	return a
}

// accountEvery is how often an account is written, so that quick hosts cost nothing.
const accountEvery = 200 * time.Millisecond

func (a *account) change(do func()) {
	a.lock.Lock()
	do()
	due := time.Since(a.written) > accountEvery
	a.lock.Unlock()
	if due {
		a.write()
	}
}

func (a *account) settled() { a.change(func() { a.Left--; a.Done++ }) }

func (a *account) got(bytes int) {
	a.change(func() { a.Count.Requests++; a.Count.Bytes += int64(bytes) })
}

func (a *account) waits(until time.Time, why string) {
	a.change(func() { a.Until, a.Why = until, why })
}

// write replaces the account's file. Progress that cannot be told stops nothing.
func (a *account) write() {
	a.lock.Lock()
	defer a.lock.Unlock()
	a.written = time.Now()
	temp := a.path + ".tmp"
	if os.WriteFile(temp, storage.MustJSON(a.HostReport), 0o644) == nil {
		_ = os.Rename(temp, a.path)
	}
}

// readAccounts reads the accounts of a round.
func readAccounts(dir string) []engine.HostReport {
	names, _ := filepath.Glob(filepath.Join(dir, "*.account"))
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
	for _, h := range readAccounts(dir) {
		sum.Requests += h.Count.Requests
		sum.Bytes += h.Count.Bytes
	}
	return sum
}

// watchFetch tells of a round's progress until the context ends; the channel is
// closed when it has told the last.
func watchFetch(ctx context.Context, r engine.Request, dir string, before engine.FetchReport) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		if r.Fetching == nil {
			return
		}
		engine.Repeat(ctx, 500*time.Millisecond, func() {
			now := before
			now.Hosts = readAccounts(dir)
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
