//go:build unix

package export

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// An export that somebody else made may name a link as its own file. The folder is not
// replaced, and what the link leads to stays. A pipe in it is not waited for.
func TestLinksInAnExport(t *testing.T) {
	t.Parallel()
	run := testRun(t)
	for name, put := range map[string]func(thesis, at string) error{
		markFile:     os.Symlink,
		"README.md":  os.Symlink,
		manifestFile: func(_, at string) error { return syscall.Mkfifo(at, 0o600) },
		sumsFile:     func(_, at string) error { return syscall.Mkfifo(at, 0o600) },
	} {
		thesis, to := filepath.Join(t.TempDir(), "thesis.txt"), filepath.Join(t.TempDir(), "export")
		err := errors.Join(os.Mkdir(to, 0o755), os.WriteFile(thesis, []byte("My thesis.\n"), 0o644),
			os.WriteFile(filepath.Join(to, manifestFile), []byte(`{"program": "`+program+`"}`), 0o644),
			os.WriteFile(filepath.Join(to, sumsFile), []byte("0  "+name+"\n0  "+manifestFile+"\n"), 0o644))
		os.Remove(filepath.Join(to, name))
		if err = errors.Join(err, put(thesis, filepath.Join(to, name))); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() {
			_, err := Write(t.Context(), run, to, Options{Tables: []string{"passages"}})
			done <- err
		}()
		select {
		case err := <-done:
			if !errors.Is(err, ErrForeign) {
				t.Errorf("%s: %v", name, err)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("%s: it waits", name)
		}
		if b, err := os.ReadFile(thesis); err != nil || string(b) != "My thesis.\n" {
			t.Errorf("%s: the thesis is %q, %v", name, b, err)
		}
	}
}
