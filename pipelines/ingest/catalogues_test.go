package ingest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/archive"
	"github.com/commonplace/commonplace/crawl/gutenberg"
	"github.com/commonplace/commonplace/crawl/hathitrust"
	"github.com/commonplace/commonplace/pipelines/config"
)

// catalogued is a source of three books, and its catalogue: so many lines, each with a
// title and with a field that is not kept.
func catalogued(t *testing.T, form string, lines, title, unused int) config.Source {
	t.Helper()
	s := config.NewSource(form)
	s.Name = "books"
	dir := t.TempDir()
	var catalog strings.Builder
	if form == "gutenberg" {
		catalog.WriteString("Text#,Type,Issued,Title,Language,Authors,More\n")
	}
	for i := range lines {
		id := fmt.Sprintf("uc2.t%03d", i)
		path, err := hathitrust.PairPath(id)
		if err != nil {
			t.Fatal(err)
		}
		path = filepath.Join(dir, "set", path, filepath.Base(path)+".zip")
		if form == "gutenberg" {
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
	for name, source := range map[string]sourceReader{"gutenberg": gutenbergSource{}, "hathitrust": hathitrustSource{}} {
		s := catalogued(t, name, 60, 1<<10, 0)
		s.Limits.Memory = 32 << 10
		_, err := source.list(t.Context(), s, func(item) {})
		var over *bounded.Error
		if !errors.As(err, &over) || !strings.Contains(err.Error(), "limits.memory") {
			t.Errorf("%s: long titles: %v", name, err)
		}
		s = catalogued(t, name, 60, 10, 400<<10)
		var most uint64
		if _, err := source.list(t.Context(), s, func(item) {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
		}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		if most > m.HeapAlloc+12<<20 { // of 24 MB
			t.Errorf("%s: %d MB are kept of what no row has", name, (most-m.HeapAlloc)>>20)
		}
	}
}

// White space around what is kept is not kept.
func TestPlansKeepNoLines(t *testing.T) {
	a, err := archive.Load(filepath.Join(t.TempDir(), "archive"), "")
	if err != nil {
		t.Fatal(err)
	}
	space := strings.Repeat(" ", 60_000)
	var ids, addresses strings.Builder
	for n := range 400 {
		fmt.Fprintf(&ids, "uc2.t%d%s\n", n, space)
		fmt.Fprintf(&addresses, "https://a.org/%d%s\n", n, space)
	}
	for name, test := range map[string]struct {
		plan    func(s config.Source) (planned, error)
		content string
	}{
		"hathitrust": {func(s config.Source) (planned, error) {
			s.Fetch.Endpoint, s.HathiTrust.Hathifiles = "https://a.org/htd", nil
			return hathitrustRemote{}.plan(t.Context(), a, s)
		}, ids.String()},
		"articles": {func(s config.Source) (planned, error) { return articlesRemote{}.plan(t.Context(), a, s) }, addresses.String()},
	} {
		s := config.NewSource(name)
		s.Name, s.Files = name, []string{filepath.Join(t.TempDir(), "list.txt")}
		if err := os.WriteFile(s.Files[0], []byte(test.content), 0o644); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		p, err := test.plan(s)
		runtime.GC()
		runtime.ReadMemStats(&after)
		if more := int64(after.HeapAlloc) - int64(before.HeapAlloc); err != nil || len(p.documents)+len(p.needs) < 400 || more > 8<<20 {
			t.Errorf("%s: %d MB are kept of %d documents, %v", name, more>>20, len(p.documents)+len(p.needs), err)
		}
		runtime.KeepAlive(p)
	}
	runtime.KeepAlive(&ids)
	runtime.KeepAlive(&addresses)
}

// What a later hathifile says of a volume prevails: its rights may have been withdrawn.
func TestLaterHathifilesPrevail(t *testing.T) {
	s := catalogued(t, "hathitrust", 2, 10, 0)
	update := filepath.Join(t.TempDir(), "update")
	if err := os.WriteFile(update, []byte("uc2.t000\tdeny\tic\t\t\t\t\t\t\t\t\tA title\t\t\t\t\t\t\teng\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.HathiTrust.Hathifiles = append(s.HathiTrust.Hathifiles, update)
	rights := map[string]string{}
	if _, err := (hathitrustSource{}).list(t.Context(), s, func(it item) {
		var v scan
		if err := json.Unmarshal(it.At, &v); err != nil {
			t.Fatal(err)
		}
		rights[it.ID.String()] = v.Record.Rights
	}); err != nil {
		t.Fatal(err)
	}
	if want := map[string]string{"uc2.t000": "ic", "uc2.t001": "pd"}; !maps.Equal(rights, want) {
		t.Errorf("%v, want %v", rights, want)
	}
}

// Of a fetched catalogue also the addresses of each book are counted, and the whole answer has
// a limit of its own.
func TestFetchedCataloguesWithinMemory(t *testing.T) {
	a, err := archive.Load(filepath.Join(t.TempDir(), "archive"), "")
	if err != nil {
		t.Fatal(err)
	}
	s := catalogued(t, "gutenberg", 60, 10, 0)
	s.Files, s.Fetch.Mirrors = nil, []string{"https://a.org/", "https://b.org/"}
	for most, fits := range map[int64]bool{64 << 10: false, 256 << 10: true} {
		s.Limits.Memory = most
		p, err := gutenbergRemote{}.plan(t.Context(), a, s)
		var over *bounded.Error
		if fits != (err == nil && len(p.documents) == 60) || !fits && !errors.As(err, &over) {
			t.Errorf("%d bytes: %d documents, %v", most, len(p.documents), err)
		}
	}
	if most := catalogTarget(s).MaxBytes; most > 256<<20 {
		t.Errorf("an answer of %d bytes is taken", most)
	}
}

// A data set from somebody else could have a private archive become a row: the links that
// lead out are named, as those of a folder of texts.
func TestVolumesThatLeadOut(t *testing.T) {
	s := catalogued(t, "hathitrust", 3, 10, 0)
	private := filepath.Join(t.TempDir(), "private.zip")
	if err := os.WriteFile(private, []byte("no zip\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	at := func(id string) string {
		path, err := hathitrust.PairPath(id)
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Join(s.Files[0], path, filepath.Base(path)+".zip")
	}
	within, out := at("uc2.t000"), at("uc2.t001")
	if err := errors.Join(os.Remove(within), os.Remove(out)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Symlink(at("uc2.t002"), within), os.Symlink(private, out)); err != nil {
		t.Skip(err)
	}
	notes, err := hathitrustSource{}.list(t.Context(), s, func(item) {})
	if want := "1 link to files outside the folder read, such as t001.zip"; err != nil || !slices.Contains(notes, want) {
		t.Errorf("%q, %v", notes, err)
	}
}
