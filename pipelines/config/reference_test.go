package config

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/segment"
)

var update = flag.Bool("write-reference", false, "write configs/README.md anew")

// TestConfigReference compares what is written from the config's own keys, defaults
// and kinds of sources with the pages that have it.
func TestConfigReference(t *testing.T) {
	holds(t, "../../configs/README.md", "## Every key\n\n", Reference())
	holds(t, "../../docs/sources.md", "## Kinds of sources\n\n", KindTable())
}

// holds checks that a page has a table below a heading, up to a blank line or its end.
func holds(t *testing.T, path, heading, table string) {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(page), heading)
	if !ok {
		t.Fatalf("%s has no heading %q", path, strings.TrimSpace(heading))
	}
	if _, after, more := strings.Cut(rest, "\n\n"); more {
		table += "\n" + after
	}
	want := head + heading + table
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if string(page) != want && !*update {
		t.Errorf("%s is not what the config says; run go test ./pipelines/config -run ConfigReference -write-reference and read the difference", path)
	}
}

// Every segmenter stands in the reference, not in an error message alone.
func TestReferenceNamesSegmenters(t *testing.T) {
	for _, name := range segment.Names() {
		if !strings.Contains(Reference(), name) {
			t.Errorf("the reference does not name %s", name)
		}
	}
}
