package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
)

// Every flag of a kind is a flag of crawl, and reaches the source; with another kind
// it is refused, and not passed over.
func TestFlagsOfKindsOfSources(t *testing.T) {
	for _, k := range config.Kinds() {
		for _, f := range k.Flags {
			given := func(kind string) (*config.Config, error) {
				s := newSourceFlags()
				if err := s.flags.Parse([]string{"--source", kind, "--local", ".", "--" + f.Name, "7"}); err != nil {
					t.Fatal(err)
				}
				return s.config(t.Context(), "out")
			}
			_, err := given("warc")
			if err == nil || !strings.Contains(err.Error(), "--"+f.Name+" goes with --source ") || !strings.Contains(err.Error(), k.Name) {
				t.Errorf("--source warc --%s: %v", f.Name, err)
			}
			if _, err := given(k.Name); err != nil && !strings.Contains(err.Error(), k.Name+".") {
				t.Errorf("--source %s --%s: %v", k.Name, f.Name, err)
			}
		}
	}
	s := newSourceFlags()
	s.flags.SetOutput(io.Discard) // it says what --least-matches is called now
	if err := s.flags.Parse([]string{"--source", "hathitrust", "--local", ".", "--hathifile", "h.tsv", "--language", "eng,ger", "--least-matches", "3", "--max-matches", "9", "--matches", "m.csv"}); err != nil {
		t.Fatal(err)
	}
	c, err := s.config(t.Context(), "out")
	if err != nil {
		t.Fatal(err)
	}
	if h := c.Sources[0].HathiTrust; !slices.Equal(h.Languages, []string{"eng", "ger"}) || h.LeastMatches != 3 || h.MostMatches != 9 || h.MaxPages == 0 || c.Sources[0].Gutenberg.Languages != nil || c.Sources[0].Name != "hathitrust" {
		t.Errorf("%+v", c.Sources[0])
	}
}
