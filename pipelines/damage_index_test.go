package pipelines

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/commonplace/commonplace/table"
)

// TestDamageOfTheIndex cuts the files of the folder index, flips bytes in them,
// removes them or puts a file in the folder's place before a run with a book more:
// they can always be made again, and where they cannot be written the run says so.
func TestDamageOfTheIndex(t *testing.T) {
	c, folder := small(t)
	if err := tryBuild(c); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "books/owl.txt"), []byte("The owl of the mill slept through the flood.\n\nNobody paid the ferryman that year."), 0o644); err != nil {
		t.Fatal(err)
	}
	full := into(c, filepath.Join(t.TempDir(), "full"))
	if err := tryBuild(full); err != nil {
		t.Fatal(err)
	}
	want := snapshot(t, full.Out)
	kinds, err := filepath.Glob(filepath.Join(c.Out, indexFolder, "*-*"))
	if err != nil || len(kinds) < 7 {
		t.Fatalf("the index has %d files: %v", len(kinds), err)
	}
	random := rand.New(rand.NewPCG(9, 2))
	for i, of := range kinds {
		for _, how := range []string{"cut", "flipped", "emptied", "removed"} {
			run := into(c, filepath.Join(t.TempDir(), fmt.Sprint(how, i)))
			if err := os.CopyFS(run.Out, os.DirFS(c.Out)); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(run.Out, indexFolder, filepath.Base(of))
			b, err := os.ReadFile(path)
			if err != nil || len(b) == 0 {
				t.Fatal(path, err)
			}
			switch how {
			case "cut":
				b = b[:random.IntN(len(b))]
			case "flipped":
				b[random.IntN(len(b))] ^= 1 << random.IntN(8)
			case "emptied":
				b = nil
			}
			if err := errors.Join(os.Remove(path), func() error {
				if how == "removed" {
					return nil
				}
				return os.WriteFile(path, b, 0o644)
			}()); err != nil {
				t.Fatal(err)
			}
			for try := 0; ; try++ { // a section that is damaged says so, and is made anew by the next run
				if err := tryBuild(run); err == nil {
					break
				} else if try > 0 || !errors.Is(err, table.ErrStorage) {
					t.Fatalf("%s %s: %v", filepath.Base(path), how, err)
				}
			}
			if d := differing(want, snapshot(t, run.Out)); len(d) > 0 {
				t.Errorf("%s %s: other bytes than a full build in %s", filepath.Base(path), how, d)
			}
		}
	}
	blocked := into(c, filepath.Join(t.TempDir(), "blocked"))
	if err := errors.Join(os.MkdirAll(blocked.Out, 0o755), os.WriteFile(filepath.Join(blocked.Out, indexFolder), nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	if err := tryBuild(blocked); !errors.Is(err, table.ErrStorage) {
		t.Errorf("a file in the index's place: %v", err)
	}
	if err := errors.Join(os.Remove(filepath.Join(blocked.Out, indexFolder)), tryBuild(blocked)); err != nil {
		t.Fatal(err)
	}
	if d := differing(want, snapshot(t, blocked.Out)); len(d) > 0 {
		t.Errorf("after the file in the index's place: other bytes in %s", d)
	}
}
