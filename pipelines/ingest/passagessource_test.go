package ingest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
)

// Many files of passages are not all in memory, and are read whichever comes first.
func TestManyFilesOfPassages(t *testing.T) {
	s := config.NewSource("passages")
	s.Name, s.Limits.Memory = "bibles", 6<<20
	dir := t.TempDir()
	for n := range 8 {
		path := filepath.Join(dir, fmt.Sprintf("%d.csv", n))
		text := strings.Repeat("In the beginning was the word. ", 100_000)
		if err := os.WriteFile(path, fmt.Appendf(nil, "document,text\na%d,%s\nb%d,short\n", n, text, n), 0o644); err != nil {
			t.Fatal(err)
		}
		s.Files = append(s.Files, path)
	}
	var items []item
	if _, err := (passagesSource{}).list(t.Context(), s, func(it item) { items = append(items, it) }); err != nil || len(items) != 16 {
		t.Fatalf("%d items, %v", len(items), err)
	}
	r := passagesSource{}.open(s, items)
	for _, odd := range []int{0, 1} {
		for i := odd; i < len(items); i += 2 {
			if doc, err := r.read(t.Context(), items[i]); err != nil || doc.ID != items[i].ID.String() {
				t.Errorf("%s: %q, %v", items[i].ID, doc.ID, err)
			}
		}
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	if m.HeapAlloc > 18<<20 { // of 25 MB
		t.Errorf("%d MB are kept", m.HeapAlloc>>20)
	}
	runtime.KeepAlive(r)
}
