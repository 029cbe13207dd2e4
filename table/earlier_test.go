package table

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace/storage"
)

// What somebody else put in the place of a link of version 0.1.0 is no version: it is not
// read, the next build makes the table again, and nothing that a link leads to outside
// the table is removed.
func TestForgedVersions(t *testing.T) {
	outside := t.TempDir()
	for _, name := range []string{ShardName(0, 2), commitFile} {
		if err := os.WriteFile(filepath.Join(outside, name), []byte("precious"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, from string) func(dir string) error {
		return func(dir string) error { return os.Symlink(to, filepath.Join(dir, from)) }
	}
	for name, forge := range map[string]func(dir string) error{
		"a link to another folder":        link(outside, "current"),
		"a link to what is not there":     link(v("f"), "current"),
		"a link to a version that a link": func(dir string) error { return errors.Join(link(outside, v("f"))(dir), link(v("f"), "current")(dir)) },
		"a version that nobody committed": func(dir string) error {
			return errors.Join(os.MkdirAll(filepath.Join(dir, v("f")), 0o755), link(v("f"), "current")(dir))
		},
		"a version of another's name": func(dir string) error {
			return errors.Join(os.CopyFS(filepath.Join(dir, v("f")), os.DirFS(filepath.Join(dir, v("a")))), link(v("f"), "current")(dir))
		},
		"a file": func(dir string) error { return os.WriteFile(filepath.Join(dir, "current"), []byte(v("a")), 0o644) },
	} {
		t.Run(name, func(t *testing.T) {
			run, to := t.TempDir(), t.TempDir()
			dir := filepath.Join(run, "rankings")
			c, err := NewCommit("rankings", "rank", 1, []byte("{}"), nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			c.Version = v("a")
			file := filepath.Join(dir, v("a"), commitFile)
			if err := errors.Join(writeJSON(t.Context(), storage.Local, file, c), os.Symlink(v("a"), filepath.Join(dir, "current"))); err != nil {
				t.Fatal(err)
			}
			if c, err := ReadCommit(t.Context(), storage.Local, run, "rankings"); err != nil || c.Version != v("a") {
				t.Fatalf("%v is read, %v", c, err)
			}
			if err := errors.Join(os.Remove(filepath.Join(dir, "current")), forge(dir)); err != nil {
				t.Fatal(err)
			}
			if c, err := ReadCommit(t.Context(), storage.Local, run, "rankings"); !errors.Is(err, storage.ErrDamaged) && !errors.Is(err, ErrNoRecord) {
				t.Errorf("%v is read, %v", c, err)
			}
			if err := adopt(t.Context(), run, to, "rankings"); err != nil {
				t.Error(err)
			}
			if _, err := ReadCommit(t.Context(), storage.Local, to, "rankings"); !errors.Is(err, ErrNoRecord) {
				t.Errorf("it is taken over: %v", err)
			}
			if err := removeFormer(t.Context(), run, "rankings", "rankings"); err != nil {
				t.Error(err)
			}
			for _, name := range []string{ShardName(0, 2), commitFile} {
				if b, err := os.ReadFile(filepath.Join(outside, name)); string(b) != "precious" {
					t.Errorf("outside: %q, %v", b, err)
				}
			}
		})
	}
}
