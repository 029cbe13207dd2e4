package fetch

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"time"

	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/robots"
)

// rules are those of an address's authority, asked for at most once a day as long as they are
// kept. The host's turn is ours.
func (c *Client) rules(ctx context.Context, h *host, address crawl.Address) (robots.Rules, *Failure) {
	authority := address.Authority()
	c.lock.Lock()
	known, ok := c.robots[authority]
	c.lock.Unlock()
	if ok && time.Since(known.at) < robotsAge {
		return known.rules, known.failure
	}
	rules, failure := c.askRules(ctx, h, authority)
	if failure == nil || failure.Reason != ReasonStopped {
		c.remember(authority, rulesOf{rules, failure, time.Now()})
	}
	return rules, failure
}

// rulesOf is a robots.txt as it was at a time.
type rulesOf struct {
	rules   robots.Rules
	failure *Failure
	at      time.Time
}

// mostRules is how many bytes of robots.txt files are kept: a list may name a hundred thousand
// hosts with 500 KB each. A variable for tests.
var mostRules = 64 << 20

// remember keeps rules. Where they are too many, the others are asked for again when they are
// needed.
func (c *Client) remember(authority string, r rulesOf) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.held += r.rules.Size() - c.robots[authority].rules.Size()
	if c.held > mostRules {
		maps.DeleteFunc(c.robots, func(_ string, r rulesOf) bool { return r.rules.Size() > 0 })
		c.held = r.rules.Size()
	}
	c.robots[authority] = r
}

// mostRobots is more bytes than robots.txt files have, of which the first 500 KB are read. All
// of an answer is in memory, of as many hosts as are asked at a time.
const mostRobots = 8 << 20

// askRules fetches a robots.txt over at most five redirects (RFC 9309, 2.3.1).
func (c *Client) askRules(ctx context.Context, h *host, authority string) (robots.Rules, *Failure) {
	at, err := crawl.ParseAddress(authority + "/robots.txt")
	for range maxRedirects + 1 {
		if err != nil {
			return robots.DisallowAll(), &Failure{Reason: ReasonAddress, Detail: "robots.txt of " + authority + ": " + err.Error()}
		}
		if failure := c.check(at); failure != nil {
			return robots.DisallowAll(), failure
		}
		on := h
		if name := at.Host(); name != h.name {
			// Another host's turn: never while others may wait for ours and hold theirs.
			on = c.host(name)
			if !on.turn.TryLock() {
				return robots.DisallowAll(), temporary(ReasonNoRobots, "robots.txt leads to "+name+", which is being asked for something else")
			}
		}
		response, failure := c.persist(ctx, on, at, Request{MaxBytes: mostRobots})
		if on != h {
			on.turn.Unlock()
		}
		if failure != nil {
			if failure.Temporary && failure.Reason != ReasonStopped {
				failure = temporary(ReasonNoRobots, "robots.txt of "+authority+": "+failure.Detail+"; without it nothing may be fetched")
			}
			return robots.DisallowAll(), failure
		}
		var to crawl.Address
		if to, err = response.Location(); to.Valid() || err != nil {
			at = to
			continue
		}
		switch {
		case response.Status >= 400 && response.Status < 500:
			return robots.AllowAll(), nil
		case response.Status != http.StatusOK:
			return robots.DisallowAll(), temporary(ReasonNoRobots, fmt.Sprintf("robots.txt of %s has status %d", authority, response.Status))
		}
		m, err := Read(response.Raw, mostRobots)
		if err != nil {
			return robots.DisallowAll(), temporary(ReasonNoRobots, err.Error())
		}
		return robots.Parse(m.Body), nil
	}
	return robots.AllowAll(), nil // the RFC: after five it may be taken as not there
}
