package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/engine"
)

func TestProgressSaysHowFastModelsRead(t *testing.T) {
	var out bytes.Buffer
	p := &progress{w: &out, terminal: true}
	step := p.begin(engine.StageReport{Stage: "score", Tasks: 16, Unit: "passages"})
	step(engine.Progress{Done: 1, Of: 16})
	step(engine.Progress{Done: 1, Of: 16, Read: engine.Meter{Units: 250, Tokens: 5000}, Expected: 1000})
	if line := out.String(); !regexp.MustCompile(`score +\d+ passages/s, \d+ tokens/s +25% .*\(250/1000\) \[0s:\d+s\]`).MatchString(line) {
		t.Errorf("%q", line)
	}
	out.Reset()
	step(engine.Progress{Done: 3, Of: 16, Read: engine.Meter{Units: 250, Tokens: 5000, Kept: 500}, Expected: 1000})
	if line := out.String(); !regexp.MustCompile(`75% .*\(750/1000\)`).MatchString(line) {
		t.Errorf("with 500 that were kept: %q", line)
	}
	p.end()
}

func TestTruncatedAreTold(t *testing.T) {
	if got := also(map[string]int64{"truncated": 3, "other": 2}); !strings.Contains(got, "3 truncated") || strings.Contains(got, "other") {
		t.Errorf("%q", got)
	}
}
