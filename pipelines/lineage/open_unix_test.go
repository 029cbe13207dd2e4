//go:build unix

package lineage_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/lineage"
)

// Events are added to a file of events, or to a new or empty one. A config, a list or a
// text stays as it is.
func TestEventsAreAddedToEvents(t *testing.T) {
	const event = `{"eventType":"START","eventTime":"2026-11-26T00:00:00.000Z","producer":"https://example.org"}`
	for text, good := range map[string]bool{
		"":                   true,
		event + "\n":         true,
		event + "\n" + event: true,
		event[:20]:           true, // what a full disk left
		`{"eventTime": "2026", "producer": "p", "job": {}}` + "\n": true, // another program's
		"out: out\n":         false,
		"{}\n":               false,
		"[1]\n":              false,
		`{"id": "a"}` + "\n": false,
		"{out: out}\n":       false,
		"\n" + event + "\n":  false,
		"{" + strings.Repeat(" ", 3<<20) + "\"eventTime\": \"2026\", \"producer\": \"p\"}\n": false,
		strings.Repeat("\x00", 3<<20): false,
	} {
		path := filepath.Join(t.TempDir(), "run.yaml")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		e, err := lineage.Open(lineage.Settings{To: path}, &config.Config{Out: filepath.Join(t.TempDir(), "out")})
		if good != (err == nil) {
			t.Errorf("%.60q: %v", text, err)
		}
		if err == nil {
			build(e, engine.RunDone, nil)
			err = e.Close()
		}
		b, _ := os.ReadFile(path)
		if left, more := strings.CutPrefix(string(b), text); !more || good != (left != "") || good && err != nil {
			t.Errorf("%.60q became %.200q: %v", text, b, err)
		}
	}
}

// A pipe that nobody reads is refused, and not waited for.
func TestNoEventsToAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := lineage.Open(lineage.Settings{To: pipe}, &config.Config{Out: "out"})
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), "regular file") {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Error("it waits")
	}
}
