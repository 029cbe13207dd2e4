package tabletest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Earlier lays the tables of a folder out as version 0.1.0 did: each with its records
// in its own folder, and the rankings in a version with a link to it.
func Earlier(t testing.TB, dir string) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	records := filepath.Join(dir, "records")
	tables, err := os.ReadDir(records)
	must(err)
	for _, e := range tables {
		name, version := e.Name(), ""
		at := filepath.Join(dir, name)
		if name == table.Rankings.Name {
			version = strings.Repeat("0", 16)
			whole := filepath.Join(at, version)
			must(os.Rename(at, at+".moved"))
			must(os.Mkdir(at, 0o755))
			must(os.Rename(at+".moved", whole))
			must(os.Symlink(version, filepath.Join(at, "current")))
			at = whole
		}
		must(os.MkdirAll(filepath.Join(at, ".records"), 0o755))
		files, err := os.ReadDir(filepath.Join(records, name))
		must(err)
		for _, f := range files {
			b, err := os.ReadFile(filepath.Join(records, name, f.Name()))
			must(err)
			if f.Name() == "_commit.json" {
				var c table.Commit
				must(json.Unmarshal(b, &c))
				c.Version = version
				must(os.WriteFile(filepath.Join(at, f.Name()), encode(t, c), 0o644))
				continue
			}
			var r table.TaskRecord
			must(json.Unmarshal(b, &r))
			r.Version, r.Key = version, ""
			r.Key = storage.Key(r)
			must(os.WriteFile(filepath.Join(at, ".records", f.Name()), encode(t, r), 0o644))
		}
	}
	must(os.RemoveAll(records))
}

// EarlierNight does the same with a folder of a run's versions, of a build before this layout.
func EarlierNight(t testing.TB, dir string) {
	t.Helper()
	Earlier(t, dir)
	file := filepath.Join(dir, ".night.json")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var night map[string]any
	if err := json.Unmarshal(b, &night); err != nil {
		t.Fatal(err)
	}
	delete(night, "layout")
	if err := os.WriteFile(file, encode(t, night), 0o644); err != nil {
		t.Fatal(err)
	}
}

func encode(t testing.TB, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
