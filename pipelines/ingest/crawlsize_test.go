package ingest

import (
	"os"
	"path/filepath"
	"testing"
)

// Of a mirror the chosen books count, and not all that it has. What is not there counts
// nothing: the stage says so.
func TestSizeOfWhatIsChosen(t *testing.T) {
	c := weekly(t, 1)
	if err := os.Truncate(c.Sources[0].Files[0], 1<<30); err != nil { // sparse
		t.Fatal(err)
	}
	if n, err := (Crawl{}).Size(t.Context(), c); err != nil || n != 3*bookSize {
		t.Errorf("three books of the catalogue count %d bytes, want %d: %v", n, 3*bookSize, err)
	}
	c.Sources[0].Gutenberg.Catalog, c.Sources[0].Gutenberg.IDs = "", []int64{7, 84}
	if n, err := (Crawl{}).Size(t.Context(), c); err != nil || n != 2*bookSize {
		t.Errorf("two books by number count %d bytes, want %d: %v", n, 2*bookSize, err)
	}
	c.Sources[0].Files = []string{filepath.Join(t.TempDir(), "missing")}
	if n, err := (Crawl{}).Size(t.Context(), c); err != nil || n != 0 {
		t.Errorf("a mirror that is missing counts %d bytes: %v", n, err)
	}
}
