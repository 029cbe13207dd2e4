package tabletest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// LinkVersion makes of a folder rankings/current, as a test writes it, what a build
// leaves: a folder of a version and a link to it.
func LinkVersion(t testing.TB, run string) {
	t.Helper()
	version := strings.Repeat("0", 16)
	current := filepath.Join(run, "rankings", "current")
	if err := os.Rename(current, filepath.Join(run, "rankings", version)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(version, current); err != nil {
		t.Fatal(err)
	}
}
