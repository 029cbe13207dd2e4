package main

import (
	"testing"
	"time"

	"github.com/commonplace/commonplace/pipelines/engine"
)

func TestFetchLine(t *testing.T) {
	now := time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC)
	r := engine.FetchReport{Wanted: 200, Settled: 123, Requests: 150, Bytes: 45_100_000}
	if got, want := fetchLine(r, now), "crawl    123 of 200 wanted, 150 answers, 45.1 MB"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Hosts = []engine.HostReport{{Host: "a.org"}, {Host: "b.org", Left: 3}, {Host: "c.org", Left: 74, Until: now.Add(2900 * time.Millisecond), Why: "gave up: status 503"}}
	if got, want := fetchLine(r, now), "crawl    123 of 200 wanted, 150 answers, 45.1 MB; c.org, 74 left, waits 2.9s (gave up: status 503); 1 more host"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
