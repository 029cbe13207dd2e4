package export

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/table"
)

// A card says that a split came out empty, and nothing of tables that are not split.
func TestCardWarnsOfThinSplits(t *testing.T) {
	g := &gathered{Name: "windows", Commit: table.Commit{Counts: map[string]int64{"in_train": 99, "in_test": 1}}}
	checks := g.checks()
	if len(checks) != 1 || !strings.Contains(strings.Join([]string{checks[0].Config, checks[0].Result}, " "), "windows **warning: the split validation is empty, test has 1 of 100 rows") {
		t.Errorf("%+v", checks)
	}
	g.Commit.Counts = nil
	if checks := g.checks(); len(checks) != 0 {
		t.Errorf("%+v", checks)
	}
}

// An export says itself which splits are thin: of its tables, and of the rows to train on, of which
// copies are left out. Folds are no splits.
func TestExportWarnsOfThinSplits(t *testing.T) {
	t.Parallel()
	to := filepath.Join(t.TempDir(), "folder")
	s, err := Write(t.Context(), smallRun(t), to, Options{For: []string{ForSpans, ForCounts}, Questions: askTwo})
	if err != nil {
		t.Fatal(err)
	}
	want := "rows for span: warning: the rows are too few for three splits (of 3, validation is empty, test is empty)"
	if len(s.Thin) != 1 || !strings.HasPrefix(s.Thin[0], want) {
		t.Errorf("%q, want %q", s.Thin, want)
	}
	if card, err := os.ReadFile(filepath.Join(to, ForSpans, "README.md")); err != nil || !strings.Contains(string(card), "**warning: the rows are too few") {
		t.Errorf("%s, %v", card, err)
	}
	if card, err := os.ReadFile(filepath.Join(to, ForCounts, "README.md")); err != nil || strings.Contains(string(card), "warning") {
		t.Errorf("%s, %v", card, err)
	}
	j := &job{}
	if got := j.thin([]*gathered{{Name: "windows", Commit: table.Commit{Counts: map[string]int64{"in_train": 99, "in_validation": 50, "in_test": 1}}}}); len(got) != 1 || !strings.HasPrefix(got[0], "windows: warning: the split test has 1 of 150 rows") {
		t.Errorf("%q", got)
	}
}
