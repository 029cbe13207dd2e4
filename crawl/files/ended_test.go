package files_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/crawl/gutenberg"
	"github.com/commonplace/commonplace/crawl/hathitrust"
)

// TestListingEndsWithItsContext lists folders that nobody waits for any more: the
// error is the context's, and not that a folder holds nothing.
func TestListingEndsWithItsContext(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	for what, list := range map[string]func() error{
		"files":     func() error { _, err := files.ListAll(ctx, []string{dir}); return err },
		"gutenberg": func() error { _, err := gutenberg.Mirror(ctx, os.DirFS(dir)); return err },
		"hathitrust": func() (err error) {
			for _, err = range hathitrust.Volumes(ctx, os.DirFS(dir)) {
			}
			return err
		},
	} {
		if err := list(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want the context's error", what, err)
		}
	}
}
