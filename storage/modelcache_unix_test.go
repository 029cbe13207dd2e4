//go:build unix

package storage

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A neighbour cannot lay models where ours are looked for.
func TestTheCacheOfModelsIsOurs(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	models, err := modelCache()
	if err != nil {
		t.Fatal(err)
	}
	own := filepath.Dir(models)
	if !strings.HasPrefix(own, temp) {
		t.Fatalf("%s is not in the temporary folder", own)
	}
	info, err := os.Stat(own)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := os.Chmod(own, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := modelCache(); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(own); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("others may write: %v, %v", info.Mode(), err)
	}
	makes := map[string]func() error{"a file": func() error { return os.WriteFile(own, nil, 0o600) }}
	if os.Getuid() == 0 { // nobody else can make what is another user's
		const nobody = 65534
		makes["a folder of another user"] = func() error { return errors.Join(os.Mkdir(own, 0o755), os.Lchown(own, nobody, nobody)) }
		makes["models of another user"] = func() error { return errors.Join(os.MkdirAll(models, 0o755), os.Lchown(models, nobody, nobody)) }
		makes["a link of another user"] = func() error { return errors.Join(os.Symlink(temp, own), os.Lchown(own, nobody, nobody)) }
	}
	for what, make := range makes {
		if err := errors.Join(os.RemoveAll(own), make()); err != nil {
			t.Fatal(err)
		}
		if _, err := modelCache(); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
