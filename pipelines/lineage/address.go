package lineage

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	"github.com/commonplace/commonplace/crawl/post"
)

// Times of an address. They are variables for tests.
var (
	patience   = 3 * time.Second // that the end of a build waits for events on their way
	firstPause = time.Second     // after which an event is sent again; each is twice the one before
	longest    = time.Minute     // of the pauses
)

// address sends events in their order, beside the build. One that does not arrive is
// sent again as long as the build works: a server may be started again.
type address struct {
	client post.Client
	name   string // for messages: no password, no path, no query

	lock    sync.Mutex
	waiting [][]byte
	more    chan struct{} // there are more, or no more come
	closing chan struct{}
	stop    context.CancelFunc
	done    chan struct{}

	all, lost int
	err       error // the last
}

func newAddress(u *url.URL, key string) *address {
	ctx, stop := context.WithCancel(context.Background()) // an interrupted build sends its end, too
	a := &address{
		client: post.Client{Address: u.String(), Key: key}, name: u.Scheme + "://" + u.Host,
		more: make(chan struct{}, 1), closing: make(chan struct{}), stop: stop, done: make(chan struct{}),
	}
	go a.work(ctx)
	return a
}

func (a *address) send(line []byte) {
	a.lock.Lock()
	a.waiting = append(a.waiting, line)
	a.all++
	a.lock.Unlock()
	select {
	case a.more <- struct{}{}:
	default:
	}
}

// next waits for an event; there is none when the build has ended.
func (a *address) next() ([]byte, bool) {
	for {
		a.lock.Lock()
		if len(a.waiting) > 0 {
			line := a.waiting[0]
			a.waiting = a.waiting[1:]
			a.lock.Unlock()
			return line, true
		}
		a.lock.Unlock()
		select {
		case <-a.more:
		case <-a.closing:
			a.lock.Lock()
			left := len(a.waiting)
			a.lock.Unlock()
			if left == 0 {
				return nil, false
			}
		}
	}
}

// work sends until there are no more. Once the build has ended the first event that does
// not arrive is the last that is tried.
func (a *address) work(ctx context.Context) {
	defer close(a.done)
	for {
		line, ok := a.next()
		if !ok {
			return
		}
		if arrived, again := a.deliver(ctx, line); !arrived {
			a.lost++
			if again {
				a.lost += len(a.waiting)
				return
			}
		}
	}
}

// deliver sends one event until it arrives. It gives up one that is refused, and where
// the build has ended one that might arrive later.
func (a *address) deliver(ctx context.Context, line []byte) (arrived, later bool) {
	for pause := firstPause; ; pause = min(2*pause, longest) {
		last := a.ending()
		err := a.client.Send(ctx, line)
		if err == nil {
			return true, false
		}
		if ctx.Err() != nil {
			if a.err == nil {
				a.err = errors.New("it does not answer in time")
			}
			return false, true
		}
		a.err = err
		switch {
		case errors.Is(err, post.ErrRefused):
			return false, false
		case last:
			return false, true
		}
		select {
		case <-a.closing:
		case <-time.After(pause):
		}
	}
}

func (a *address) ending() bool {
	select {
	case <-a.closing:
		return true
	default:
		return false
	}
}

func (a *address) close() error {
	close(a.closing)
	late := time.AfterFunc(patience, a.stop)
	defer late.Stop()
	<-a.done
	a.stop()
	if a.lost > 0 {
		return fmt.Errorf("%d of %d events did not reach %s: %w", a.lost, a.all, a.name, a.err)
	}
	return nil
}
