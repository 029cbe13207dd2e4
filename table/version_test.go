package table

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/storage"
)

// v is a version of a letter's name.
func v(letter string) string { return strings.Repeat(letter, 16) }

// version writes an empty version of rankings.
func version(t *testing.T, run, name string) {
	t.Helper()
	c, err := NewCommit("rankings/"+name, "rank", 1, []byte("{}"), nil, nil)
	if err == nil {
		err = WriteCommit(t.Context(), storage.Local, run, c)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func named(t *testing.T, run string) [2]string {
	t.Helper()
	current, err := CurrentVersion(t.Context(), run, "rankings")
	if err != nil {
		t.Fatal(err)
	}
	previous, err := PreviousVersion(t.Context(), run, "rankings")
	if err != nil {
		t.Fatal(err)
	}
	return [2]string{current, previous}
}

func TestAVersionCountsWhenItIsMadeCurrent(t *testing.T) {
	run := t.TempDir()
	if got := named(t, run); got != [2]string{} {
		t.Errorf("before the first: %v", got)
	}
	// a, then b beside it; a is read until b is made current; then back to a, and
	// on to c, when b is of no more use.
	for _, step := range []struct {
		make string
		want [2]string
	}{{v("a"), [2]string{v("a"), ""}}, {v("b"), [2]string{v("b"), v("a")}}, {v("b"), [2]string{v("b"), v("a")}}, {v("a"), [2]string{v("a"), v("b")}}, {v("c"), [2]string{v("c"), v("a")}}} {
		before := named(t, run)
		version(t, run, step.make)
		if c, err := ReadCommit(t.Context(), storage.Local, run, "rankings"); err == nil && c.Version != before[0] {
			t.Errorf("while %s is written, %s is current", step.make, c.Version)
		}
		if err := MakeCurrent(t.Context(), run, "rankings", step.make); err != nil {
			t.Fatal(err)
		}
		if got := named(t, run); got != step.want {
			t.Errorf("after %s: current and previous are %v, want %v", step.make, got, step.want)
		}
		c, err := ReadCommit(t.Context(), storage.Local, run, "rankings")
		if err != nil || c.Version != step.make {
			t.Errorf("current is %q, %v, want %s", c.Version, err, step.make)
		}
		if _, err := ReadCommit(t.Context(), storage.Local, run, "rankings/"+step.make); err != nil {
			t.Error(err)
		}
	}
	entries, err := os.ReadDir(filepath.Join(run, "rankings"))
	if err != nil || len(entries) != 4 {
		t.Errorf("%d entries, %v; want a, c, current, previous", len(entries), err)
	}
}

// A run that was killed after one link and before the other is put right by the next.
func TestAHalfChangedName(t *testing.T) {
	run := t.TempDir()
	for _, v := range []string{v("a"), v("b")} {
		version(t, run, v)
		if err := MakeCurrent(t.Context(), run, "rankings", v); err != nil {
			t.Fatal(err)
		}
	}
	version(t, run, v("c"))
	if err := pointAt(t.Context(), run, "rankings", previousVersion, v("b")); err != nil {
		t.Fatal(err)
	}
	if c, err := ReadCommit(t.Context(), storage.Local, run, "rankings"); err != nil || c.Version != v("b") {
		t.Errorf("%q is read, %v", c.Version, err)
	}
	if err := MakeCurrent(t.Context(), run, "rankings", v("c")); err != nil {
		t.Fatal(err)
	}
	if got := named(t, run); got != [2]string{v("c"), v("b")} {
		t.Errorf("got %v", got)
	}
}

// To make room for a version what killed runs left of others goes; a version that
// is read keeps its record, though it is made again under its name.
func TestMakeVersion(t *testing.T) {
	run := t.TempDir()
	for _, version := range []string{v("a"), v("b"), v("e"), v("f")} {
		dir := filepath.Join(run, "rankings", version)
		if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "_commit.json"), []byte("{}"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(pointAt(t.Context(), run, "rankings", currentVersion, v("b")), pointAt(t.Context(), run, "rankings", previousVersion, v("a"))); err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{v("f"), v("b")} {
		if err := MakeVersion(t.Context(), run, "rankings", version); err != nil {
			t.Fatal(err)
		}
		var there []string
		for _, v := range []string{v("a"), v("b"), v("e"), v("f")} {
			if _, err := os.Stat(filepath.Join(run, "rankings", v, "_commit.json")); err == nil {
				there = append(there, v)
			}
		}
		if !slices.Equal(there, []string{v("a"), v("b")}) {
			t.Errorf("to make %s, records are left of %v", version, there)
		}
		if name, err := UnfinishedVersion(t.Context(), run, "rankings"); err != nil || name != map[string]string{v("f"): v("f")}[version] {
			t.Errorf("to make %s, %q is unfinished, %v", version, name, err)
		}
	}
	if err := MakeVersion(t.Context(), t.TempDir(), "rankings", v("d")); err != nil {
		t.Error(err)
	}
}

// What somebody else put in the place of a link is no version: it is not read, the next
// build replaces it, it is not kept as the version before, and nothing that a link leads
// to outside the table is removed.
func TestForgedVersions(t *testing.T) {
	outside := t.TempDir()
	for _, name := range []string{ShardName(0, 2), CommitFile} {
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
			run := t.TempDir()
			dir := filepath.Join(run, "rankings")
			version(t, run, v("a"))
			if err := errors.Join(MakeCurrent(t.Context(), run, "rankings", v("a")), os.Remove(filepath.Join(dir, "current")), forge(dir)); err != nil {
				t.Fatal(err)
			}
			if c, err := ReadCommit(t.Context(), storage.Local, run, "rankings"); err == nil && c.Version != v("a") {
				t.Errorf("%v is read", c)
			} else if err != nil && !errors.Is(err, storage.ErrDamaged) && !errors.Is(err, ErrNoRecord) {
				t.Errorf("a build cannot mend this: %v", err)
			}
			if err := MakeVersion(t.Context(), run, "rankings", v("b")); err != nil {
				t.Fatal(err)
			}
			version(t, run, v("b"))
			if err := MakeCurrent(t.Context(), run, "rankings", v("b")); err != nil {
				t.Fatal(err)
			}
			if got := named(t, run); got != [2]string{v("b"), ""} {
				t.Errorf("current and previous are %q", got)
			}
			for _, name := range []string{ShardName(0, 2), CommitFile} {
				if b, err := os.ReadFile(filepath.Join(outside, name)); string(b) != "precious" {
					t.Errorf("outside: %q, %v", b, err)
				}
			}
		})
	}
}
