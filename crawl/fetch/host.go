package fetch

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// host is what a client remembers of a host: whose turn it is, and when.
type host struct {
	name string
	turn sync.Mutex // one request at a time

	next   time.Time     // no request before it
	asked  time.Duration // crawl-delay
	answer time.Duration // how long the last answer took
	given  int           // addresses given up in a row
	down   string        // why the host is given up, empty while it is not

	waiting func(until time.Time, why string)
}

// host finds or begins what is remembered of a host.
func (c *Client) host(name string) *host {
	c.lock.Lock()
	defer c.lock.Unlock()
	h := c.hosts[name]
	if h == nil {
		h = &host{name: name}
		h.waiting = func(until time.Time, why string) {
			if c.Waiting != nil {
				c.Waiting(name, until, why)
			}
		}
		c.hosts[name] = h
	}
	return h
}

// pause is how long the host is left in peace after an answer: the larger of
// the configured delay, what its robots.txt asks for, and five times what the
// last answer took, up to half a minute.
func (c *Client) pause(h *host) time.Duration {
	delay, own := c.policy.Delays[h.name]
	if !own {
		delay = c.policy.Delay
	}
	return max(delay, h.asked, min(slowness*h.answer, slowestPause))
}

// wait blocks until the host may be asked again.
func (h *host) wait(ctx context.Context) *Failure {
	d := time.Until(h.next)
	if d <= 0 {
		return stopped(ctx)
	}
	h.waiting(h.next, "")
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		h.waiting(time.Time{}, "")
		return nil
	case <-ctx.Done():
		return stopped(ctx)
	}
}

func stopped(ctx context.Context) *Failure {
	if err := ctx.Err(); err != nil {
		return temporary(ReasonStopped, err.Error())
	}
	return nil
}

// count gives a host up after so many addresses in a row.
func (h *host) count(f *Failure, most int) {
	switch {
	case f == nil:
		h.given = 0
	case f.gaveUp || f.Reason == ReasonGaveUp || f.Reason == ReasonNoRobots:
		if h.given++; h.given >= most && h.down == "" {
			h.down = fmt.Sprintf("%d addresses in a row were given up, the last one because of %s", h.given, f.Detail)
		}
	}
}
