package fetch

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/robots"
)

// rules are those of an address's authority, asked for at most once a day. The
// host's turn is ours.
func (c *Client) rules(ctx context.Context, h *host, address crawl.Address) (robots.Rules, *Failure) {
	authority := address.Authority()
	if known, ok := h.robots[authority]; ok && time.Since(known.at) < robotsAge {
		return known.rules, known.failure
	}
	rules, failure := c.askRules(ctx, h, authority)
	if failure == nil || failure.Reason != ReasonStopped {
		h.robots[authority] = rulesOf{rules, failure, time.Now()}
	}
	return rules, failure
}

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
		response, failure := c.persist(ctx, on, at, Request{MaxBytes: 64 << 20})
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
		m, err := Read(response.Raw, 64<<20)
		if err != nil {
			return robots.DisallowAll(), temporary(ReasonNoRobots, err.Error())
		}
		return robots.Parse(m.Body), nil
	}
	return robots.AllowAll(), nil // the RFC: after five it may be taken as not there
}
