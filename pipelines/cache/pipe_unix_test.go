//go:build unix

package cache

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe or a link to a device in the cache is not waited for or read without end: a file
// takes its place.
func TestPipesOfTheCacheAreReplaced(t *testing.T) {
	dir := t.TempDir()
	pipe, zero := filepath.Join(dir, "works-0123456789abcdef"), filepath.Join(dir, "groups-0123456789abcdef")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.Symlink("/dev/zero", zero)); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{pipe, zero} {
		if _, _, err := OpenLines(t.Context(), path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := OpenPartitions(t.Context(), path, 1); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", path, err)
		}
		if err := WriteLines(t.Context(), path, []int{1}); err != nil {
			t.Fatal(err)
		}
		f, from, err := OpenLines(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if rows, err := DecodeLines[int](path, from); err != nil || len(rows) != 1 {
			t.Errorf("%s: %v, %v", path, rows, err)
		}
		f.Close()
	}
}
