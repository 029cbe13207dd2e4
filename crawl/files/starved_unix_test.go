//go:build unix

package files

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
)

// A process that may open no more files refuses no document for it: the build stops, and
// the next one reads what this one could not.
func TestNoFilesLeftIsNoReject(t *testing.T) {
	dir := t.TempDir()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{"a.txt", "a.txt.gz", "a.html", "a.xml", "a.jsonl", "a.jsonl.gz", "a.zip"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("{}"), 0o644); err != nil {
			t.Fatal(err)
		}
		var listed, read error
		starved(t, limit, func() {
			f := newFile(path, name, 0)
			for _, err := range Entries(t.Context(), f, Options{}) {
				listed = errors.Join(listed, err)
			}
			o, err := Open(t.Context(), f, []Entry{{Line: 1}}, Options{})
			if err == nil {
				_, err = o.Read(t.Context(), Entry{ID: "a"})
			}
			read = err
		})
		if whole := listed == nil; whole != (kindOf(name) != ".jsonl" && kindOf(name) != ".zip") {
			t.Errorf("%s: listed with %v", name, listed)
		}
		for _, err := range []error{listed, read} {
			if commonplace.RejectOf(err) != nil || err != nil && !errors.Is(err, storage.ErrRefused) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if read == nil {
			t.Errorf("%s was read", name)
		}
	}
}

// starved runs work while the process may open no file.
func starved(t *testing.T, limit syscall.Rlimit, work func()) {
	t.Helper()
	none := limit
	none.Cur = 3 // the standard streams have the numbers below
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none); err != nil {
		t.Skip(err)
	}
	defer func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
			t.Fatal(err)
		}
	}()
	work()
}
