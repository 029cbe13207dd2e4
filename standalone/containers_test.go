package standalone

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// Every container that a run reads is read by the bare commands, or refused: the offsets
// of what is found are never those of a container's own bytes.
func TestContainersAreReadOrRefused(t *testing.T) {
	const text = "The ship came in at noon, and nobody on the quay had a word to say to the captain of it."
	var zipped, tarred bytes.Buffer
	z := zip.NewWriter(&zipped)
	w, _ := z.Create("a.txt")
	w.Write([]byte(text))
	z.Close()
	packed := gzip.NewWriter(&tarred)
	archive := tar.NewWriter(packed)
	archive.WriteHeader(&tar.Header{Name: "a.txt", Mode: 0o600, Size: int64(len(text))})
	archive.Write([]byte(text))
	archive.Close()
	packed.Close()

	for name, test := range map[string]struct{ content, reject string }{
		"a.txt":       {text, ""},
		"a.zip":       {zipped.String(), ""},
		"a.tar.gz":    {tarred.String(), ""},
		"a.jsonl":     {`{"id": "a", "text": "` + text + `"}`, ""},
		"a.json":      {`{"id": "a", "text": "` + text + `"}`, ""},
		"a.jsonl.txt": {`{"id": "a", "text": "` + text + `"}`, "ends in .jsonl"},
		"part-00001":  {"id,text\na,\"" + text + "\"\n", "header of a table"},
		"a.tsv.txt":   {"\ufeffdoc_id\t\"text\"\r\na\t" + text + "\r\n", "header of a table"},
		"utf16.csv":   {"\xff\xfei\x00d\x00,\x00t\x00e\x00x\x00t\x00\n\x00", "the header: the record is not UTF-8"},
		"a.warc":      {"WARC/1.0\r\nWARC-Type: warcinfo\r\n\r\n" + text, "as a WARC file does"},
		"part-00000":  {`{"id": "a", "text": "` + text + `"}`, "ends in .jsonl"},
		"a.csv":       {"id,text\na,\"" + text + "\"\n", ""},
		"b.json":      {"[{\"id\": \"a\",\n\"text\": \"" + text + "\"}]", "a record a line"},
		"a.html":      {"<html><body><p>" + text, "between tags"},
		"a.xml":       {"<TEI><text><body><p>" + text, "between tags"},
		"a.txt.bz":    {"BZh9" + text, "bzip2"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			source, derived := filepath.Join(dir, name), filepath.Join(dir, "essay.txt")
			for path, content := range map[string]string{source: test.content, derived: "He wrote: " + text} {
				if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var rejects []string
			a := NewAlign()
			a.Sources, a.Derived, a.Out = source, derived, filepath.Join(dir, "out.jsonl")
			a.Refuse = func(r commonplace.Reject) { rejects = append(rejects, r.Detail) }
			a.Report = func(string) {}
			err := a.Run(t.Context())
			if test.reject != "" {
				if err == nil || !strings.Contains(strings.Join(rejects, "\n"), test.reject) {
					t.Errorf("error %v, rejects %q", err, rejects)
				}
				return
			}
			rows, _ := os.ReadFile(a.Out)
			if err != nil || !strings.Contains(string(rows), `"source_begin":0,`) {
				t.Errorf("error %v, rejects %q, found %s", err, rejects, rows)
			}
		})
	}
}

// A text of more lines than a crawl takes is refused here too, also inside a list.
func TestTextsOfTooManyLines(t *testing.T) {
	dir := t.TempDir()
	text := "The ship came in at noon." + strings.Repeat("\n", 4_200_000)
	for name, content := range map[string]string{"a.txt": text, "a.jsonl": `{"id": "a", "text": "` + strings.ReplaceAll(text, "\n", `\n`) + `"}`} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		var rejects []commonplace.Reject
		s := Segment{Input: path, By: "words:200", Out: filepath.Join(dir, "out"), Refuse: func(r commonplace.Reject) { rejects = append(rejects, r) }}
		if err := s.Run(t.Context()); !errors.Is(err, ErrNoneRead) || len(rejects) != 1 || !strings.Contains(rejects[0].Detail, "limits.memory") {
			t.Errorf("%s: error %v, rejects %q", name, err, rejects)
		}
	}
}

// Tokenize reads rows in JSON, packed or not, and refuses every other kind by the file's name.
func TestTokenizeReadsRowsAlone(t *testing.T) {
	const row = `{"id": "a", "text": "The ship came in at noon."}` + "\n"
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(row))
	z.Close()
	for name, test := range map[string]struct{ content, want string }{
		"a.jsonl":    {row, ""},
		"a.jsonl.gz": {packed.String(), ""},
		"a.csv":      {"id,text\na,The ship\n", "a.csv: line 1: it is no row in JSON"},
		"a.txt":      {"The ship came in at noon.", "a.txt: line 1: it is no row in JSON"},
		"a.zip":      {"PK\x03\x04and more", "a.zip: line 1: it is no row in JSON"},
		"b.json":     {"[" + row + "]", "b.json: line 1: it is no row in JSON"},
		"b.jsonl":    {`{"id": "a", "body": "b"}`, "b.jsonl: line 1: it has no text"},
	} {
		dir := t.TempDir()
		in, out := filepath.Join(dir, name), filepath.Join(dir, "ids.jsonl")
		if err := os.WriteFile(in, []byte(test.content), 0o600); err != nil {
			t.Fatal(err)
		}
		n, err := Tokenize{Tokenizer: "../models/quotability-encoder/tokenizer.json", Input: in, Out: out}.Run(t.Context())
		_, missing := os.Stat(out)
		if test.want == "" && (err != nil || n != 1) || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || missing == nil) {
			t.Errorf("%s: %d rows, %v", name, n, err)
		}
	}
}
