package commonplace_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// removals are the files that may delete something with package os, and what.
// All else in a run's folder is removed by its name, in table/remove.go.
var removals = map[string]string{
	"storage/files.go":                  "a file that table names, an empty folder",
	"storage/bucket.go":                 "temporary files of its own",
	"export/folder.go":                  "folders that bear the export's mark, or hold nothing but an export",
	"pipelines/engine/lock.go":          "the folder for temporary files, which has a name of ours",
	"pipelines/engine/dryrun.go":        "a temporary folder of its own",
	"pipelines/ingest/fetch.go":         "a folder in that one",
	"storage/download.go":               "temporary folders of its own",
	"pipelines/cache/cache.go":          "a copy, in that folder, of a file of the index of a bucket",
	"standalone/align.go":               "a temporary folder of its own",
	"pipelines/ingest/filesreader.go":   "a temporary file of its own",
	"pipelines/ingest/unpacked.go":      "a temporary file of its own",
	"pipelines/pipelinetest/configs.go": "a book in a folder of a test",
	"table/tabletest/earlier.go":        "records of a run of a test",
	"cmd/commonplace/reportparts.go":    "files of data of the page before, by the names it gave them",
	"serve/site.go":                     "a temporary file of its own",
	"align/index/spill.go":              "a temporary file of its own",
	"sorting/runs.go":                   "a temporary file of its own",
	"crawl/files/csvlist.go":            "a temporary file of its own",
	"crawl/files/tar.go":                "a temporary file of its own",
	"crawl/files/lines.go":              "a temporary file of its own",
}

// Nobody deletes files but those who say here which.
func TestRemovals(t *testing.T) {
	unused := map[string]bool{}
	for file := range removals {
		unused[file] = true
	}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != "." || d.Name() == "bench") {
			if err == nil {
				err = fs.SkipDir
			}
			return err
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if on, ok := call.X.(*ast.Ident); !ok || on.Name != "os" || call.Sel.Name != "Remove" && call.Sel.Name != "RemoveAll" {
				return true
			}
			if delete(unused, filepath.ToSlash(path)); removals[filepath.ToSlash(path)] == "" {
				t.Errorf("%s: os.%s: remove files of a run by their names (table/remove.go), or say here what this removes", path, call.Sel.Name)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for file := range unused {
		t.Errorf("%s removes nothing", file)
	}
}
