package fetch

import (
	"crypto/x509"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// Client fetches. It is safe for concurrent use; requests to one host queue.
type Client struct {
	manners Manners
	http    *http.Client
	roots   *x509.CertPool // instead of the system's, for tests

	lock  sync.Mutex
	hosts map[string]*host

	// Waiting, when set before the first request, is told that a host is left in
	// peace until a time, and why when a server asked for it; with a zero time
	// that the wait is over.
	Waiting func(host string, until time.Time, why string)
}

// New makes a client.
func New(m Manners) *Client {
	if m.Agent == "" {
		m.Agent = "commonplace"
	}
	if m.Delay == 0 {
		m.Delay = 3 * time.Second
	}
	if m.Tries == 0 {
		m.Tries = 5
	}
	if m.Timeout == 0 {
		m.Timeout = 5 * time.Minute
	}
	if m.MaxWait == 0 {
		m.MaxWait = time.Hour
	}
	if m.MaxBytes == 0 {
		m.MaxBytes = 256 << 20
	}
	if m.GiveUp == 0 {
		m.GiveUp = 20
	}
	c := &Client{manners: m, hosts: map[string]*host{}}
	c.http = &http.Client{
		Transport:     c.transport(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c
}

// token is the product token that robots.txt files name.
func (c *Client) token() string {
	token, _, _ := strings.Cut(c.manners.Agent, "/")
	return token
}

// agent is the User-Agent: who asks, and where to complain.
func (c *Client) agent() string { return fmt.Sprintf("%s (+%s)", c.manners.Agent, c.manners.Contact) }

// check refuses what should not be asked for at all.
func (c *Client) check(address string) (*url.URL, *Failure) {
	refuse := func(format string, args ...any) (*url.URL, *Failure) {
		return nil, &Failure{Reason: ReasonAddress, Detail: fmt.Sprintf(format, args...)}
	}
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return refuse("%q is no address", address)
	case u.Scheme != "http" && u.Scheme != "https":
		return refuse("%q is no address of a web server", address)
	case u.Hostname() == "":
		return refuse("%q names no host", address)
	case u.User != nil:
		return refuse("the address of %s holds a user's name", u.Host)
	case len(address) > 8<<10:
		return refuse("an address of %d bytes", len(address))
	}
	if slices.Contains(c.manners.ForPeople, lowerHost(u)) && u.Path != "/robots.txt" &&
		!slices.ContainsFunc(c.manners.ForRobots, func(p string) bool { return strings.HasPrefix(u.Path, p) }) {
		return nil, &Failure{Reason: ReasonPeople, Detail: lowerHost(u) + " is for people and blocks programs; use a mirror"}
	}
	return u, nil
}
