package datasets

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// A volume is cut into sentences without its citations, a part of a sentence is no window,
// and what the critic says beside a quotation is kept.
func TestWindowsOfACritic(t *testing.T) {
	works, volumes := t.TempDir(), t.TempDir()
	for path, text := range map[string]string{
		filepath.Join(works, "novel.txt"): "The ferryman counted every lantern on the northern quay before he untied the rope. " +
			"Nobody in the village had ever seen him hurry for a magistrate or for a storm. " +
			"He saw the whole wide estuary at once, grey and glittering under the gulls, and was glad of an evening that had come so late.\n",
		filepath.Join(volumes, "critic.txt"): "The book begins with work. It says, “The ferryman counted every lantern on the northern quay before he untied the rope” (pp. 12-13; 15. ed.), " +
			"and this is the best beginning that the author of so many tales of rivers ever found. All is said by then. " +
			"That he “saw the whole wide estuary at once, grey and glittering under the gulls” (Austen 149; Butler 22) is what makes the later chapters of this book so hard to bear for its readers.\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c := pipelinetest.Dataset(t, "relic-hathitrust", func(c *config.Config) {
		c.Sources[0].Files = []string{works}
		c.Sources[1] = config.Source{Name: "volumes", Kind: "files", Files: []string{volumes}, Role: "derived", Language: "en"}
		c.Label.Windows.MinMatches = 1
	})
	pipelinetest.Build(t, c)
	windows := pipelinetest.Rows(t, c, table.Windows)
	if len(windows) != 1 {
		t.Fatalf("%d windows: %+v", len(windows), windows)
	}
	w := windows[0]
	if want := "The ferryman counted every lantern on the northern quay before he untied the rope."; w.Quote != want {
		t.Errorf("quote %q", w.Quote)
	}
	if want := []string{"The book begins with work.", "It says,"}; !slices.Equal(w.Left, want) {
		t.Errorf("left %q, want %q", w.Left, want)
	}
	if want := "and this is the best beginning that the author of so many tales of rivers ever found."; len(w.Right) != 3 || w.Right[0] != want {
		t.Errorf("right %q, want first %q", w.Right, want)
	}
	commit, err := table.ReadCommit(t.Context(), storage.Default, c.Out, "windows")
	if err != nil || commit.Counts["of_parts_of_sentences"] != 1 {
		t.Errorf("of parts of sentences: %v, %v", commit.Counts, err)
	}
}

// A build says that a split came out empty.
func TestBuildsWarnOfThinSplits(t *testing.T) {
	c := pipelinetest.Dataset(t, "relic-hathitrust", nil) // two works, none of them in validation
	notes := pipelinetest.Build(t, c)["window"].Notes
	if len(notes) != 1 || !strings.Contains(notes[0], "too few for three splits (of 9, validation is empty)") {
		t.Errorf("%q", notes)
	}
}
