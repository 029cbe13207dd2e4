package storage_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/commonplace/commonplace/storage"
)

// A disk without symbolic links is refused, and the error says that it has none.
func TestNoLinks(t *testing.T) {
	for _, answer := range []error{syscall.EPERM, syscall.ENOTSUP, syscall.ENOSYS} {
		storage.WithoutLinks(t, answer)
		path := filepath.Join(t.TempDir(), "current")
		err := storage.Wrap("link", path, storage.Default.Link(t.Context(), "target", path))
		if !errors.Is(err, storage.ErrRefused) || !strings.Contains(err.Error(), "has no symbolic links") {
			t.Errorf("%v: %v", answer, err)
		}
		if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) > 0 {
			t.Errorf("%v: left behind: %v %v", answer, left, err)
		}
	}
}

// Between two disks there are no second names: the file is copied.
func TestShareBetweenDisks(t *testing.T) {
	other, err := os.MkdirTemp("/dev/shm", "share")
	if err != nil {
		t.Skip("needs another disk: ", err)
	}
	defer os.RemoveAll(other)
	from, to := filepath.Join(other, "file"), filepath.Join(t.TempDir(), "file")
	want := []byte("of another disk")
	if err := os.WriteFile(from, want, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(from, to); err == nil {
		t.Skip("both folders are on one disk")
	}
	done, err := storage.Default.Share(t.Context(), from, to)
	if got, read := os.ReadFile(to); !done || err != nil || read != nil || !bytes.Equal(got, want) {
		t.Errorf("%q, %v %v %v", got, done, err, read)
	}
	if names, err := os.ReadDir(filepath.Dir(to)); err != nil || len(names) != 1 {
		t.Errorf("left behind: %v %v", names, err)
	}
}
