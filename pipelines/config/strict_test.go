package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/bounded"
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

// Deep nesting is refused before any parser follows it: parsers would need the
// machine's memory for these 400 KB.
func TestDeepNesting(t *testing.T) {
	for _, open := range []string{"[", "{a: ", "- "} {
		text := "a: " + strings.Repeat(open, 200_000) + strings.Repeat("]", 200_000)
		if open == "- " {
			text = strings.Repeat(open, 200_000)
		}
		var over *bounded.Error
		if _, err := loaded(t, text); !errors.Is(err, ErrInvalid) || !errors.As(err, &over) {
			t.Errorf("%q: %v", open, err)
		}
	}
}

// A fault of the parser is a sentence, and no end of the program.
func TestFaultOfTheParser(t *testing.T) {
	if _, err := loaded(t, "shards: !00000000 00000000000000\n"); !errors.Is(err, ErrInvalid) {
		t.Errorf("%v", err)
	}
}

// Of several wrong columns the first by name is refused, each time.
func TestWrongColumns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.yaml")
	text := "out: o\nsources: [{name: a, files: [a.jsonl], columns: {e: x, d: x, c: x, b: x}}]\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if _, err := Load(t.Context(), path); err == nil || !strings.Contains(err.Error(), `columns is "b"`) {
			t.Fatal(err)
		}
	}
}
