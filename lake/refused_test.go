package lake

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gofrs/flock"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Publish writes into no folder that holds something else, and loses nothing that another
// program added to its table. It changes nothing there.
func TestRefused(t *testing.T) {
	run, c := runOf(t, "a:1")
	next, c2 := runOf(t, "b:1")
	replace := func(old, by string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, metadataFolder, "v1.metadata.json")
			raw, err := os.ReadFile(path)
			if err == nil && !strings.Contains(string(raw), old) {
				t.Fatalf("the metadata has no %s", old)
			}
			if err = errors.Join(err, os.WriteFile(path, []byte(strings.ReplaceAll(string(raw), old, by)), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	write := func(name, content string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, test := range []struct {
		name  string
		do    func(t *testing.T, dir string)
		is    error
		words string
	}{
		{"another file", write("book.txt", "x"), ErrForeign, "it holds book.txt"},
		{"of another program", replace(`"format-version":2`, `"format-version":2,"statistics":[]`), ErrForeign, "statistics"},
		{"of another format", replace(`"format-version":2`, `"format-version":3`), ErrForeign, "not metadata that publish wrote of rankings"},
		{"of another table", replace(tableProperty, "other.table"), ErrForeign, "not metadata that publish wrote of rankings"},
		{"moved", replace(`"location":"file://`, `"location":"file:///else`), ErrForeign, "publish into a new folder, or move it back"},
		{"no metadata", write("metadata/v1.metadata.json", "{"), ErrForeign, "not metadata that publish wrote"},
		{"no number", write("metadata/version-hint.text", "one"), storage.ErrDamaged, `it is "one"`},
		{"no such version", write("metadata/version-hint.text", "7"), os.ErrNotExist, "v7.metadata.json"},
		{"too large", func(t *testing.T, dir string) {
			if err := os.Truncate(filepath.Join(dir, "metadata/v1.metadata.json"), maxMetadata+1); err != nil {
				t.Fatal(err)
			}
		}, storage.ErrDamaged, "over the limit"},
		{"a link", func(t *testing.T, dir string) {
			data, moved := filepath.Join(dir, dataFolder), filepath.Join(t.TempDir(), "moved")
			if err := errors.Join(os.Rename(data, moved), os.Symlink(moved, data)); err != nil {
				t.Fatal(err)
			}
		}, storage.ErrDamaged, "it is a link"},
		{"busy", func(t *testing.T, dir string) {
			lock := flock.New(filepath.Join(dir, lockFile))
			if _, err := lock.TryLock(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { lock.Unlock() })
		}, ErrBusy, "wait for it"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir, o := filepath.Join(t.TempDir(), "lake"), Options{Keep: 1, Now: clock()}
			mustPublish(t, run, c, dir, o)
			test.do(t, dir)
			before := map[string]string{}
			if test.name != "too large" {
				before = tree(t, dir)
			}
			_, err := Publish(t.Context(), storage.Local, next, table.Rankings, c2, dir, o)
			if !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.words) {
				t.Errorf("%v, want %v and %q", err, test.is, test.words)
			}
			if test.name != "too large" && !maps.Equal(before, tree(t, dir)) {
				t.Error("files were changed")
			}
		})
	}
}

// Readers take the path for an address: of lake/a#b they would read lake/a.
func TestPathsThatReadersMistake(t *testing.T) {
	run, c := runOf(t, "a:1")
	for name, is := range map[string]error{"a#b": ErrPath, "a?b": ErrPath, "a\nb": ErrPath, "a\xe9b": ErrPath, "a%20b": nil, "a b": nil, "ü": nil} {
		dir := filepath.Join(t.TempDir(), name)
		if _, err := Publish(t.Context(), storage.Local, run, table.Rankings, c, dir, Options{Keep: 1, Now: clock()}); !errors.Is(err, is) {
			t.Errorf("%q: %v", name, err)
		}
		if _, err := os.Stat(dir); (err == nil) != (is == nil) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// A shard whose bytes are not those of its record is not published.
func TestADamagedShardIsRefused(t *testing.T) {
	dir, o := filepath.Join(t.TempDir(), "lake"), Options{Keep: 1, Now: clock()}
	run, c := runOf(t, "a:1")
	mustPublish(t, run, c, dir, o)
	run, c = runOf(t, "a:2")
	if err := os.WriteFile(c.ShardPaths(run)[0], []byte("PAR1"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Publish(t.Context(), storage.Local, run, table.Rankings, c, dir, o); !errors.Is(err, storage.ErrDamaged) {
		t.Errorf("%v, want it damaged", err)
	}
	if got, _ := published(t, dir); len(got) != 1 || got[0][0] != "a:1" {
		t.Errorf("readers have %v", got)
	}
}
