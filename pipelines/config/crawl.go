package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/fetch"
	"github.com/commonplace/commonplace/crawl/gutenberg"
	"github.com/commonplace/commonplace/storage"
)

// Crawl is how servers are asked. Nothing here changes what is made of an answer.
type Crawl struct {
	Contact       string                   `yaml:"contact" doc:"who is responsible for the requests: a mail address or a web page, sent in every User-Agent; required if a source is fetched, unless it is no more than 100 eBooks by their numbers"`
	Delay         time.Duration            `yaml:"delay" doc:"shortest pause between two requests to a host. The pause is at least five times the last answer's time, up to 30s, and at least what robots.txt asks for, up to 5m"`
	Delays        map[string]time.Duration `yaml:"delays" doc:"shortest pause for single hosts, such as mirror.example.org: 1s"`
	Tries         int                      `yaml:"tries" doc:"requests for one address before it is given up"`
	GiveUp        int                      `yaml:"give_up" doc:"the fetcher gives up a host, for this run, after it gave up this many of its addresses in a row"`
	Timeout       time.Duration            `yaml:"timeout" doc:"longest time for one answer, to its last byte"`
	MaxWait       time.Duration            `yaml:"max_wait" doc:"longest Retry-After that is waited for"`
	Hosts         int                      `yaml:"hosts" doc:"hosts that one process may fetch from at the same time; each host gets one request at a time"`
	Refresh       time.Duration            `yaml:"refresh" doc:"when a finished crawl is older than this, the next build revalidates it with conditional requests; 0 always does. A crawl whose end is in the future, because a clock was wrong, is revalidated too"`
	Archive       string                   `yaml:"archive" doc:"folder of what was fetched, relative to the config file. Runs may share one, so that a book is fetched once (default: archive, beside the tables)"`
	Mirrors       []string                 `yaml:"mirrors" doc:"roots of Project Gutenberg's mirrors, for books and lists that are named by their numbers alone"`
	PrivateHosts  []string                 `yaml:"private_hosts" doc:"hosts, or host:port, that may have loopback and private addresses"`
	GutenbergSite string                   `yaml:"gutenberg_site" doc:"refuse or allow: whether www.gutenberg.org, which is for people, may be asked for books"`
}

func defaultCrawl() Crawl {
	return Crawl{Delay: 3 * time.Second, Tries: 5, GiveUp: 20, Timeout: 5 * time.Minute, MaxWait: time.Hour, Hosts: 32, Refresh: 7 * 24 * time.Hour, Mirrors: gutenbergMirrors, GutenbergSite: "refuse"}
}

// Policy is the fetcher's own.
func (c Crawl) Policy() fetch.Policy {
	m := fetch.Policy{Agent: "commonplace/" + commonplace.Version, Contact: c.Contact, Delay: c.Delay, Delays: c.Delays, Tries: c.Tries, GiveUp: c.GiveUp, Timeout: c.Timeout,
		MaxWait: c.MaxWait, Private: c.PrivateHosts, ForRobots: gutenberg.FeedPaths}
	if c.GutenbergSite != "allow" {
		m.ForPeople = gutenberg.PeopleSites
	}
	return m
}

// ContactIs says what crawl.contact must be.
const ContactIs = "a mail address or page for complaints; every request sends it"

// mostNameless is how many eBooks a config may fetch without saying who asks: what a
// reader would fetch by hand.
const mostNameless = 100

// NeedsContact says that servers must be told who asks.
func (c *Config) NeedsContact() bool {
	if c.Crawl.Contact != "" {
		return false
	}
	books := len(c.FetchedLists())
	for _, s := range c.Sources {
		if !s.Fetched() {
			continue
		}
		if s.Kind != gutenbergKind.Name || !s.Gutenberg.ByNumber() {
			return true
		}
		books += len(s.Gutenberg.IDs)
	}
	return books > mostNameless
}

// FetchedLists are the lists of quotations that are eBooks.
func (c *Config) FetchedLists() []QuoteList {
	return slices.DeleteFunc(slices.Clone(c.Quotes), func(q QuoteList) bool { return q.Gutenberg == 0 })
}

// fetchedList is where a fetched list is written as a text.
func (c *Config) fetchedList(q QuoteList) string {
	return storage.Join(c.Crawl.Archive, "lists", fmt.Sprintf("%d.txt", q.Gutenberg))
}

// SourceOf is a fetched list as a source of one book.
func (c *Config) SourceOf(q QuoteList) Source {
	s := NewSource(gutenbergKind.Name)
	s.Name, s.Gutenberg.IDs, s.Fetch.Mirrors, s.Limits = q.Name, []int64{q.Gutenberg}, c.Crawl.Mirrors, q.Limits
	return s
}

// checkCrawl refuses a policy that makes no sense.
func (c *Config) checkCrawl() error {
	m := c.Crawl
	switch {
	case m.Contact != "" && !strings.Contains(m.Contact, "@") && !isAddress(m.Contact):
		return c.Refuse("crawl.contact", m.Contact, ContactIs)
	case strings.ContainsAny(m.Contact, "\r\n()"):
		return c.Refuse("crawl.contact", m.Contact, "one line without parentheses")
	case m.Delay <= 0:
		return c.Refuse("crawl.delay", m.Delay, "more than 0, such as 3s")
	case m.Tries < 1 || m.Tries > 100:
		return c.Refuse("crawl.tries", m.Tries, "1 to 100")
	case m.GiveUp < 1:
		return c.Refuse("crawl.give_up", m.GiveUp, "1 or more")
	case m.Timeout <= 0:
		return c.Refuse("crawl.timeout", m.Timeout, "more than 0, such as 5m")
	case m.MaxWait <= 0:
		return c.Refuse("crawl.max_wait", m.MaxWait, "more than 0, such as 1h")
	case m.Hosts < 1 || m.Hosts > 1024:
		return c.Refuse("crawl.hosts", m.Hosts, "1 to 1024")
	case m.Refresh < 0:
		return c.Refuse("crawl.refresh", m.Refresh, "0 (always) or more, such as 168h")
	}
	for i, mirror := range m.Mirrors {
		if !isAddress(mirror) {
			return c.Refuse(fmt.Sprintf("crawl.mirrors[%d]", i), mirror, aMirror)
		}
	}
	for host, delay := range m.Delays {
		if delay <= 0 || host != strings.ToLower(host) || strings.ContainsAny(host, "/:") {
			return c.Refuse("crawl.delays", fmt.Sprintf("%s: %v", host, delay), "the name of a host in small letters, and a pause of more than 0")
		}
	}
	return c.oneOf("crawl.gutenberg_site", m.GutenbergSite, []string{"refuse", "allow"})
}
