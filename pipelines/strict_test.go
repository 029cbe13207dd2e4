package pipelines

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/infer/tokenizer"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
)

// TestPipes refuses a named pipe or a device where a file is read, and does not
// wait for a writer or read without end.
func TestPipes(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "model.yaml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	type opener func(path string) error
	building := func(text string) opener {
		return func(path string) error {
			run := filepath.Join(t.TempDir(), "run.yaml")
			if err := os.WriteFile(run, []byte(strings.ReplaceAll(text, "PATH", path)), 0o600); err != nil {
				t.Fatal(err)
			}
			c, err := config.Load(t.Context(), run)
			if err != nil {
				t.Fatal(err)
			}
			return pipelinetest.TryBuild(c)
		}
	}
	for name, open := range map[string]opener{
		"config":        func(path string) error { _, err := config.Load(t.Context(), path); return err },
		"table":         func(path string) error { _, err := storage.Local.Open(t.Context(), path); return err },
		"sum":           func(path string) error { _, err := storage.SumOf(t.Context(), path); return err },
		"tokenizer":     func(path string) error { _, err := tokenizer.Open(path); return err },
		"model":         func(path string) error { _, err := infer.ReadManifest(filepath.Dir(path)); return err },
		"list":          building("{out: tables, shards: 1, sources: [{name: a, files: [.]}], quotes: [{name: q, path: PATH}]}"),
		"conversations": building("{out: tables, shards: 1, conversations: [{name: c, path: PATH}]}"),
		"source":        building("{out: tables, shards: 1, sources: [{name: a, kind: warc, files: [PATH]}]}"),
	} {
		for _, path := range []string{pipe, "/dev/zero"} {
			if name == "model" && path != pipe {
				continue
			}
			if err := open(path); err == nil {
				t.Errorf("%s: %s was read", name, path)
			}
		}
	}
	if _, err := config.Load(t.Context(), pipe); !errors.Is(err, bounded.ErrNotRegular) {
		t.Error(err)
	}
	if _, err := storage.OpenInput(t.Context(), dir); !errors.Is(err, bounded.ErrNotRegular) {
		t.Error(err)
	}
	if _, err := storage.OpenInput(t.Context(), pipe+"2"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
