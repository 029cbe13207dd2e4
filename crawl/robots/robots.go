// Package robots reads robots.txt as RFC 9309 says it is read: the group of the
// most specific product token, its rules together however they are scattered,
// the longest match, and allow where two are as long. Matching is done by
// grobotstxt, which follows Google's own parser, the RFC's reference.
//
//	rules := robots.Parse(body)
//	if rules.Allows("commonplace", "https://example.org/books/1.txt") { ... }
package robots

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jimsmart/grobotstxt"
)

// MaxBytes of a robots.txt are read; the RFC (2.5) asks for at least 500 KiB.
const MaxBytes = 500 << 10

// MaxDelay is the longest crawl-delay that is honoured.
const MaxDelay = 300 * time.Second

// Rules are those of one authority (scheme, host and port).
type Rules struct {
	body string
	none bool // everything is disallowed: the authority did not answer
}

// Parse reads the body of a robots.txt. There is no wrong one: a line that is
// not understood is passed over.
func Parse(body []byte) Rules {
	if len(body) > MaxBytes {
		body = body[:MaxBytes]
		if at := strings.LastIndexAny(string(body), "\r\n"); at >= 0 {
			body = body[:at+1] // half a rule could mean more, or less, than the whole
		}
	}
	return Rules{body: normal(string(body))}
}

// normal writes percent-encoded octets in one way (RFC 9309, 2.2.2; RFC 3986,
// 6.2.2): unreserved characters as they are, others with capital digits. The
// library compares them as they are written.
func normal(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '%' || i+2 >= len(s) {
			b.WriteByte(s[i])
			continue
		}
		n, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		switch c := byte(n); {
		case err != nil:
			b.WriteByte('%')
			continue
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteString(strings.ToUpper(s[i : i+3]))
		}
		i += 2
	}
	return b.String()
}

// Size is how many bytes the rules take.
func (r Rules) Size() int { return len(r.body) }

// AllowAll are the rules where there is no robots.txt (status 4xx).
func AllowAll() Rules { return Rules{} }

// DisallowAll are the rules where it cannot be had (status 5xx, no answer).
func DisallowAll() Rules { return Rules{none: true} }

// Allows says whether the agent, a product token such as commonplace, may fetch
// an address. /robots.txt itself may always be fetched.
func (r Rules) Allows(agent, address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	if u.Path == "/robots.txt" {
		return true
	}
	if r.none {
		return false
	}
	return grobotstxt.AgentAllowed(r.body, agent, normal(address))
}

// Delay is the crawl-delay that the agent's group asks for, at most [MaxDelay],
// or 0. It is in no RFC; those who write it mean seconds.
func (r Rules) Delay(agent string) time.Duration {
	d := delays{agent: strings.ToLower(agent)}
	grobotstxt.Parse(r.body, &d)
	asked := d.everyone
	if d.met {
		asked = d.own
	}
	return min(asked, MaxDelay)
}

// delays finds the crawl-delay of an agent's group and of everyone's.
type delays struct {
	agent         string
	mine, others  bool // the lines that follow are for the agent, for everyone
	rules         bool // a rule was seen since the last user-agent line
	met           bool // the agent is named somewhere
	own, everyone time.Duration
}

func (d *delays) HandleRobotsStart()         {}
func (d *delays) HandleRobotsEnd()           {}
func (d *delays) HandleSitemap(int, string)  {}
func (d *delays) HandleAllow(int, string)    { d.rules = true }
func (d *delays) HandleDisallow(int, string) { d.rules = true }

func (d *delays) HandleUserAgent(_ int, value string) {
	if d.rules {
		d.mine, d.others, d.rules = false, false, false
	}
	token := strings.ToLower(strings.TrimSpace(value))
	if token == "*" || strings.HasPrefix(token, "* ") {
		d.others = true
		return
	}
	if end := strings.IndexFunc(token, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r == '-' || r == '_') }); end >= 0 {
		token = token[:end]
	}
	if token == d.agent {
		d.mine, d.met = true, true
	}
}

func (d *delays) HandleUnknownAction(_ int, action, value string) {
	if !strings.EqualFold(strings.TrimSpace(action), "crawl-delay") {
		return
	}
	d.rules = true
	seconds, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || !(seconds > 0) {
		return
	}
	delay := MaxDelay
	if seconds < MaxDelay.Seconds() {
		delay = time.Duration(seconds * float64(time.Second))
	}
	if d.mine {
		d.own = max(d.own, delay)
	}
	if d.others {
		d.everyone = max(d.everyone, delay)
	}
}
