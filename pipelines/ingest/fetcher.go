package ingest

import (
	"sync"
	"time"

	"github.com/commonplace/commonplace/crawl/archive"
	"github.com/commonplace/commonplace/crawl/fetch"
)

// fetcher is what the workers of all hosts share in one process. A run has its own:
// two builds in one process keep apart what they know of hosts, as two processes do.
type fetcher struct {
	lock     sync.Mutex
	run      string
	round    int
	archive  *archive.Archive         // of the round; nil until it is read
	client   *fetch.Client            // of the run: a host's pause outlives a round
	progress map[string]*hostProgress // by host
}

// begin takes up a task's run and round. The lock is held.
func (f *fetcher) begin(t fetchTask) {
	if f.run != t.Run {
		f.run, f.client, f.archive, f.progress = t.Run, nil, nil, map[string]*hostProgress{}
	}
	if f.round != t.Round {
		f.round, f.archive = t.Round, nil
	}
}

// startRound begins a round with an archive that is read already.
func (f *fetcher) startRound(t fetchTask, a *archive.Archive) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.begin(t)
	f.archive = a
}

// archiveOf is the archive of a task's round; a worker elsewhere reads it.
func (f *fetcher) archiveOf(t fetchTask) (*archive.Archive, error) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.begin(t)
	if f.archive == nil {
		a, err := archive.Load(t.Archive, t.Run)
		if err != nil {
			return nil, err
		}
		f.archive = a
	}
	return f.archive, nil
}

// clientOf is the run's client. It reports waits to a host's progress.
func (f *fetcher) clientOf(t fetchTask, to *hostProgress) *fetch.Client {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.progress[to.Host] = to
	if f.client == nil {
		f.client = fetch.New(t.Policy)
		f.client.Waiting = f.waiting
	}
	return f.client
}

func (f *fetcher) waiting(host string, until time.Time, why string) {
	f.lock.Lock()
	a := f.progress[host]
	f.lock.Unlock()
	if a != nil {
		a.waits(until, why)
	}
}
