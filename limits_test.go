package commonplace_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// decoders are the packages that decode bytes, and where each may be used: what they
// decode there has a row in docs/limits.md, or is ours. JSON is left out: it is read
// in too many places, of which those that read foreign bytes call package bounded.
var decoders = map[string][]string{
	"encoding/xml":                       {"bounded", "crawl/files", "crawl/hathitrust"},
	"encoding/csv":                       {"crawl/records", "standalone"}, // the second writes
	"compress":                           {"crawl/fetch"},
	"archive":                            {},
	"archive/tar":                        {"bounded"},
	"mime/multipart":                     {},
	"encoding/gob":                       {},
	"github.com/klauspost/compress/gzip": {"bounded", "crawl/files", "crawl/fetch", "crawl/warc", "storage/traces", "table/parquet"},
	"github.com/klauspost/compress/zip":  {"bounded", "crawl/files", "crawl/hathitrust"},
	"github.com/klauspost/compress":      {"crawl/fetch", "storage/traces", "table/parquet"},
	"github.com/goccy/go-yaml":           {"pipelines/config", "infer", "bounded"},
	"github.com/parquet-go/parquet-go":   {"table/parquet"},
	"github.com/internetarchive/gowarc":  {"crawl/warc"},
	"golang.org/x/net/html":              {"crawl/files", "crawl/news", "crawl/charset"},
	"google.golang.org/protobuf":         {"infer"},
}

// openers are the files that may open a file with package os, and which. All others
// open what is foreign through package bounded, and what is of a run through storage.
var openers = map[string]string{
	"bounded/open.go":                   "the door",
	"align/index/map_unix.go":           "the index, to map it",
	"align/index/map_other.go":          "the index",
	"pipelines/ranking/orderparts.go":   "the cache",
	"pipelines/cache/partitions.go":     "the cache",
	"pipelines/cache/lines.go":          "the cache",
	"pipelines/runner/worker.go":        "the program",
	"pipelines/engine/lease.go":         "which machine this is",
	"pipelines/lineage/file.go":         "the file that events are appended to, after storage has looked at it",
	"pipelines/pipelinetest/builds.go":  "a run of a test",
	"pipelines/pipelinetest/configs.go": "a book of a test",
	"pipelines/pipelinetest/hostile.go": "a model of a test",
	"table/tabletest/earlier.go":        "a run of a test",
	"pipelines/ingest/fetchwork.go":     "the archive of a run",
	"pipelines/ingest/fetchprogress.go": "progress of a run's own",
	"export/folder.go":                  "an export, behind its mark",
	"storage/bucket.go":                 "what is uploaded",
	"storage/own.go":                    "a file that a run keeps, behind no link",
	"storage/files.go":                  "a new file, a folder to sync",
	"standalone/output.go":              "what is written",
	"standalone/findinput.go":           "the pipe of a list, which is copied like standard input",
}

// A parser of foreign bytes cannot be added beside docs/limits.md.
func TestParsersAreListed(t *testing.T) {
	unused := map[string]bool{}
	for file := range openers {
		unused[file] = true
	}
	eachSource(t, func(name string, file *ast.File, test bool) {
		if test {
			return
		}
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			if of := decoderOf(imported); of != "" && !slices.Contains(decoders[of], path.Dir(name)) {
				t.Errorf("%s imports %s: read what is foreign in a package that docs/limits.md has a row for, or add one, and name the package here", name, imported)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if on, ok := call.X.(*ast.Ident); ok && on.Name == "os" && slices.Contains([]string{"Open", "OpenFile", "ReadFile", "OpenRoot", "DirFS"}, call.Sel.Name) {
				if delete(unused, name); openers[name] == "" {
					t.Errorf("%s: os.%s: open what is foreign with package bounded, or say here what this opens", name, call.Sel.Name)
				}
			}
			return true
		})
	})
	for file := range unused {
		t.Errorf("%s opens nothing; take it out here", file)
	}
}

// decoderOf is the longest of the decoders that a package is in, or nothing.
func decoderOf(imported string) (longest string) {
	for name := range decoders {
		if (imported == name || strings.HasPrefix(imported, name+"/")) && len(name) > len(longest) {
			longest = name
		}
	}
	return longest
}

var (
	namedTest  = regexp.MustCompile("`([a-z]+)\\.(Test[A-Za-z]+)`")
	fuzzTarget = regexp.MustCompile("`(Fuzz[A-Za-z]+)`")
	fuzzRound  = regexp.MustCompile(`bench/fuzz\.sh 0\.1 '([^']+)'`)
)

// Every row of docs/limits.md has a test, which is there; SECURITY.md and docs/attacks.md
// name tests that are there; and every fuzz target of what is foreign is in the table of them, and run by
// make slow.
func TestLimitsAreTested(t *testing.T) {
	tests, targets := map[string]bool{}, map[string]bool{}
	var all []string // as bench/fuzz.sh writes a target: its folder and its name
	eachSource(t, func(name string, file *ast.File, test bool) {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !test {
				continue
			}
			tests[strings.TrimSuffix(file.Name.Name, "_test")+"."+f.Name.Name] = true
			tests[f.Name.Name] = true
			if strings.HasPrefix(f.Name.Name, "Fuzz") {
				all = append(all, strings.TrimSuffix("./"+path.Dir(name), "/.")+" "+f.Name.Name)
			}
			if foreign := strings.HasPrefix(name, "crawl/") || strings.HasPrefix(name, "infer/") || strings.HasPrefix(name, "bounded/"); foreign && strings.HasPrefix(f.Name.Name, "Fuzz") {
				targets[f.Name.Name] = true
			}
		}
	})
	page := readPage(t, "docs/limits.md")
	_, rows, _ := strings.Cut(page, "## What each parser checks")
	rows, fuzzed, _ := strings.Cut(rows, "## What is fuzzed")
	for line := range strings.Lines(rows) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| parser") || strings.HasPrefix(line, "| ---") {
			continue
		}
		named := namedTest.FindAllStringSubmatch(line, -1)
		if len(named) == 0 {
			t.Errorf("no test: %s", line)
		}
		for _, n := range named {
			if !tests[n[1]+"."+n[2]] {
				t.Errorf("%s.%s is not there: %s", n[1], n[2], line)
			}
		}
	}
	listed := map[string]bool{}
	for _, n := range fuzzTarget.FindAllStringSubmatch(fuzzed, -1) {
		if listed[n[1]] = true; !tests[n[1]] {
			t.Errorf("docs/limits.md: %s is not there", n[1])
		}
	}
	var rounds []*regexp.Regexp
	for _, round := range fuzzRound.FindAllStringSubmatch(readPage(t, "Makefile"), -1) {
		rounds = append(rounds, regexp.MustCompile(round[1]))
	}
	for _, target := range all {
		n := 0
		for _, round := range rounds {
			if round.MatchString(target) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("docs/limits.md says that make slow fuzzes each target for six seconds: it fuzzes %s %d times", target, n)
		}
	}
	for name := range targets {
		if !listed[name] {
			t.Errorf("docs/limits.md does not name %s", name)
		}
	}
	for _, page := range []string{"SECURITY.md", "docs/attacks.md"} {
		for _, n := range regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+)`").FindAllStringSubmatch(readPage(t, page), -1) {
			if !tests[n[1]] {
				t.Errorf("%s: %s is not there", page, n[1])
			}
		}
	}
}

// eachSource parses every file of Go that the program or a test of it is made of.
func eachSource(t *testing.T, take func(name string, file *ast.File, test bool)) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "bench" || d.Name() == "testdata" || d.Name() == "lib") {
			return fs.SkipDir
		}
		if filepath.Ext(name) != ".go" {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err == nil {
			take(filepath.ToSlash(name), file, strings.HasSuffix(name, "_test.go"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
