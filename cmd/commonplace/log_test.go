package main

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/commonplace/commonplace/pipelines/engine"
)

// A log says now and then what the build does: in words with the time, or in JSON.
func TestLogTellsHowFar(t *testing.T) {
	begun := time.Date(2026, 11, 23, 2, 30, 0, 0, time.UTC)
	now := begun.Add(2 * time.Minute)
	var out bytes.Buffer
	p := &progress{text: stamped{&out, func() time.Time { return now }}}
	says := func(want string) {
		t.Helper()
		p.now.began = begun
		p.tellOnce(now)
		if got := out.String(); got != "2026-11-23T02:32:00Z "+want+"\n" {
			t.Errorf("%q, want %q", got, want)
		}
		out.Reset()
	}
	says("build   looks at its inputs, 2m0s")
	p.planning("crawl")
	says("crawl   looks at its inputs, 2m0s")
	p.fetching(engine.FetchReport{Wanted: 200, Settled: 123, Requests: 150, Bytes: 45_100_000})
	says("crawl    123 of 200 wanted, 150 answers, 45.1 MB, 2m0s")
	p.planning("score")
	step := p.begin(engine.StageReport{Stage: "score", Tasks: 16, Stale: 12, Unit: "passages"})
	says("score   4 of 16 shards, 2m0s")
	step(engine.Progress{Done: 7, Of: 16, Read: engine.Meter{Units: 240, Tokens: 4800, Kept: 60}, Expected: 1000})
	says("score   7 of 16 shards, 300 of 1000 passages, 2 passages/s, 40 tokens/s, 2m0s")

	p.log = jsonLog(&out)
	p.tellOnce(now)
	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{"msg": "progress", "stage": "score", "shards_done": 7.0, "shards": 16.0, "done": 300.0, "expected": 1000.0, "unit": "passages", "seconds": 120.0} {
		if line[key] != want {
			t.Errorf("%s is %v, want %v", key, line[key], want)
		}
	}
}
