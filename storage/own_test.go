package storage_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace/storage"
)

// A file that a run keeps is a regular one. What else has its name is refused, also to make
// and to empty it, and stays as it is.
func TestOpenOwn(t *testing.T) {
	const create = os.O_RDWR | os.O_CREATE | os.O_TRUNC
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.WriteFile(at("file"), []byte("text"), 0o644), os.Mkdir(at("folder"), 0o755),
		os.Symlink("file", at("link")), os.Symlink("missing", at("dangling"))); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		flag int
		want error
	}{
		{"file", os.O_RDONLY, nil}, {"new", create, nil}, {"none", os.O_RDONLY, fs.ErrNotExist},
		{"folder", os.O_RDONLY, storage.ErrDamaged}, {"link", os.O_RDONLY, storage.ErrDamaged}, {"link", create, storage.ErrDamaged},
		{"dangling", os.O_RDONLY, storage.ErrDamaged}, {"dangling", create, storage.ErrDamaged},
	} {
		f, err := storage.OpenOwn(at(c.name), c.flag)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if f != nil {
			f.Close()
		}
		if refused := errors.Is(storage.RefuseOther(at(c.name)), storage.ErrDamaged); refused != (c.want == storage.ErrDamaged) {
			t.Errorf("%s: refused %t", c.name, refused)
		}
	}
	if b, err := storage.ReadOwn(at("file"), 4); err != nil || string(b) != "text" {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := storage.ReadOwn(at("file"), 3); !errors.Is(err, storage.ErrDamaged) {
		t.Errorf("a file over its limit: %v", err)
	}
	if _, err := os.Lstat(at("missing")); err == nil {
		t.Error("a file was made behind a link")
	}
	f, err := storage.OpenOwn(at("file"), create)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := f.Stat(); err != nil || info.Size() != 0 {
		t.Error("it was not emptied")
	}
	f.Close()
}
