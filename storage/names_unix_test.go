//go:build unix

package storage_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace/storage"
)

// A file with another name is read, and not written: what the other name is of, a file of
// somebody's or a snapshot of the run, stays as it is.
func TestFilesOfTwoNames(t *testing.T) {
	dir := t.TempDir()
	kept, own := filepath.Join(dir, "kept"), filepath.Join(dir, "own")
	if err := errors.Join(os.WriteFile(kept, []byte("text"), 0o644), os.Link(kept, own)); err != nil {
		t.Skip(err)
	}
	for _, flag := range []int{os.O_RDWR, os.O_WRONLY | os.O_APPEND, os.O_WRONLY | os.O_CREATE | os.O_TRUNC} {
		if _, err := storage.OpenOwn(own, flag); !errors.Is(err, storage.ErrDamaged) {
			t.Errorf("flag %x: %v", flag, err)
		}
	}
	if b, err := storage.ReadOwn(own, 9); err != nil || string(b) != "text" {
		t.Errorf("%q, %v", b, err)
	}
	if b, err := os.ReadFile(kept); err != nil || string(b) != "text" {
		t.Errorf("%q, %v", b, err)
	}
}
