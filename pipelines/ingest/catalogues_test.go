package ingest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/gutenberg"
	"github.com/commonplace/commonplace/crawl/hathitrust"
	"github.com/commonplace/commonplace/pipelines/config"
)

// catalogued is a source of three books, and its catalogue: so many lines, each with a
// title and with a field that is not kept.
func catalogued(t *testing.T, of string, lines, title, unused int) config.Source {
	t.Helper()
	s := config.NewSource(of)
	s.Name = "books"
	dir := t.TempDir()
	var catalog strings.Builder
	if of == "gutenberg" {
		catalog.WriteString("Text#,Type,Issued,Title,Language,Authors,More\n")
	}
	for i := range lines {
		id := fmt.Sprintf("uc2.t%03d", i)
		path, err := hathitrust.PairPath(id)
		if err != nil {
			t.Fatal(err)
		}
		path = filepath.Join(dir, "set", path, filepath.Base(path)+".zip")
		if of == "gutenberg" {
			path = filepath.Join(dir, "set", filepath.FromSlash(gutenberg.MirrorPath(int64(i+1))), fmt.Sprintf("%d-0.txt", i+1))
			fmt.Fprintf(&catalog, "%d,Text,2000-01-01,%s,en,,%s\n", i+1, strings.Repeat("t", title), strings.Repeat("u", unused))
		} else {
			fmt.Fprintf(&catalog, "%s\tallow\tpd\t%s\t\t\t\t\t\t\t\t%s\t\t\t\t\t\t\teng\n", id, strings.Repeat("u", unused), strings.Repeat("t", title))
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("no zip\n"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "catalog")
	if err := os.WriteFile(path, []byte(catalog.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	s.Files, s.Gutenberg.Catalog, s.HathiTrust.Hathifiles = []string{filepath.Join(dir, "set")}, path, []string{path}
	return s
}

// What is kept of catalogues is counted against limits.memory, and what is not kept
// takes no memory.
func TestCataloguesWithinMemory(t *testing.T) {
	for kind, source := range map[string]sourceReader{"gutenberg": gutenbergSource{}, "hathitrust": hathitrustSource{}} {
		s := catalogued(t, kind, 60, 1<<10, 0)
		s.Limits.Memory = 32 << 10
		_, err := source.list(t.Context(), s, func(item) {})
		var over *bounded.Error
		if !errors.As(err, &over) || !strings.Contains(err.Error(), "limits.memory") {
			t.Errorf("%s: long titles: %v", kind, err)
		}
		s = catalogued(t, kind, 60, 10, 400<<10)
		var most uint64
		if _, err := source.list(t.Context(), s, func(item) {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
		}); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		if most > m.HeapAlloc+12<<20 { // of 24 MB
			t.Errorf("%s: %d MB are kept of what no row has", kind, (most-m.HeapAlloc)>>20)
		}
	}
}
