//go:build unix

package storage_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/commonplace/commonplace/storage"
)

// A link that takes a lock's place after the check makes no file elsewhere, and a pipe does
// not have the program wait.
func TestALockFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	path, elsewhere := filepath.Join(dir, ".lock"), filepath.Join(dir, "elsewhere")
	lock, err := storage.NewLock(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, path); err != nil {
		t.Skip(err)
	}
	if got, err := lock.TryLock(); got || err == nil {
		t.Errorf("locked %t, %v", got, err)
	}
	if _, err := os.Lstat(elsewhere); err == nil {
		t.Error("a file was made elsewhere")
	}
	if _, err := storage.NewLock(path); !errors.Is(err, storage.ErrDamaged) {
		t.Error(err)
	}
	if err := errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o600)); err != nil {
		t.Skip(err)
	}
	lock.TryLock() // whatever it answers
	lock.Unlock()
	if _, err := storage.NewLock(path); !errors.Is(err, storage.ErrDamaged) {
		t.Error(err)
	}
}
