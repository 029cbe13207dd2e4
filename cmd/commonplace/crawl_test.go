package main

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// commonplaceOf runs the program and returns what it says.
func commonplaceOf(t testing.TB, args ...string) (string, error) {
	t.Helper()
	said, err := exec.Command("commonplace", args...).CombinedOutput()
	return string(said), err
}

// TestCrawlMirror crawls a mirror of twelve books over the network.
func TestCrawlMirror(t *testing.T) {
	s := serve(t, static(mirror(12)))
	config, out := writeConfig(t, fmt.Sprintf(loopback, "")+"sources:\n  - {name: pg, kind: gutenberg, fetch: {mirrors: ['"+s.URL+"/']}}\n")
	said, err := commonplaceOf(t, "crawl", config)
	t.Log(said)
	if err != nil {
		t.Fatal(err)
	}
	said, err = commonplaceOf(t, "inspect", "documents", "--out", out)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(said)
	if strings.Count(said, "Author") < 12 {
		t.Error(said)
	}
	t.Log(s.counts(), s.most)
}
