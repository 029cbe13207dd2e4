package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/storage"
)

// A run whose folder lies in its library does not read what it wrote.
func TestFoldersOfRunsAreNoInput(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "library", "out", "report")
	if err := errors.Join(os.MkdirAll(out, 0o755),
		os.WriteFile(filepath.Join(dir, "library", "book.txt"), []byte("a book"), 0o644),
		os.WriteFile(filepath.Join(dir, "library", "out", storage.MarkFile), nil, 0o644),
		os.WriteFile(filepath.Join(out, "log.txt"), []byte("written by a run"), 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"library", "library/**", "**/*.txt", "library/*/*/*.txt"} {
		l, err := ListAll(t.Context(), []string{filepath.Join(dir, pattern)})
		if pattern == "library/*/*/*.txt" {
			if err == nil {
				t.Errorf("%s: %v", pattern, l.Files)
			}
			continue
		}
		if err != nil || len(l.Files) != 1 || !strings.HasSuffix(l.Files[0].Path, "book.txt") || len(l.Skipped) != 1 {
			t.Errorf("%s: %v, skipped %q, %v", pattern, l.Files, l.Skipped, err)
		}
	}
	if l, err := ListAll(t.Context(), []string{filepath.Join(out, "*.txt")}); err != nil || len(l.Files) != 1 {
		t.Errorf("a folder that is named: %v, %v", l.Files, err)
	}
}
