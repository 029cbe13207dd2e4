package engine_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/storage/cloud/loopback"
	"github.com/commonplace/commonplace/table"
	"github.com/commonplace/commonplace/table/tabletest"
)

// foreign are files that somebody may have where a run writes, with names as near
// to those of its own as can be, by folder.
var foreign = map[string][]string{
	"":                   {"thesis.tex", ".notes.tmp", ".notes.0123456789ab.tmp", ".tmp/notes.md", ".commonplace", "settings.json.bak"},
	"records":            {"notes.md", "mine/part-00000-of-00001.json"},
	"records/documents":  {"notes.md"},
	"documents":          {"letters.tmp", ".letters.tmp", "part-00000-of-00009.csv", ".records/notes.json", "photos/1.jpg"},
	"passages":           {"_commit.json.bak", ".records/notes.md"},
	"quotes":             {"my quotes.csv"},
	"examples":           {"notes.md", ".records/notes.md"},
	"rankings":           {"best.txt", "drafts/chapter.tex", "0123456789abcdef.md", ".current.tmp"},
	"cache":              {"books.db", "counts-2024.csv", "part-1.txt", ".books.tmp", "order.txt", "scored-notes.md"},
	"rejects":            {"why.md", "mine/notes.md"},
	"rejects/crawl":      {"notes.md"},
	"archive":            {"letters.zip"},
	"reports/2024/spain": {"index.html"},
}

// plant writes the foreign files that lie in a folder for which where holds.
func plant(t *testing.T, out string, where func(folder string) bool) (check func(after string)) {
	t.Helper()
	var paths []string
	for folder, names := range foreign {
		for _, name := range names {
			if where(folder) {
				paths = append(paths, filepath.Join(out, folder, name))
			}
		}
	}
	for _, path := range paths {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("years of work"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for i, path := range paths { // where it lies, and not the link that leads there tonight
		var err error
		if paths[i], err = filepath.EvalSymlinks(path); err != nil {
			t.Fatal(err)
		}
	}
	return func(after string) {
		t.Helper()
		for _, path := range paths {
			if b, err := os.ReadFile(path); err != nil || string(b) != "years of work" {
				t.Errorf("after %s %s is gone: %v", after, path, err)
			}
		}
	}
}

// A folder whose name is not UTF-8 is refused: what tasks receive of it would be
// the name of another.
func TestAFolderThatIsNotUTF8IsRefused(t *testing.T) {
	c := pipelinetest.Demo(t)
	c.Out = filepath.Join(filepath.Dir(c.Out), "run\xff")
	if err := pipelinetest.TryBuild(c); !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), `run\xff", which is not UTF-8`) {
		t.Error(err)
	}
	if _, err := engine.Plan(t.Context(), engine.Request{Config: c}); !errors.Is(err, config.ErrInvalid) {
		t.Error(err)
	}
	if _, err := os.Stat(c.Out); err == nil {
		t.Error("it was made")
	}
}

// A folder that holds anything but a run's tables is refused by all that writes,
// before it writes anything.
func TestAFolderOfOthersIsRefused(t *testing.T) {
	c := pipelinetest.Demo(t)
	for folder := range foreign {
		c.Out = t.TempDir()
		check := plant(t, c.Out, func(f string) bool { return f == folder })
		before := paths(t, c.Out)
		for what, r := range map[string]engine.Request{"build": {}, "a forced build": {Force: true}, "a checked build": {Check: true}, "crawl": {Stages: []string{"crawl"}}, "segment": {Stages: []string{"segment"}}} {
			r.Config = c
			if err := engine.Build(t.Context(), r); !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), "no folder of a run: it holds ") {
				t.Errorf("%s into a folder with a folder %q of others: %v", what, folder, err)
			}
			check(what)
		}
		if _, err := engine.Plan(t.Context(), engine.Request{Config: c}); !errors.Is(err, config.ErrInvalid) {
			t.Errorf("the plan for a folder with a folder %q of others: %v", folder, err)
		}
		if after := paths(t, c.Out); after != before {
			t.Errorf("of a folder that is refused were made:\n%s\nthere were\n%s", after, before)
		}
	}
}

// paths are all that is below a folder, a line each.
func paths(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.Walk(dir, func(path string, _ os.FileInfo, err error) error {
		all.WriteString(path + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// What others put into a run's folder stays, whatever is done: made again, forced,
// cut into other shards, dropped because the config no longer asks for it.
func TestFilesOfOthersInARunStay(t *testing.T) {
	c := pipelinetest.Dataset(t, "gandhi", nil)
	pipelinetest.Build(t, c)
	check := plant(t, c.Out, func(string) bool { return true })
	check("nothing")
	if err := engine.Build(t.Context(), engine.Request{Config: c, Force: true}); err != nil {
		t.Fatal(err)
	}
	check("--force")
	c.Shards++
	pipelinetest.Build(t, c)
	check("another number of shards")
	c.Label.Datasets = []string{config.DataCounts}
	c.Quotes[0].Path = filepath.Join(t.TempDir(), "quotes.jsonl")
	if err := os.WriteFile(c.Quotes[0].Path, []byte(`{"quote_id": "g07", "text": "The sea asks nobody for a licence."}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if pipelinetest.Build(t, c)["label"].Removed == "" {
		t.Error("no table was dropped")
	}
	check("a table less")
	if _, err := os.Stat(filepath.Join(c.Out, "choices")); err == nil {
		t.Error("the folder of a table that was dropped is left, and holds nothing")
	}
}

// A folder of version 0.1.0, which had no mark, is taken for what it is; so is
// what that version left when it was stopped early.
func TestFoldersWithoutAMark(t *testing.T) {
	c := pipelinetest.Demo(t)
	stages := pipelinetest.Stages(t, c)
	whole, err := table.Current(t.Context(), c.Out)
	if err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(out string) error{
		"a whole run":             func(string) error { return nil },
		"a run without settings":  func(out string) error { return os.Remove(filepath.Join(out, "settings.json")) },
		"a run without documents": func(out string) error { return os.Remove(filepath.Join(out, "documents", "_commit.json")) },
		"a run that was stopped in its first stage": func(out string) error {
			for _, s := range stages[1:] {
				if err := os.RemoveAll(filepath.Join(out, s.Table)); err != nil {
					return err
				}
			}
			return errors.Join(os.Remove(filepath.Join(out, "documents", "_commit.json")), os.Mkdir(filepath.Join(out, ".tmp"), 0o755))
		},
	} {
		c.Out = filepath.Join(t.TempDir(), "tables")
		if err := errors.Join(os.CopyFS(c.Out, os.DirFS(whole)), os.Remove(filepath.Join(c.Out, ".night.json"))); err != nil {
			t.Fatal(err)
		}
		tabletest.Earlier(t, c.Out)
		if err := change(c.Out); err != nil {
			t.Fatal(err)
		}
		if err := pipelinetest.TryBuild(c); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if marked, err := engine.FolderMarked(t.Context(), c.Out); !marked || err != nil {
			t.Errorf("%s: marked %v, %v", what, marked, err)
		}
	}
	for what, files := range map[string][]string{
		"a run that waited":        {".lock"},
		"a run that was killed":    {".lock", ".tmp/worker-1/commonplace"},
		"a crawl that was killed":  {".lock", ".tmp/x", "archive/pass.json", "archive/.pass.json.0123456789ab.tmp", "archive/00001-example.org.warc.gz", "archive/00001-example.org.warc.gz.index"},
		"a mark that was not made": {"." + table.MarkFile + ".0123456789ab.tmp"},
		"nothing":                  {},
	} {
		out := t.TempDir()
		for _, name := range files {
			path := filepath.Join(out, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, nil, 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		if err := engine.MarkFolder(t.Context(), out); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	for what, files := range map[string]map[string]string{
		"an editor's settings":     {"settings.json": `{"editor.fontSize": 12}`},
		"settings of a stage more": {"settings.json": `{"crawl": {}, "theme": "dark"}`},
		"empty settings":           {"settings.json": `{}`},
		"somebody's records":       {"documents/_commit.json": `{"author": "me"}`},
		"a lock that says who":     {".lock": "host 1"},
		"an archive of one's own":  {"archive/2023.zip": ""},
	} {
		out := t.TempDir()
		for name, content := range files {
			path := filepath.Join(out, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		if err := engine.MarkFolder(t.Context(), out); !errors.Is(err, config.ErrInvalid) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// The same in a bucket: a prefix that holds other objects is refused, and those
// that others put into a run's stay.
func TestObjectsOfOthersStay(t *testing.T) {
	loopback.Each(t, func(t *testing.T, s *loopback.Server) {
		t.Setenv("TMPDIR", t.TempDir()) // where the lock of such a run is
		c := pipelinetest.Demo(t)
		c.Sources, c.Quotes = c.Sources[:1], nil
		objects := []string{"thesis.tex", "documents/notes.md", "rankings/best.txt", "rankings/drafts/a.tex", "cache/books.db"}
		c.Out = s.Path("other")
		for _, name := range objects {
			if err := storage.WriteFile(t.Context(), s.Path("other/"+name), []byte("years of work")); err != nil {
				t.Fatal(err)
			}
		}
		if err := pipelinetest.TryBuild(c); !errors.Is(err, config.ErrInvalid) {
			t.Errorf("%v", err)
		}
		if all, err := s.Objects(); err != nil || len(all) != len(objects) {
			t.Errorf("%d objects, %v", len(all), err)
		}
		if err := storage.WriteFile(t.Context(), s.Path("other/"+table.MarkFile), []byte(engine.MarkText)); err != nil { // as if others came later
			t.Fatal(err)
		}
		for range 2 {
			if err := engine.Build(t.Context(), engine.Request{Config: c, Stages: []string{"crawl", "segment"}, Force: true}); err != nil {
				t.Fatal(err)
			}
		}
		all, err := s.Objects()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range objects {
			if string(all["other/"+name]) != "years of work" {
				t.Errorf("%s is gone", name)
			}
		}
	})
}
