// Package fetch asks servers for single addresses and keeps to a policy: it
// says who asks, obeys robots.txt (RFC 9309), asks a host one thing at a time
// with a pause after every answer, waits as long as it is asked to, and takes no
// more than its limits.
//
//	client := fetch.New(fetch.Policy{Contact: "mailto:librarian@example.org", Delay: 3 * time.Second})
//	address, err := crawl.ParseAddress("https://example.org/books/1.txt")
//	response, failure := client.Get(ctx, address, fetch.Request{})
//
// A [Response] is the message as it came over the wire. Redirects are not
// followed: the caller asks for the new address, so that each is checked and
// counted like any other, and its host's worker asks for it.
//
// Politeness is kept by the client, for each host name, whatever the port. A run has
// one client for that reason.
package fetch

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/commonplace/commonplace/crawl"
)

// Policy is the rules of a client. The zero value of each but Contact is a
// default that can be answered for.
type Policy struct {
	Agent   string // product token and version, commonplace/0.1.0 when empty
	Contact string // address or page of who answers for the requests; empty only for what a person would fetch by hand

	Delay   time.Duration            // least pause between two requests to a host; 3 s when 0
	Delays  map[string]time.Duration // the same for single hosts
	Tries   int                      // requests for one address before giving up; 5 when 0
	Timeout time.Duration            // for one answer, from dialling to its last byte; 5 min when 0
	MaxWait time.Duration            // a server that asks to wait longer is given up; 1 h when 0

	MaxBytes  int64    // most bytes of a body, after decompression; 256 MiB when 0
	Private   []string // hosts, or host:port, that may have loopback and private addresses
	ForPeople []string // hosts that are for people: refused, but for the paths below
	ForRobots []string // path prefixes that programs may ask such hosts for
	GiveUp    int      // addresses of a host given up in a row before the host is; 20 when 0
}

// Limits that need no setting.
const (
	maxHeader    = 64 << 10
	slowestPause = 30 * time.Second // five times the last answer's time, but no more
	slowness     = 5
	robotsAge    = 24 * time.Hour
	maxRedirects = 5 // of a robots.txt
)

// Request is what goes with a request.
type Request struct {
	ETag     string                   // of what is there already: If-None-Match
	Modified string                   // If-Modified-Since
	MaxBytes int64                    // instead of the client's
	Sign     func(*url.URL)           // adds credentials, which appear in no record and no message
	Secrets  func(answer []byte) bool // says that an answer holds a credential: it is then not kept
}

// Response is one answer.
type Response struct {
	URL    crawl.Address // that was asked for, without credentials
	Status int
	Header http.Header
	Raw    []byte    // status line, header and body, as they came
	At     time.Time // when the request was sent
}

// Location is the address that a redirect leads to, the zero value when it is
// none. The error says that it leads to something else.
func (r *Response) Location() (crawl.Address, error) {
	switch r.Status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return crawl.Address{}, nil
	}
	to := r.Header.Get("Location")
	if to == "" {
		return crawl.Address{}, nil
	}
	return r.URL.Parse(to)
}

// Failure is why there is no answer to keep.
type Failure struct {
	Reason    string // one of the reasons below
	Detail    string
	Temporary bool // another run may have better luck

	gaveUp bool // after several tries, whose number is in the reason
}

// temporary is a failure that another try may mend.
func temporary(reason, detail string) *Failure {
	return &Failure{Reason: reason, Detail: detail, Temporary: true}
}

func (f *Failure) Error() string { return f.Reason + ": " + f.Detail }

// Reasons of a [Failure], as rejects name them.
const (
	ReasonAddress  = "bad address"
	ReasonPrivate  = "private address"
	ReasonRobots   = "disallowed by robots.txt"
	ReasonNoRobots = "no robots.txt to be had"
	ReasonPeople   = "site is for people"
	ReasonLimit    = "over the limit"
	ReasonEncoding = "unknown content encoding"
	ReasonSecret   = "holds a credential"
	ReasonGaveUp   = "gave up"
	ReasonHost     = "host given up"
	ReasonStopped  = "stopped"
)

// Get asks for an address, after robots.txt, and again where another try may
// help. It blocks while the host has to be left in peace.
func (c *Client) Get(ctx context.Context, address crawl.Address, request Request) (*Response, *Failure) {
	if failure := c.check(address); failure != nil {
		return nil, failure
	}
	h := c.host(address.Host())
	h.turn.Lock()
	defer h.turn.Unlock()
	if h.down != "" {
		return nil, temporary(ReasonHost, h.down)
	}
	rules, failure := c.rules(ctx, h, address)
	if failure == nil && !rules.Allows(c.token(), address.String()) {
		_, host, _ := strings.Cut(address.Authority(), "//")
		return nil, &Failure{Reason: ReasonRobots, Detail: "robots.txt of " + host + " disallows it to " + c.token()}
	}
	var response *Response
	if failure == nil {
		h.asked = rules.Delay(c.token())
		response, failure = c.persist(ctx, h, address, request)
	}
	h.count(failure, c.policy.GiveUp)
	return response, failure
}
