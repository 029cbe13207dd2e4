package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/commonplace/commonplace/table"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/commonplace/commonplace/pipelines/engine"
)

// spans checks text[begin:end] of every row of a JSONL file against the texts,
// counted in runes, the plain way:
//
//	spans ROWS.jsonl TEXTS     a folder of UTF-8 files, or JSONL of the table documents
//
// Rows are passages, rankings, examples or alignments; "stdout" is a file too.
func spans(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: spans ROWS TEXTS")
	}
	texts := textsOf(ts, args[1])
	n := 0
	for _, row := range rowsOf(ts, args[0]) {
		for _, s := range []struct{ doc, begin, end, text string }{
			{"doc_id", "begin", "end", "text"},
			{"doc_id", "quote_begin", "quote_end", "quote"},
			{"doc_id", "left_begin", "left_end", "left_context"},
			{"doc_id", "right_begin", "right_end", "right_context"},
			{"source_id", "source_begin", "source_end", "source_text"},
		} {
			if row[s.begin] == nil {
				continue
			}
			text, ok := texts[row[s.doc].(string)]
			begin, end := int(row[s.begin].(float64)), int(row[s.end].(float64))
			if !ok || begin < 0 || begin > end || end > len(text) {
				ts.Fatalf("no text has [%d:%d]: %v", begin, end, row)
			}
			if want, known := row[s.text]; known && string(text[begin:end]) != want {
				ts.Fatalf("[%d:%d] is %q, the row says %q", begin, end, string(text[begin:end]), want)
			}
			n++
		}
	}
	if n == 0 {
		ts.Fatalf("%s has no row with a span", args[0])
	}
}

func rowsOf(ts *testscript.TestScript, name string) []map[string]any {
	var rows []map[string]any
	d := json.NewDecoder(strings.NewReader(ts.ReadFile(name)))
	for d.More() {
		var row map[string]any
		ts.Check(d.Decode(&row))
		rows = append(rows, row)
	}
	return rows
}

func textsOf(ts *testscript.TestScript, name string) map[string][]rune {
	texts := map[string][]rune{}
	if info, err := os.Stat(ts.MkAbs(name)); err == nil && info.IsDir() {
		found, err := filepath.Glob(filepath.Join(ts.MkAbs(name), "*"))
		ts.Check(err)
		for _, path := range found {
			raw, err := os.ReadFile(path)
			ts.Check(err)
			if strings.HasSuffix(path, ".gz") {
				r, err := gzip.NewReader(bytes.NewReader(raw))
				ts.Check(err)
				raw, err = io.ReadAll(r)
				ts.Check(err)
			}
			id := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), ".txt")
			texts[id] = []rune(string(raw))
		}
		return texts
	}
	for _, row := range rowsOf(ts, name) {
		texts[row["doc_id"].(string)] = []rune(row["text"].(string))
	}
	return texts
}

// same checks that two folders hold the same files, byte for byte: the lock of a
// run, which is empty, and the record of its last
// build, which has times, are no part of it.
func same(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] same FOLDER FOLDER")
	}
	diff := difference(ts.MkAbs(args[0]), ts.MkAbs(args[1]))
	if (diff == "") == neg {
		ts.Fatalf("the difference is %q", diff)
	}
}

// difference names the first file in which two folders differ.
func difference(a, b string) string {
	x, err := tree(a)
	if err != nil {
		return err.Error()
	}
	y, err := tree(b)
	if err != nil {
		return err.Error()
	}
	for name, content := range x {
		switch other, ok := y[name]; {
		case !ok:
			return name + " is only in the first"
		case other != content:
			return name + " differs"
		}
	}
	for name := range y {
		if _, ok := x[name]; !ok {
			return name + " is only in the second"
		}
	}
	return ""
}

// tree are the files of a folder. Of a run they are those that readers get.
func tree(dir string) (map[string]string, error) {
	files := map[string]string{}
	dir, err := filepath.EvalSymlinks(dir)
	if err == nil {
		err = addTree(files, dir)
	}
	if night, link := os.Readlink(filepath.Join(dir, ".current")); link == nil && err == nil {
		err = addTree(files, filepath.Join(dir, night))
	}
	if len(files) < 2 && err == nil {
		err = fmt.Errorf("%s holds nothing", dir)
	}
	return files, err
}

func addTree(files map[string]string, dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil || rel == ".lock" || rel == ".night.json" || rel == table.LeaseFile || rel == engine.RunFile || rel == "outputs" || strings.HasPrefix(rel, "outputs/") {
			return err
		}
		if rel == ".nights" {
			return fs.SkipDir
		}
		if d.Type()&fs.ModeSymlink != 0 {
			return nil
		}
		if d.IsDir() {
			files[rel] = "folder"
			return nil
		}
		raw, err := os.ReadFile(path)
		files[rel] = string(raw)
		return err
	})
}
