package config

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("write-reference", false, "write configs/README.md anew")

// TestConfigReference holds configs/README.md to the config's own keys and defaults.
func TestConfigReference(t *testing.T) {
	const path, mark = "../../configs/README.md", "## Every key\n\n"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, _, ok := strings.Cut(string(page), mark)
	if !ok {
		t.Fatalf("%s has no heading %q", path, strings.TrimSpace(mark))
	}
	want := head + mark + Reference()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if string(page) != want && !*update {
		t.Errorf("%s is not what the config's keys say; run go test ./pipelines/config -run ConfigReference -write-reference and read the difference", path)
	}
}
