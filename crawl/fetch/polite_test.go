package fetch

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestOneAtATime lets many ask one host at once: the server sees one request
// after the other, each the delay after the end of the one before.
func TestOneAtATime(t *testing.T) {
	const delay = 20 * time.Millisecond
	s := serve(t, map[string]http.HandlerFunc{"/a": func(w http.ResponseWriter, r *http.Request) { time.Sleep(3 * time.Millisecond) }})
	c := New(quick(func(m *Policy) { m.Delay = delay }))
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			// Two names for one port are two hosts; all of these are one.
			if _, f := c.Get(t.Context(), at(fmt.Sprintf("%s/a?%d", s.URL, i)), Request{}); f != nil {
				t.Error(f)
			}
		})
	}
	all.Wait()
	log := s.requests()
	if len(log) != 13 || log[0].path != "/robots.txt" {
		t.Fatalf("%d requests, the first for %s", len(log), log[0].path)
	}
	if s.most != 1 {
		t.Errorf("%d requests at once", s.most)
	}
	for i := 1; i < len(log); i++ {
		if gap := log[i].begin.Sub(log[i-1].end); gap < delay-time.Millisecond {
			t.Errorf("request %d came %v after the one before, less than %v", i, gap, delay)
		}
	}
	for _, r := range log {
		if a := r.header.Get("User-Agent"); a != "commonplace (+mailto:test@example.org)" {
			t.Errorf("User-Agent %q", a)
		}
	}
}

// TestPause follows the rule: the larger of the configured delay, the host's own,
// its crawl-delay, and five times the last answer.
func TestPause(t *testing.T) {
	c := New(Policy{Delay: 3 * time.Second, Delays: map[string]time.Duration{"quick.org": time.Second}})
	for _, b := range []struct {
		host          string
		asked, answer time.Duration
		want          time.Duration
	}{
		{"a.org", 0, 0, 3 * time.Second},
		{"quick.org", 0, 0, time.Second},
		{"a.org", 10 * time.Second, 0, 10 * time.Second},
		{"a.org", 0, 2 * time.Second, 10 * time.Second},
		{"a.org", 0, time.Minute, 30 * time.Second},
		{"a.org", 5 * time.Minute, time.Minute, 5 * time.Minute},
	} {
		h := c.host(b.host)
		h.asked, h.answer = b.asked, b.answer
		if got := c.pause(h); got != b.want {
			t.Errorf("%+v: %v", b, got)
		}
	}
}

// The rules of many hosts are not all kept. Those that are gone are asked for again.
func TestRulesOfManyHosts(t *testing.T) {
	was := mostRules
	defer func() { mostRules = was }()
	s := serve(t, map[string]http.HandlerFunc{"/robots.txt": says("User-agent: *\nDisallow: /private\n" + strings.Repeat("#", 1000)), "/a": says("a")})
	for most, want := range map[int]int{4000: 2, 1500: 4} { // requests for robots.txt, of two hosts
		mostRules = most
		c, before := New(quick()), len(s.asked())
		for range 2 {
			for _, host := range []string{"127.0.0.1", "localhost"} {
				if _, f := c.Get(t.Context(), at(s.onHost(host)+"/a"), Request{}); f != nil {
					t.Error(f)
				}
				if c.held > most {
					t.Errorf("%d bytes are kept, more than %d", c.held, most)
				}
			}
		}
		asked := 0
		for _, path := range s.asked()[before:] {
			if path == "/robots.txt" {
				asked++
			}
		}
		if asked != want {
			t.Errorf("%d bytes: robots.txt was asked for %d times, want %d", most, asked, want)
		}
	}
}

// TestCrawlDelay sees the pause that a robots.txt asks for.
func TestCrawlDelay(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/robots.txt": says("User-agent: commonplace\nCrawl-delay: 0.05\n"), "/a": says("a"), "/b": says("b")})
	c := New(quick())
	for _, p := range []string{"/a", "/b"} {
		if _, f := c.Get(t.Context(), at(s.URL+p), Request{}); f != nil {
			t.Fatal(f)
		}
	}
	log := s.requests()
	if gap := log[2].begin.Sub(log[1].end); gap < 49*time.Millisecond {
		t.Errorf("%v between two requests where 50 ms are asked for", gap)
	}
}

// TestRobots is what RFC 9309 says of getting the file (2.3).
func TestRobots(t *testing.T) {
	const closed = "User-agent: *\nDisallow: /\n"
	for _, b := range []struct {
		name   string
		paths  map[string]http.HandlerFunc
		want   string
		robots int // requests for robots.txt itself
	}{
		{"none", nil, "", 1},
		{"allows", map[string]http.HandlerFunc{"/robots.txt": says("User-agent: *\nDisallow: /private\n")}, "", 1},
		{"disallows", map[string]http.HandlerFunc{"/robots.txt": says(closed)}, ReasonRobots, 1},
		{"disallows us", map[string]http.HandlerFunc{"/robots.txt": says("User-agent: Commonplace\nDisallow: /\n")}, ReasonRobots, 1},
		{"disallows others", map[string]http.HandlerFunc{"/robots.txt": says("User-agent: other\nDisallow: /\n")}, "", 1},
		{"forbidden", map[string]http.HandlerFunc{"/robots.txt": status(403)}, "", 1},
		{"broken", map[string]http.HandlerFunc{"/robots.txt": status(500)}, ReasonNoRobots, 3},
		{"busy", map[string]http.HandlerFunc{"/robots.txt": status(429)}, ReasonNoRobots, 3},
		{"redirect", map[string]http.HandlerFunc{"/robots.txt": leads("/r1"), "/r1": leads("/r2"), "/r2": leads("/r3"), "/r3": leads("/r4"), "/r4": leads("/r5"), "/r5": says(closed)}, ReasonRobots, 1},
		{"six redirects", map[string]http.HandlerFunc{"/robots.txt": leads("/r1"), "/r1": leads("/r2"), "/r2": leads("/r3"), "/r3": leads("/r4"), "/r4": leads("/r5"), "/r5": leads("/r6"), "/r6": says(closed)}, "", 1},
		{"redirect to a private address", map[string]http.HandlerFunc{"/robots.txt": leads("http://10.0.0.1/robots.txt")}, ReasonPrivate, 1},
		{"compressed", map[string]http.HandlerFunc{"/robots.txt": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(zipped(closed))
		}}, ReasonRobots, 1},
		{"500 KiB, then a rule for us", map[string]http.HandlerFunc{"/robots.txt": says("User-agent: *\n" + strings.Repeat("Disallow: /x\n", 39000) + "Disallow: /\n")}, ReasonRobots, 1},
	} {
		paths := map[string]http.HandlerFunc{"/a": says("a")}
		for p, h := range b.paths {
			paths[p] = h
		}
		s := serve(t, paths)
		c := New(quick())
		for range 2 { // the second time from memory
			_, f := c.Get(t.Context(), at(s.URL+"/a"), Request{})
			if reason(f) != b.want {
				t.Errorf("%s: %v, want %q", b.name, f, b.want)
			}
		}
		n := 0
		for _, p := range s.asked() {
			if p == "/robots.txt" {
				n++
			}
		}
		if n != b.robots {
			t.Errorf("%s: robots.txt was asked for %d times, want %d: %v", b.name, n, b.robots, s.asked())
		}
		if b.want != "" && slices.Contains(s.asked(), "/a") {
			t.Errorf("%s: /a was asked for all the same", b.name)
		}
	}
}

// TestRetryAfter waits as the server asks, in both forms, then tries again.
func TestRetryAfter(t *testing.T) {
	for _, form := range []string{"1", "date"} {
		var times []time.Time
		s := serve(t, map[string]http.HandlerFunc{"/a": func(w http.ResponseWriter, r *http.Request) {
			times = append(times, time.Now())
			if len(times) == 1 {
				value := form
				if form == "date" { // dates have whole seconds
					value = time.Now().Add(1100 * time.Millisecond).UTC().Format(http.TimeFormat)
				}
				w.Header().Set("Retry-After", value)
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			w.Write([]byte("at last"))
		}})
		r, f := New(quick()).Get(t.Context(), at(s.URL+"/a"), Request{})
		if f != nil || r.Status != 200 || len(times) != 2 {
			t.Fatalf("%s: %v after %d requests", form, f, len(times))
		}
		least := time.Second
		if form == "date" {
			least = 50 * time.Millisecond
		}
		if gap := times[1].Sub(times[0]); gap < least {
			t.Errorf("%s: asked again after %v", form, gap)
		}
	}
	now := time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{"120": 2 * time.Minute, "0": 0, "Sat, 21 Nov 2026 06:00:30 GMT": 30 * time.Second, "Saturday, 21-Nov-26 06:01:00 GMT": time.Minute,
		"Sat, 21 Nov 2026 05:00:00 GMT": 0, "": -1, "soon": -1, "-5": -1, "1.5": -1} {
		got, ok := retryAfter(value, now)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("Retry-After %q: %v, want %v", value, got, want)
		}
	}
}

// TestConditional sends what is known, and hands 304 on.
func TestConditional(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/a": func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") == `"1"` && r.Header.Get("If-Modified-Since") == "Sat, 21 Nov 2026 06:00:00 GMT" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Write([]byte("a"))
	}})
	r, f := New(quick()).Get(t.Context(), at(s.URL+"/a"), Request{ETag: `"1"`, Modified: "Sat, 21 Nov 2026 06:00:00 GMT"})
	if f != nil || r.Status != http.StatusNotModified {
		t.Errorf("%+v, %v", r, f)
	}
}

// TestHostIsGivenUp stops asking a host that does not answer.
func TestHostIsGivenUp(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/a": status(503)})
	c := New(quick(func(m *Policy) { m.GiveUp, m.Tries = 2, 1 }))
	var got []string
	for range 4 {
		_, f := c.Get(t.Context(), at(s.URL+"/a"), Request{})
		got = append(got, reason(f))
	}
	if want := []string{"gave up after 1", "gave up after 1", ReasonHost, ReasonHost}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if n := len(s.asked()); n != 3 { // robots.txt and two
		t.Errorf("%d requests", n)
	}
}
