package runner

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace/storage"
)

// What somebody else put in the place of a bucket's folder is refused, and nothing is
// written there: a link, a file, a folder in which others may write, a folder of theirs.
func TestABucketsFolderIsOurs(t *testing.T) {
	const out = "gs://bucket/run"
	elsewhere := t.TempDir()
	for what, plant := range map[string]func(home string) error{
		"a link":                    func(home string) error { return os.Symlink(elsewhere, home) },
		"a link to nothing":         func(home string) error { return os.Symlink(filepath.Join(elsewhere, "none"), home) },
		"a file":                    func(home string) error { return os.WriteFile(home, nil, 0o600) },
		"a folder open to everyone": func(home string) error { return errors.Join(os.Mkdir(home, 0o700), os.Chmod(home, 0o777)) },
		"another user's folder":     func(home string) error { return errors.Join(os.Mkdir(home, 0o700), os.Chown(home, 12345, -1)) },
	} {
		if what == "another user's folder" && os.Getuid() != 0 {
			continue // only root can give a folder away
		}
		t.Setenv("TMPDIR", t.TempDir())
		if err := plant(HomeOf(out)); err != nil {
			t.Fatal(err)
		}
		if err := MakeHome(out); !errors.Is(err, storage.ErrRefused) {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := WithTempDir(t.Context(), out); err == nil {
			t.Errorf("%s: a worker takes it", what)
		}
	}
	if left, err := os.ReadDir(elsewhere); err != nil || len(left) > 0 {
		t.Errorf("written behind the link: %v, %v", left, err)
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "new"))
	for range 2 {
		if err := MakeHome(out); err != nil {
			t.Error(err)
		}
	}
	if info, err := os.Stat(HomeOf(out)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
