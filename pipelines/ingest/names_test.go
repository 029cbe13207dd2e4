package ingest

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// crawlTasks lists the sources, and writes what the tasks of the crawl read. It gives
// them all, and those whose shards have to be made.
func crawlTasks(t testing.TB, c *config.Config) (all, stale []engine.Task) {
	t.Helper()
	listed, err := Crawl{}.External(t.Context(), engine.NewPlanner(c))
	if err == nil {
		err = listed.Ready()
	}
	if err != nil {
		t.Fatal(err)
	}
	for k := range c.Shards {
		task := engine.Task{Stage: "crawl", Table: "documents", Out: c.Out, Shard: k, Of: c.Shards, Settings: config.Canonical(Crawl{}.Settings(c)), Extra: listed.Extra(k, c.Shards)}
		task.Fingerprint = task.FingerprintWith(Crawl{}.Identity().Revision, nil, listed.Contents(k, c.Shards))
		all = append(all, task)
		rec, err := table.ReadTask(t.Context(), storage.Default, c.Out, task.Table, k, c.Shards)
		if err != nil || !table.Fresh(rec, task.Fingerprint) {
			stale = append(stale, task)
		}
	}
	return all, stale
}

// crawlOnly makes the table documents of a folder in one shard, without a
// runner, and gives its rows, its rejects and its record.
func crawlOnly(t testing.TB, c *config.Config) ([]commonplace.Document, []commonplace.Reject, table.TaskRecord) {
	t.Helper()
	tasks, _ := crawlTasks(t, c)
	var task engine.Task // as it travels
	if err := json.Unmarshal(storage.MustJSON(tasks[0]), &task); err != nil {
		t.Fatal(err)
	}
	rec, err := Crawl{}.Make(context.Background(), task)
	if err != nil {
		t.Fatal(err)
	}
	docs, err := readAll(table.Documents.Rows(t.Context(), storage.Join(table.Dir(c.Out, "documents"), rec.Shard.File)))
	if err != nil {
		t.Fatal(err)
	}
	rejects, err := readAll(table.Rejects.Rows(t.Context(), storage.Join(table.RejectsDir(c.Out, "crawl"), rec.Rejects.File)))
	if err != nil {
		t.Fatal(err)
	}
	return docs, rejects, rec
}

func readAll[T any](rows func(func(T, error) bool)) (all []T, err error) {
	for row, e := range rows {
		if e != nil {
			return all, e
		}
		all = append(all, row)
	}
	return all, nil
}

// folderConfig reads a folder into one shard.
func folderConfig(t testing.TB, patterns ...string) *config.Config {
	s := config.NewSource(config.KindFiles)
	s.Name, s.Files = "names", patterns
	return &config.Config{Out: filepath.Join(t.TempDir(), "out"), Shards: 1, Sources: []config.Source{s}}
}

// hardNames are parts of names that some part of a program changes.
var hardNames = []string{"a", "A", "é", "e\u0301", "\xe9", "\xff", "\xc3", "\ufffd", "\n", "\t", " ", "%E9", "%", "\\", `"`, `\xe9`, "\u202e", "\x7f", "a.txt", ".txt", ".gz", "-", "*", "[", "\u2028", "'", "&"}

// TestAnyNames checks that every file of a folder, whatever its name, is a row
// with its own text or a reject, and that no two bear one name.
func TestAnyNames(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 6))
	for range 40 {
		dir := t.TempDir()
		names := map[string]bool{}
		for range 2 + random.IntN(20) {
			name := "x"
			for range 1 + random.IntN(3) {
				name += hardNames[random.IntN(len(hardNames))]
			}
			if random.IntN(4) == 0 {
				name = "sub" + hardNames[random.IntN(6)] + "/" + name
			}
			names[name+".txt"] = true
		}
		for name := range names {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte("the text of "+fmt.Sprintf("%x", name)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		holdNames(t, folderConfig(t, dir), names, func(name string) string { return strings.TrimSuffix(name, ".txt") })
	}
}

// TestAnyEntries holds the same of the entries of an archive.
func TestAnyEntries(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 7))
	for range 40 {
		names := map[string]bool{"x.txt": true, "y.txt": true}
		for range 2 + random.IntN(20) {
			name := "x"
			for range 1 + random.IntN(3) {
				name += hardNames[random.IntN(len(hardNames))]
			}
			names[name+".txt"] = true
		}
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for name := range names {
			w, err := z.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(w, "the text of %x", name)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "all.zip")
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		holdNames(t, folderConfig(t, path), names, func(name string) string { return "all/" + files.ID(name) })
	}
}

// holdNames crawls and checks rows and rejects against the names and their texts.
func holdNames(t *testing.T, c *config.Config, names map[string]bool, id func(string) string) {
	t.Helper()
	docs, rejects, rec := crawlOnly(t, c)
	if in := rec.In["inputs"]; in != int64(len(names)) || len(docs)+len(rejects) != len(names) {
		t.Fatalf("%q: %d in, %d rows, %d rejects", slices.Sorted(maps.Keys(names)), in, len(docs), len(rejects))
	}
	seen := map[string]bool{}
	for name := range names {
		want := id(name)
		i := slices.IndexFunc(docs, func(d commonplace.Document) bool { return d.ID == want })
		switch good := crawl.BadID(want) == ""; {
		case good && i < 0:
			k := slices.IndexFunc(rejects, func(r commonplace.Reject) bool { return r.ID == want })
			if k < 0 || rejects[k].Reason == files.ReasonBadID {
				t.Errorf("%q is no row", name)
			}
			seen[crawl.Printable(want)+rejects[max(0, k)].Location] = true
		case !good && i >= 0:
			t.Errorf("%q is a row", name)
		case good:
			if text := fmt.Sprintf("the text of %x", name); docs[i].Text != text {
				t.Errorf("%q has the text %q", name, docs[i].Text)
			}
			seen[want] = true
		default:
			shown := crawl.Printable(want)
			if !slices.ContainsFunc(rejects, func(r commonplace.Reject) bool { return r.ID == shown && r.Reason == files.ReasonBadID }) {
				t.Errorf("%q is not refused by its name %s", name, shown)
			}
			seen[shown] = true
		}
	}
	if len(seen) != len(names) {
		t.Errorf("%d names are shown as %d: %q", len(names), len(seen), slices.Sorted(maps.Keys(names)))
	}
}

// TestPathsOfLists reads a list in a folder whose name is not UTF-8, beside one
// that a program might take for it.
func TestPathsOfLists(t *testing.T) {
	dir := t.TempDir()
	for name, id := range map[string]string{"caf\xe9": "one", "caf\ufffd": "two", "caf\xe8": "three"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "list.jsonl"), fmt.Appendf(nil, `{"id":%q,"text":"the text of %s"}`, id, id), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	docs, rejects, _ := crawlOnly(t, folderConfig(t, dir+"/*/*.jsonl"))
	if len(docs) != 3 || len(rejects) > 0 {
		t.Fatalf("%+v, %+v", docs, rejects)
	}
	urls := map[string]bool{}
	for _, d := range docs {
		urls[d.URL] = true
		if d.Text != "the text of "+d.ID {
			t.Errorf("%+v", d)
		}
	}
	if len(urls) != 3 || !urls[`"caf\xe9/list.jsonl":1`] {
		t.Errorf("%v", urls)
	}
}

// TestIDsAreListedAsRead reads lines whose names differ from id in their case
// alone, and one that is not UTF-8 beside one that it could be taken for.
func TestIDsAreListedAsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.jsonl")
	lines := []string{`{"id":"a","ID":"x","text":"A"}`, `{"Id":"a","id":"b","Doc_Id":"a","text":"B"}`, `{"ID":"c","text":"C"}`, "{\"id\":\"d\xff\",\"text\":\"D\"}", "{\"id\":\"d\ufffd\",\"text\":\"E\"}"}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	docs, rejects, _ := crawlOnly(t, folderConfig(t, path))
	var got []string
	for _, d := range docs {
		got = append(got, d.ID+"="+d.Text)
	}
	for _, r := range rejects {
		got = append(got, r.Location+": "+r.Reason)
	}
	slices.Sort(got)
	if want := []string{"a=A", "b=B", "d\ufffd=E", "names: list.jsonl:3: no id", "names: list.jsonl:4: broken line"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
