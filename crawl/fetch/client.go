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

	"github.com/commonplace/commonplace/crawl"
)

// Client fetches. It is safe for concurrent use; requests to one host queue.
type Client struct {
	policy Policy
	http   *http.Client
	roots  *x509.CertPool // instead of the system's, for tests

	lock   sync.Mutex
	hosts  map[string]*host
	robots map[string]rulesOf // by authority
	held   int                // bytes of them

	// Waiting, when set before the first request, is called when a host is left in
	// peace until a time, and why when a server asked for it; with a zero time
	// that the wait is over.
	Waiting func(name string, until time.Time, why string)
}

// New makes a client.
func New(m Policy) *Client {
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
	c := &Client{policy: m, hosts: map[string]*host{}, robots: map[string]rulesOf{}}
	c.http = &http.Client{
		Transport:     c.transport(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c
}

// token is the product token that robots.txt files name.
func (c *Client) token() string {
	token, _, _ := strings.Cut(c.policy.Agent, "/")
	return token
}

// agent is the User-Agent: who asks, and where to complain.
func (c *Client) agent() string {
	if c.policy.Contact == "" {
		return c.policy.Agent
	}
	return fmt.Sprintf("%s (+%s)", c.policy.Agent, c.policy.Contact)
}

// check refuses what should not be asked for at all.
func (c *Client) check(address crawl.Address) *Failure {
	u, err := url.Parse(address.String())
	if err != nil || !address.Valid() {
		return &Failure{Reason: ReasonAddress, Detail: "there is no address"}
	}
	if slices.Contains(c.policy.ForPeople, address.Host()) && u.Path != "/robots.txt" &&
		!slices.ContainsFunc(c.policy.ForRobots, func(p string) bool { return strings.HasPrefix(u.Path, p) }) {
		return &Failure{Reason: ReasonPeople, Detail: address.Host() + " is for people and blocks programs; use a mirror"}
	}
	return nil
}
