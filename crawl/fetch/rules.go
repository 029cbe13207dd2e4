package fetch

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/commonplace/commonplace/crawl/robots"
)

// rules are those of an address's authority, asked for at most once a day. The
// host's turn is ours.
func (c *Client) rules(ctx context.Context, h *host, u *url.URL) (robots.Rules, *Failure) {
	authority := u.Scheme + "://" + u.Host
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
	at := authority + "/robots.txt"
	for range maxRedirects + 1 {
		u, failure := c.check(at)
		if failure != nil {
			return robots.DisallowAll(), failure
		}
		on := h
		if name := lowerHost(u); name != h.name {
			// Another host's turn: never while others may wait for ours and hold theirs.
			on = c.host(name)
			if !on.turn.TryLock() {
				return robots.DisallowAll(), &Failure{ReasonNoRobots, "robots.txt leads to " + name + ", which is being asked for something else", true}
			}
		}
		response, failure := c.persist(ctx, on, u, Ask{MaxBytes: 64 << 20})
		if on != h {
			on.turn.Unlock()
		}
		if failure != nil {
			if failure.Temporary && failure.Reason != ReasonStopped {
				failure = &Failure{ReasonNoRobots, "robots.txt of " + authority + ": " + failure.Detail + "; without it nothing may be fetched", true}
			}
			return robots.DisallowAll(), failure
		}
		switch {
		case response.Location() != "":
			at = response.Location()
			continue
		case response.Status >= 400 && response.Status < 500:
			return robots.AllowAll(), nil
		case response.Status != http.StatusOK:
			return robots.DisallowAll(), &Failure{ReasonNoRobots, fmt.Sprintf("robots.txt of %s has status %d", authority, response.Status), true}
		}
		m, err := Read(response.Raw, 64<<20)
		if err != nil {
			return robots.DisallowAll(), &Failure{ReasonNoRobots, err.Error(), true}
		}
		return robots.Parse(m.Body), nil
	}
	return robots.AllowAll(), nil // the RFC: after five it may be taken as not there
}
