package export

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Only an export, and all of whose files are its own, is replaced; what lies
// where an export puts temporary things is removed only if it bears its mark.
func TestFilesOfOthersStay(t *testing.T) {
	t.Parallel()
	run := testRun(t)
	dataset := map[string]string{"SHA256SUMS": "x", "manifest.json": `{"name": "somebody's own dataset"}`, "data/train.csv": "a,b"}
	for what, there := range map[string]map[string]string{
		"a dataset of others":                        dataset,
		"a dataset of others in the old one's place": {"../.set.partial/SHA256SUMS": "", "../.set.partial/manifest.json": "{}"},
		"a folder of the temporary name":             {"../.set.partial/notes.md": "years"},
		"a folder of the other temporary name":       {"../.set.partial.old/notes.md": "years"},
		"a file of the lock's name":                  {"../.set.partial.lock": "years"},
		"a file in an export":                        {"notes.md": "years"},
		"a file in a folder of an export":            {"data/passages/notes.md": "years"},
	} {
		to := t.TempDir() + "/set"
		if strings.HasSuffix(what, "an export") {
			write(t, run, to, Options{Tables: []string{"passages", "quotes"}})
		}
		for name, content := range there {
			path := filepath.Join(to, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		before := read(t, filepath.Dir(to))
		if _, err := Write(t.Context(), run, to, Options{}); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: %v", what, err)
		}
		if after := read(t, filepath.Dir(to)); !sameFiles(before, after) {
			t.Errorf("%s: before %v, after %v", what, slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)))
		}
	}
}

// What somebody puts into the export that is being replaced stays too.
func TestAFileThatComesLateStays(t *testing.T) {
	t.Parallel()
	run, to := testRun(t), t.TempDir()+"/set"
	write(t, run, to, Options{Tables: []string{"quotes"}})
	_, err := Write(t.Context(), run, to, Options{Tables: []string{"passages"}, Progress: func(int, int) {
		os.WriteFile(to+"/notes.md", []byte("years of work"), 0o644)
	}})
	if !errors.Is(err, ErrForeign) {
		t.Error(err)
	}
	found := 0
	for name, content := range read(t, filepath.Dir(to)) {
		if filepath.Base(name) == "notes.md" && content == "years of work" {
			found++
		}
	}
	if found != 1 {
		t.Errorf("%d files are left of one", found)
	}
}

// An export that is removed, here the one that was replaced, is removed wholly by the next
// export, wherever the removal was stopped.
func TestARemovalThatIsKilledGoesOn(t *testing.T) {
	t.Parallel()
	run := testRun(t)
	for steps := range 20 {
		to := t.TempDir() + "/set"
		write(t, run, to, Options{Tables: []string{"quotes"}})
		old := filepath.Join(filepath.Dir(to), ".set.partial")
		if err := os.Rename(to, old); err != nil {
			t.Fatal(err)
		}
		left, killed := steps, errors.New("killed")
		err := removeBy(old, func(path string) error {
			if left--; left < 0 {
				return killed
			}
			return os.RemoveAll(path)
		})
		write(t, run, to, Options{Tables: []string{"quotes"}})
		if entries, _ := os.ReadDir(filepath.Dir(to)); len(entries) != 1 {
			t.Errorf("stopped after %d steps: %v is left", steps, entries)
		}
		if err == nil {
			return
		}
	}
	t.Error("no removal came to its end")
}
