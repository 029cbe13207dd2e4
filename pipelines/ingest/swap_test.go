package ingest

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/table"
)

func gzipped(b []byte) []byte {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(b)
	z.Close()
	return packed.Bytes()
}

func zipOf(t *testing.T, name, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte(text))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func parquetOf(t *testing.T, id, text string) []byte {
	t.Helper()
	dir := t.TempDir()
	w, err := table.Documents.Create(t.Context(), dir, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(commonplace.Document{ID: id, Text: text}); err != nil {
		t.Fatal(err)
	}
	rec, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, rec.File))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestSwapped changes a file between listing and reading, and back again: what
// was read of the other file is fresh for nobody, and the next run reads the file
// that is there. A file that nobody changes is fresh.
func TestSwapped(t *testing.T) {
	jsonl := func(text string) []byte { return fmt.Appendf(nil, "{\"id\":\"a\",\"text\":%q}\n", text) }
	tei := func(text string) []byte {
		return []byte("<TEI><text><body><p>" + text + "</p></body></text></TEI>")
	}
	for name, made := range map[string]func(text string) []byte{
		"a.txt":      func(text string) []byte { return []byte(text) },
		"a.txt.gz":   func(text string) []byte { return gzipped([]byte(text)) },
		"a.html":     func(text string) []byte { return []byte("<html><p>" + text) },
		"a.xml":      tei,
		"a.xml.gz":   func(text string) []byte { return gzipped(tei(text)) },
		"a.zip":      func(text string) []byte { return zipOf(t, "a.txt", text) },
		"a.tar":      func(text string) []byte { return tarOf(t, "a.txt", text) },
		"a.tar.gz":   func(text string) []byte { return gzipped(tarOf(t, "a.txt", text)) },
		"a.jsonl":    jsonl,
		"a.jsonl.gz": func(text string) []byte { return gzipped(jsonl(text)) },
		"a.parquet":  func(text string) []byte { return parquetOf(t, "a", text) },
		"a.csv":      func(text string) []byte { return []byte("document,text\na," + text + "\n") },
		"a.warc":     func(text string) []byte { return warcOf("http://a.org/", text) },
	} {
		for _, way := range []string{"renamed", "written over", "rejected"} {
			t.Run(name+" "+way, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), name)
				put := func(b []byte) {
					t.Helper()
					to := path
					if way == "renamed" {
						to += ".new"
					}
					if err := os.WriteFile(to, b, 0o644); err != nil {
						t.Fatal(err)
					}
					if err := os.Rename(to, path); err != nil {
						t.Fatal(err)
					}
				}
				c := folderConfig(t, path)
				switch filepath.Ext(name) {
				case ".csv":
					c.Sources[0].Kind = config.KindPassages
				case ".warc":
					c.Sources[0].Kind = config.KindWARC
				}
				stale := func() int {
					t.Helper()
					_, stale := crawlTasks(t, c)
					return len(stale)
				}
				first, other := made("the first text"), made("another text")
				if way == "rejected" {
					other = []byte{}
				}
				put(first)
				listed, _ := crawlTasks(t, c)
				put(other)
				if _, err := (Crawl{}).Make(context.Background(), listed[0]); err != nil {
					t.Fatal(err)
				}
				put(first)
				if stale() != 1 {
					t.Error("what was read of another file is fresh")
				}
				docs, rejects, _ := crawlOnly(t, c)
				if len(docs) != 1 || !strings.Contains(docs[0].Text, "the first text") {
					t.Errorf("%+v, %+v", docs, rejects)
				}
				if stale() != 0 {
					t.Error("what nobody changed is not fresh")
				}
			})
		}
	}
}

// warcOf is a file of one answer.
func warcOf(address, text string) []byte {
	body := "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + text
	return fmt.Appendf(nil, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\nWARC-Date: 2026-11-22T00:00:00Z\r\nWARC-Target-URI: %s\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", address, len(body), body)
}

// A record behind which another one stands in its gzip member is refused in the
// words that tables have.
func TestSeveralRecordsInOneMember(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.warc.gz")
	if err := os.WriteFile(path, gzipped(append(warcOf("http://a.org/", "one"), warcOf("http://b.org/", "two")...)), 0o644); err != nil {
		t.Fatal(err)
	}
	c := folderConfig(t, path)
	c.Sources[0].Kind = config.KindWARC
	docs, rejects, _ := crawlOnly(t, c)
	if len(docs) != 0 || len(rejects) != 2 {
		t.Fatalf("%d documents, %+v", len(docs), rejects)
	}
	r := rejects[slices.IndexFunc(rejects, func(r commonplace.Reject) bool { return r.ID == "http://a.org/" })]
	if r.Reason != "broken warc" || r.Detail != "several records stand in one gzip member, so that none can be found again; unpack the file" {
		t.Errorf("%+v", r)
	}
}
