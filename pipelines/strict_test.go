package pipelines

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
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
		if (err != nil) != (line != "") || err != nil && (!errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), line)) {
			t.Errorf("%q: %v", raw, err)
		}
	}
}

// TestPipeAsList refuses a named pipe where a file is read, and does not wait for
// its writer.
func TestPipeAsList(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.jsonl")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := openInput(path); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("%v", err)
	}
	if _, err := openInput(filepath.Dir(path)); err == nil {
		t.Error("a folder was opened")
	}
	if _, err := openInput(path + "2"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
