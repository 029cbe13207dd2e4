package pipelines

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/table"
)

// Settings that somebody removed are written again by the next build, which says so, also
// where every table is fresh. From then on another config is refused as ever.
func TestLostSettingsAreWrittenAgain(t *testing.T) {
	c, folder := small(t)
	pipelinetest.Build(t, c)
	said := func() bool {
		t.Helper()
		var notes []string
		err := engine.Build(t.Context(), engine.Request{Config: c, Done: func(r engine.StageReport) { notes = append(notes, r.Notes...) }})
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(notes, func(note string) bool { return strings.Contains(note, "settings.json is missing: this build assumes") })
	}
	for _, change := range []bool{false, true} {
		current, err := table.Current(t.Context(), c.Out)
		if err != nil {
			t.Fatal(err)
		}
		want := fileOf(t, filepath.Join(c.Out, "settings.json"))
		if err := os.Remove(filepath.Join(current, "settings.json")); err != nil {
			t.Fatal(err)
		}
		if change {
			bookOf(t, folder, "another.txt")
		}
		if !said() {
			t.Errorf("a changed book %v: nothing is said", change)
		}
		if now := fileOf(t, filepath.Join(c.Out, "settings.json")); string(now) != string(want) {
			t.Errorf("a changed book %v: it is now %s\nwas %s", change, now, want)
		}
		if said() {
			t.Errorf("a changed book %v: said again", change)
		}
	}
	c.Segment.By = "words:70"
	if err := pipelinetest.TryBuild(c); !errors.Is(err, engine.ErrSettings) {
		t.Errorf("other settings: %v", err)
	}
}
