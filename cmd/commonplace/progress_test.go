package main

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

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
	out.Reset()
	p.width = 60
	step = p.begin(engine.StageReport{Stage: "score", Tasks: 16, Unit: "passages"})
	step(engine.Progress{Done: 1, Of: 16, Read: engine.Meter{Units: 250000, Tokens: 5000}, Expected: 1000000})
	for line := range strings.SplitSeq(out.String(), "\r") {
		if n := utf8.RuneCountInString(line); n > 60 {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	p.end()
}

func TestTruncatedAreTold(t *testing.T) {
	if got := also(map[string]int64{"truncated": 3, "other": 2}); !strings.Contains(got, "3 truncated") || strings.Contains(got, "other") {
		t.Errorf("%q", got)
	}
}

// On a narrow terminal a stage's line breaks between words, and loses none.
func TestStageLinesFitTheTerminal(t *testing.T) {
	r := engine.StageReport{Stage: "align", Table: "alignments", Rows: 46444, Tasks: 64, Stale: 3, Time: 4 * time.Minute, In: 1869, Unit: "documents", Rejected: 12,
		Counters: map[string]int64{"alignments": 170}, Counts: map[string]int64{"truncated": 3}, Notes: []string{"source books: passed over 2 that are no texts by their names, such as note.md and another.md"}}
	said := func(width int) string {
		var out bytes.Buffer
		p := &progress{w: &out, text: &out, terminal: true, width: width, columns: engine.Columns{}}
		p.done(r)
		return out.String()
	}
	whole := said(0)
	if strings.Count(whole, "\n") != 2 {
		t.Fatalf("in a pipe: %q", whole)
	}
	for _, width := range []int{30, 40, 60, 80} {
		narrow := said(width)
		for line := range strings.Lines(narrow) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > width {
				t.Errorf("%d columns of %d: %q", n, width, line)
			}
		}
		if a, b := strings.Fields(whole), strings.Fields(narrow); !slices.Equal(a, b) {
			t.Errorf("at %d columns: %q, want %q", width, b, a)
		}
	}
}

// The help on a narrow terminal: no line is wider, no word is lost, and lists stay lists.
func TestNarrowHelp(t *testing.T) {
	root := rootCommand()
	for _, c := range append(root.Commands(), root) {
		var b strings.Builder
		c.SetOut(&b)
		if err := c.Help(); err != nil {
			t.Fatal(err)
		}
		narrow := narrowed(b.String(), 60)
		if x, y := strings.Fields(narrow), strings.Fields(b.String()); !slices.Equal(x, y) {
			t.Errorf("%s: the help has other words", c.Name())
		}
		for line := range strings.Lines(narrow) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 60 && strings.Contains(strings.TrimSpace(line), " ") && n-len(strings.Fields(line)[0]) > 60 {
				t.Errorf("%s: %d columns: %q", c.Name(), n, line)
			}
		}
	}
}
