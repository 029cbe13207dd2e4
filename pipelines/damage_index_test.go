package pipelines

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// TestDamageOfTheIndex cuts the files of the cache, flips bytes in them or
// removes them, and the tables that are made of them, so that the next run opens
// them again: it gives the same tables and puts the files right. A file in the
// folder's place is a clear error.
func TestDamageOfTheIndex(t *testing.T) {
	c, _ := small(t)
	if err := pipelinetest.TryBuild(c); err != nil {
		t.Fatal(err)
	}
	want := pipelinetest.Snapshot(t, c.Out)
	files, err := filepath.Glob(filepath.Join(c.Out, cache.Folder, "*-*"))
	if err != nil {
		t.Fatal(err)
	}
	before := map[string]string{"part": "finds", "counts": "finds", "sketches": "works", "stretches": "groups"} // is read, and what it was made from is not
	random := rand.New(rand.NewPCG(9, 2))
	kinds := map[string]bool{}
	ways := []string{"cut", "emptied", "removed", "flipped"}
	if slow {
		ways = append(ways, "flipped", "flipped", "flipped", "flipped")
	}
	for i, of := range files {
		name := filepath.Base(of)
		kind, _, _ := strings.Cut(name, "-")
		kinds[kind] = true
		whole, err := os.ReadFile(of)
		if err != nil {
			t.Fatal(err)
		}
		for k, how := range ways {
			run := pipelinetest.Into(c, filepath.Join(t.TempDir(), fmt.Sprint(i, "-", k)))
			if err := os.CopyFS(run.Out, os.DirFS(c.Out)); err != nil {
				t.Fatal(err)
			}
			for _, made := range []string{"matches", "alignments", "works", "groups", "scores", "rankings"} {
				if err := os.RemoveAll(filepath.Join(run.Out, ".current", made)); err != nil {
					t.Fatal(err)
				}
			}
			if before[kind] != "" {
				hiding, err := filepath.Glob(filepath.Join(run.Out, cache.Folder, before[kind]+"-*"))
				if err != nil || len(hiding) == 0 {
					t.Fatal(hiding, err)
				}
				for _, f := range hiding {
					if err := os.Remove(f); err != nil {
						t.Fatal(err)
					}
				}
			}
			path := filepath.Join(run.Out, cache.Folder, name)
			b := bytes.Clone(whole)
			switch how {
			case "cut":
				b = b[:random.IntN(len(b))]
			case "flipped":
				b[random.IntN(len(b))] ^= 1 << random.IntN(8)
			case "emptied":
				b = nil
			}
			if how == "removed" {
				err = os.Remove(path)
			} else {
				err = os.WriteFile(path, b, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
			for try := 0; ; try++ { // a section that is damaged says so, and is made again by the next run
				if err := pipelinetest.TryBuild(run); err == nil {
					break
				} else if try > 0 || !errors.Is(err, storage.ErrRefused) {
					t.Fatalf("%s %s: %v", name, how, err)
				}
			}
			if d := pipelinetest.Differing(want, pipelinetest.Snapshot(t, run.Out)); len(d) > 0 {
				t.Errorf("%s %s: other bytes in %s", name, how, d)
			}
			if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, whole) {
				t.Errorf("%s %s was not put right (%d bytes of %d): %v", name, how, len(now), len(whole), err)
			}
		}
	}
	if want := []string{"counts", "finds", "groups", "matches", "part", "scored", "sketches", "stretches", "works"}; !slices.Equal(slices.Sorted(maps.Keys(kinds)), want) {
		t.Errorf("the index has files of the kinds %v, want %v", slices.Sorted(maps.Keys(kinds)), want)
	}
	blocked := pipelinetest.Into(c, filepath.Join(t.TempDir(), "blocked"))
	if err := errors.Join(os.MkdirAll(blocked.Out, 0o755), os.WriteFile(filepath.Join(blocked.Out, table.MarkFile), want[table.MarkFile], 0o644), os.WriteFile(filepath.Join(blocked.Out, cache.Folder), nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	if err := pipelinetest.TryBuild(blocked); !errors.Is(err, storage.ErrRefused) {
		t.Errorf("a file in the index's place: %v", err)
	}
	if err := errors.Join(os.Remove(filepath.Join(blocked.Out, cache.Folder)), pipelinetest.TryBuild(blocked)); err != nil {
		t.Fatal(err)
	}
	if d := pipelinetest.Differing(want, pipelinetest.Snapshot(t, blocked.Out)); len(d) > 0 {
		t.Errorf("after the file in the index's place: other bytes in %s", d)
	}
}
