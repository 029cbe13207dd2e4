package export

import (
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
