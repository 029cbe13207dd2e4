package ingest

import (
	"archive/tar"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// tarOf is an archive of name, content pairs.
func tarOf(t *testing.T, pairs ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		if err := w.WriteHeader(&tar.Header{Name: pairs[i], Mode: 0o644, Size: int64(len(pairs[i+1])), Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(pairs[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// weekly is an archive as Project Gutenberg packs its texts, and a catalogue of it.
func weekly(t *testing.T, shards int) *config.Config {
	t.Helper()
	dir := t.TempDir()
	book := func(name string, n int) string {
		return fmt.Sprintf("Title: %s\n[eBook #%d]\n*** START OF THE PROJECT GUTENBERG EBOOK %s ***\nThe text of %s, a book.\n*** END OF THE PROJECT GUTENBERG EBOOK %s ***\n", name, n, name, name, name)
	}
	var pairs []string
	for n, name := range []string{0: "None", 7: "Seven", 84: "Frankenstein", 98: "Two Cities", 1342: "Pride"} {
		if name != "" && n > 0 {
			pairs = append(pairs, fmt.Sprintf("cache/epub/%d/pg%d.txt", n, n), book(name, n))
		}
	}
	pairs = append(pairs, "1/3/4/1342/1342-8.txt", book("worse, by its name", 1342), "cache/epub/7/readme.txt", "x", "cache/epub/9/9-h.zip", "PK")
	packed := zipOf(t, "txt-files.tar", string(tarOf(t, pairs...)))
	s := config.NewSource("gutenberg")
	s.Name, s.Files = "books", []string{filepath.Join(dir, "txt-files.tar.zip")}
	if err := os.WriteFile(s.Files[0], packed, 0o644); err != nil {
		t.Fatal(err)
	}
	s.Gutenberg.Catalog = filepath.Join(dir, "pg_catalog.csv")
	if err := os.WriteFile(s.Gutenberg.Catalog, []byte("Text#,Type,Issued,Title,Language,Authors\n7,Text,2000-01-01,Sieben,de,\n84,Text,2000-01-01,Frankenstein,en,\"Shelley, Mary\"\n98,Text,2000-01-01,A Tale,en,\"Dickens, Charles\"\n1342,Text,2000-01-01,Pride,en,\"Austen, Jane\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.Gutenberg.Languages = []string{"en"}
	return &config.Config{Out: filepath.Join(dir, "out"), Shards: shards, Sources: []config.Source{s}}
}

// Of the weekly archive each book that the catalogue selects is read under its number,
// from one file, with the catalogue's author.
func TestGutenbergArchive(t *testing.T) {
	c := weekly(t, 1)
	docs, rejects, _ := crawlOnly(t, c)
	var got []string
	for _, d := range docs {
		got = append(got, fmt.Sprintf("%s %d %s, %s: %q %s", d.ID, d.EBook, d.Author, d.Title, strings.TrimSpace(d.Text), d.URL))
	}
	want := []string{
		`1342 1342 Austen, Jane, Pride: "The text of Pride, a book." txt-files.tar.zip:cache/epub/1342/pg1342.txt`,
		`84 84 Shelley, Mary, Frankenstein: "The text of Frankenstein, a book." txt-files.tar.zip:cache/epub/84/pg84.txt`,
		`98 98 Dickens, Charles, Two Cities: "The text of Two Cities, a book." txt-files.tar.zip:cache/epub/98/pg98.txt`,
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(rejects) != 1 || rejects[0].Reason != "nested archive" {
		t.Errorf("rejects: %+v", rejects)
	}

	// By numbers, of which the archive lacks one.
	c.Sources[0].Gutenberg = config.Gutenberg{IDs: []int64{7, 11}}
	if docs, rejects, _ := crawlOnly(t, c); len(docs) != 1 || docs[0].ID != "7" || !slices.ContainsFunc(rejects, func(r commonplace.Reject) bool { return r.ID == "11" && r.Reason == "not there" }) {
		t.Errorf("%+v, %+v", docs, rejects)
	}

	// One that breaks off gives nothing, and one of something else is a mistake.
	raw, err := os.ReadFile(c.Sources[0].Files[0])
	if err != nil {
		t.Fatal(err)
	}
	raw[len(raw)/2] ^= 0xff
	if err := os.WriteFile(c.Sources[0].Files[0], raw, 0o644); err != nil {
		t.Fatal(err)
	}
	if docs, rejects, _ := crawlOnly(t, c); len(docs) != 0 || !slices.ContainsFunc(rejects, func(r commonplace.Reject) bool { return r.Reason == "broken tar" }) {
		t.Errorf("%+v, %+v", docs, rejects)
	}
	c.Sources[0].Files[0] = filepath.Join(t.TempDir(), "other.tar")
	if err := os.WriteFile(c.Sources[0].Files[0], tarOf(t, "a.txt", "A"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := (Crawl{}).External(t.Context(), engine.NewPlanner(c)); err == nil || !strings.Contains(err.Error(), "other.tar: the archive has no file such as cache/epub/12345/pg12345.txt") {
		t.Errorf("%v", err)
	}
}

// The tasks of a build unpack an archive once between them, and nothing is left.
func TestArchivesAreUnpackedOnce(t *testing.T) {
	c := weekly(t, 3)
	temp := t.TempDir()
	working, end := worker.Begin(storage.WithTempDir(t.Context(), temp))
	tasks, _ := crawlTasks(t, c)
	taken := int64(0)
	for _, task := range tasks {
		rec, err := Crawl{}.Make(working, task)
		if err != nil {
			t.Fatal(err)
		}
		taken += rec.Shard.Rows
		if files, err := filepath.Glob(filepath.Join(temp, "*")); err != nil || len(files) > 1 {
			t.Errorf("%v, %v", files, err)
		}
	}
	if taken != 3 {
		t.Errorf("%d documents", taken)
	}
	end()
	if files, err := os.ReadDir(temp); err != nil || len(files) > 0 {
		t.Errorf("left behind: %v, %v", files, err)
	}
	if _, err := table.ReadTask(t.Context(), storage.Default, c.Out, "documents", 0, 3); err != nil {
		t.Error(err)
	}
}

// An archive may name ten million books in a few megabytes: what is kept of each is counted.
func TestGutenbergArchiveWithinMemory(t *testing.T) {
	c := weekly(t, 1)
	var pairs []string
	for n := 1; n <= 500; n++ {
		pairs = append(pairs, fmt.Sprintf("cache/epub/%d/pg%d.txt", n, n), "x")
	}
	s := c.Sources[0]
	s.Files, s.Gutenberg = []string{filepath.Join(t.TempDir(), "txt-files.tar")}, config.Gutenberg{}
	if err := os.WriteFile(s.Files[0], tarOf(t, pairs...), 0o644); err != nil {
		t.Fatal(err)
	}
	for most, want := range map[int64]int{1 << 20: 500, 200 << 10: 0} {
		s.Limits.Memory = most
		books, refused := 0, ""
		if _, err := (gutenbergSource{}).list(t.Context(), s, func(it item) {
			if it.Reject == nil {
				books++
			} else {
				refused += it.Reject.Detail
			}
		}); err != nil {
			t.Fatal(err)
		}
		if books != want || (want == 0) != strings.Contains(refused, "limits.memory") {
			t.Errorf("%d bytes: %d books, %q", most, books, refused)
		}
	}
}
