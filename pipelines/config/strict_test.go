package config

import (
	"errors"
	"strings"
	"testing"
)

// TestSecondDocument refuses what the decoder would pass over in silence.
func TestSecondDocument(t *testing.T) {
	for raw, line := range map[string]string{
		"shards: 2\n": "", "---\nshards: 2\n---\n": "", "shards: 2\n...\n# a comment\n": "",
		"shards: 2\n---\nshards: 3\n": "c.yaml:3:", "---\nshards: 2\n---\nnosuch: 3\n": "c.yaml:4:",
	} {
		var c Config
		err := decodeStrict("c.yaml", []byte(raw), &c)
		if (err != nil) != (line != "") || err != nil && (!errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), line)) {
			t.Errorf("%q: %v", raw, err)
		}
	}
}

func TestPathOfConfig(t *testing.T) {
	c := &Config{Out: "/tables/caf\xe9"}
	if err := c.Absolute(); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), `caf\xe9`) {
		t.Errorf("%v", err)
	}
}
