package ingest

import (
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
)

// A kind has two halves: what a config says of it, and what reads it.
func TestKindsAreThoseOfTheConfig(t *testing.T) {
	for _, c := range config.Kinds() {
		k, known := kinds[c.Name]
		switch {
		case !known:
			t.Errorf("%s: nothing reads sources of the kind", c.Name)
		case c.FromFiles != (k.local != nil):
			t.Errorf("%s: read from files: the config says %v, and ingest %v", c.Name, c.FromFiles, k.local != nil)
		case (c.CheckFetch != nil) != (k.remote != nil):
			t.Errorf("%s: fetched: the config says %v, and ingest %v", c.Name, c.CheckFetch != nil, k.remote != nil)
		}
	}
	for name := range kinds {
		if _, known := config.KindNamed(name); !known {
			t.Errorf("%s: no config can have a source of the kind", name)
		}
	}
}
