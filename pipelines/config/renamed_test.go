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
	if err := os.WriteFile(path, []byte(text+"shards: -1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(t.Context(), path); err == nil || !strings.Contains(err.Error(), "run.yaml:11: shards") {
		t.Errorf("%v", err)
	}
}

// Only the key itself gets its new name, however it is written: not the same word
// beside it, and no key of another place.
func TestOnlyOldKeysChange(t *testing.T) {
	for _, of := range []struct{ was, now string }{
		{"label: {windows: {shared: 21}, paraphrase: {prompt: 'what is shared: say'}}", "label: {windows: {min_shared_characters: 21}, paraphrase: {prompt: 'what is shared: say'}}"},
		{"label: {paraphrase: {prompt: 'é {shared: say'}, windows: {shared: 21}}", "label: {paraphrase: {prompt: 'é {shared: say'}, windows: {min_shared_characters: 21}}"},
		{`{"label": {"windows": {"shared":21}}}`, `{"label": {"windows": {"min_shared_characters":21}}}`},
		{"label:\r\n  windows: {'title_words': [é], 'shared': 21} # shared: it\r\n", "label:\r\n  windows: {'exclude_title_words': [é], 'min_shared_characters': 21} # shared: it\r\n"},
		{"label:\n  windows:\n    ? shared\n    : 21\n", "label:\n  windows:\n    ? min_shared_characters\n    : 21\n"},
		{"shared: 21\nwindows:\n  x:\n    shared: 1\n", "shared: 21\nwindows:\n  x:\n    shared: 1\n"},
		{`label: {windows: {"sh\u0061red": 21}}`, `label: {windows: {"sh\u0061red": 21}}`},
	} {
		now, notes := withNewKeys("run.yaml", []byte(of.was))
		if string(now) != of.now || (len(notes) > 0) != (of.was != of.now) {
			t.Errorf("%q\nbecomes %q\nand not %q; %q", of.was, now, of.now, notes)
		}
	}
	var c Config
	err := decodeStrict("run.yaml", []byte(`label: {windows: {"sh\u0061red": 21}}`), &c)
	if err == nil || !strings.Contains(err.Error(), `run.yaml:1: unknown key "shared"; it is called "min_shared_characters" now`) {
		t.Errorf("%v", err)
	}
}
