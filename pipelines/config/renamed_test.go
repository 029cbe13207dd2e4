package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Keys of version 0.1.0 are read under their new names, with a sentence each, and
// later mistakes are reported at their own lines.
func TestOldKeysAreRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.yaml")
	text := `out: tables # least_matches: of what?
sources:
  - name: é
    kind: hathitrust
    files: [a]
    hathitrust: {matches: m, least_matches: 2, most_matches: 100, hathifiles: [h], without_words: [least_matches]}
label:
  windows:
    title_words: [dictionary]
    shared: 21
`
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := Load(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	h := c.Sources[0].HathiTrust
	if h.LeastMatches != 2 || h.MostMatches != 100 || len(h.WithoutWords) != 1 || h.WithoutWords[0] != "least_matches" {
		t.Errorf("%+v", h)
	}
	if c.Label.Windows.Shared != 21 || len(c.Label.Windows.TitleWords) != 1 {
		t.Errorf("%+v", c.Label.Windows)
	}
	notes := c.Notes()
	if len(notes) != 5 || !strings.Contains(strings.Join(notes, "\n"), "run.yaml:10: shared is called min_shared_characters now") {
		t.Errorf("%q", notes)
	}
	if err := os.WriteFile(path, []byte(text+"shards: 0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(t.Context(), path); err == nil || !strings.Contains(err.Error(), "run.yaml:11: shards") {
		t.Errorf("%v", err)
	}
}
