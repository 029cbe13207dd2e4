package commonplace_test

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/commonplace/commonplace"

// mayImport says which of our packages the code of a package may import, beside the
// root package and its own inner packages. A folder that is not in the map belongs
// to the nearest one above it. The root package imports the standard library alone.
// Algorithms import the root package and know nothing of each other. What joins
// them stands above. TestNoPackageImportsUpward holds that the map has no cycle.
// Benchmarks and tools may import all.
var mayImport = map[string][]string{
	".":                       {},
	"align":                   {"align/inflect", "align/diagonal", "align/edit", "align/fold", "align/index", "align/marks", "align/match", "align/merge", "align/ngrams"},
	"align/fold":              {},
	"align/inflect":           {"align/fold"},
	"align/collate":           {},
	"align/pairs":             {},
	"align/paraphrase":        {},
	"align/hugepage":          {},
	"align/marks":             {"align/fold"},
	"align/ngrams":            {"align/fold", "align/hugepage", "align/pairs"},
	"align/edit":              {"align/fold", "align/lcs"},
	"align/lcs":               {},
	"align/index":             {"align/fold", "align/hugepage", "align/ngrams"},
	"align/match":             {"align/edit", "align/fold", "align/marks", "align/ngrams"},
	"align/diagonal":          {"align/index", "align/match"},
	"align/merge":             {"align/fold", "align/match", "align/marks"},
	aligntest:                 {},
	"bounded":                 {},
	"chart":                   {},
	"crawl":                   {"bounded", "storage"},
	"eval":                    {},
	"infer":                   {"bounded", "infer/features", tokenfile, "infer/tokenizer/subword"},
	"infer/features":          {},
	"infer/tokenizer/subword": {tokenfile},
	tokenfile:                 {},
	"label":                   {"align/lcs", "label/internal"},
	"label/internal":          {},
	"label/cluster":           {"label/internal"},
	"label/group":             {"label", "label/internal", "sorting"},
	"label/terms":             {"sorting"},
	"rank":                    {"sorting"},
	"reuse":                   {"align/pairs"},
	"segment":                 {},
	"serve":                   {},
	"sorting":                 {},
	"storage":                 {"bounded"},
	storagetest:               {"storage"},
	"storage/traces":          {},
	"table":                   {"bounded", "storage", "table/check", "table/parquet"},
	"table/check":             {},
	"table/parquet":           {"bounded", "storage"},
	"table/inspect":           {"storage", "table"},
	"table/verify":            {"storage", "table", "table/check"},
	tabletest:                 {"storage", storagetest, "table"},
	"export":                  {"chart", "label", "reuse", "sorting", "storage", "table"},
	"lake":                    {"storage", "table"},
	"report":                  {"align/collate", "align/pairs", "chart", "eval", "infer/features", "reuse", "segment", "storage", "table"},
	"storage/cloud":           {"storage"},
	"pipelines/config":        {"align", "align/pairs", "bounded", "crawl", "infer", "label", "segment", "storage"},
	"pipelines/worker":        {},
	"pipelines/cache":         {"pipelines/worker", "storage", "table"},
	"pipelines/runner":        {"infer", "pipelines/config", "pipelines/worker", "storage", "table"},
	"pipelines/engine":        {"bounded", "pipelines/cache", "pipelines/config", "pipelines/runner", "pipelines/worker", "sorting", "storage", "storage/traces", "table"},
	"pipelines/join":          {"pipelines/engine", "segment", "table"},
	"pipelines/ingest":        below("pipelines/join", "align/pairs", "crawl", "label/group", "segment"),
	"pipelines/quotes":        below("pipelines/ingest", "align", "align/pairs", "align/paraphrase", "crawl", "label", "label/group"),
	"pipelines/datasets":      below("pipelines/quotes", "align/pairs", "crawl", "infer", "infer/features", "label", "label/cluster", "label/group", "label/terms", "segment"),
	"pipelines/ranking":       below("pipelines/datasets", "align/paraphrase", "crawl", "eval", "infer", "infer/features", "label", "label/group", "rank", "segment"),
	"pipelines":               {"pipelines/config", "pipelines/datasets", "pipelines/engine", "pipelines/ingest", "pipelines/quotes", "pipelines/ranking", "pipelines/runner", "storage/cloud"},
	"pipelines/lineage":       {"crawl", "pipelines/config", "pipelines/engine", "storage", "table"},
	pipelinetest:              {"infer", "pipelines/cache", "pipelines/config", "pipelines/engine", "storage", "table"},
	"standalone":              {"align", "align/collate", "bounded", "crawl", "infer", "pipelines/config", "reuse", "segment", "sorting", "storage", "table/parquet"},
	"cmd":                     {"bounded", "export", "infer", "lake", "pipelines", "pipelines/config", "pipelines/engine", "pipelines/lineage", "pipelines/quotes", "pipelines/ranking", "report", "serve", "standalone", "storage", "storage/cloud", "table", "table/inspect", "table/verify"},
	"bench":                   nil,
	"models":                  nil,
}

// tokenfile is for the packages of tokenizers.
const tokenfile = "infer/tokenizer/internal/tokenfile"

// Packages for tests, of any package.
const (
	aligntest    = "align/aligntest"
	pipelinetest = "pipelines/pipelinetest"
	storagetest  = "storage/storagetest"
	tabletest    = "table/tabletest"
)

var forTests = []string{aligntest, pipelinetest, storagetest, tabletest}

// stagePackages hold stages, in an order in which a later one may import the
// earlier ones.
var stagePackages = []string{"pipelines/config", "pipelines/worker", "pipelines/cache", "pipelines/runner", "pipelines/engine", "pipelines/join", "pipelines/ingest", "pipelines/quotes", "pipelines/datasets"}

// below lists what a package of stages may import: the packages up to last, what
// all of them use, and more.
func below(last string, more ...string) []string {
	list := slices.Clone(stagePackages[:slices.Index(stagePackages, last)+1])
	return append(append(list, "bounded", "sorting", "storage", "table"), more...)
}

const onlyCrawl = "only crawl may touch the network: it is the polite one; serve asks nobody, and answers browsers of this machine"

// Libraries that belong to one package, and why no other may import them.
var belongs = []struct {
	prefix string
	by     []string
	why    string
}{
	{"github.com/apache/beam", []string{"pipelines/runner", "storage/cloud"}, "the algorithms are plain functions that can be tested without a runner; cloud uses no more of Beam than its file systems"},
	{"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism", nil, "it listens on all interfaces and runs any command that it is sent"},
	{"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx", nil, "it brings Prism"},
	{"github.com/yalue/onnxruntime_go", []string{"infer"}, "one package decides on devices and sessions, and the others build without cgo"},
	{"github.com/parquet-go/", []string{"table/parquet", "bench"}, "only table knows what is committed; a reader beside it would see half-written shards"},
	{"github.com/twmb/avro", []string{"lake"}, "Avro is what Iceberg's manifests are written in, and nothing else here"},
	{"github.com/go-analyze/", []string{"chart"}, "all drawings look alike, and one package knows what the library cannot do"},
	{"net/http", []string{"crawl", "serve", "bench"}, onlyCrawl},
	{"net", []string{"crawl", "serve", "bench"}, onlyCrawl},
	{"github.com/PuerkitoBio/goquery", []string{"crawl"}, "pages are read where they are fetched"},
	{"github.com/nlnwa/gowarc", []string{"crawl"}, "WARC files are read and written where answers are"},
	{"github.com/spf13/", []string{"cmd"}, "flags are read where commands are"},
	{"github.com/schollz/", []string{"cmd"}, "the terminal is the command line's"},
	{"math/rand", []string{}, "use math/rand/v2 with a seed: the same inputs give the same bytes"},
	{"unsafe", []string{"align/fold", "align/hugepage", "align/index", "align/marks", "crawl"}, "it is for packages that have measured what it saves"},
}

// Files that may break one rule, and why.
var except = map[string]string{
	"pipelines/reach_linux_test.go net":                "the test tries to reach a run from outside",
	"pipelines/runner/flink.go net/http":               "a Flink cluster is asked for its state where the user said that it is",
	"pipelines/runner/flink_test.go net/http":          "the test answers in Flink's place",
	"pipelines/runner/flink_test.go net/http/httptest": "the test answers in Flink's place",

	"cmd/commonplace/interrupt_test.go net/http":              "the test is a server that stalls",
	"storage/cloud/stall_test.go net/http":                    "the test is a store that stalls",
	"cmd/commonplace/serve_test.go net/http":                  "the test is the browser",
	"report/served_test.go net/http":                          "the test is a server on loopback, and another program in its place",
	"report/served_test.go net/http/httptest":                 "the test is a server on loopback, and another program in its place",
	"cmd/commonplace/mirror_test.go net/http":                 "the tests are servers on loopback, and see politeness from their side",
	"cmd/commonplace/mirror_test.go net/http/httptest":        "the tests are servers on loopback, and see politeness from their side",
	"cmd/commonplace/crawl_test.go net/http":                  "the tests are servers on loopback, and see politeness from their side",
	"cmd/commonplace/crawlbad_test.go net/http":               "the tests are servers on loopback, and see politeness from their side",
	"cmd/commonplace/articles_test.go net/http":               "the tests are servers on loopback, and see politeness from their side",
	"cmd/commonplace/endpoint_test.go net/http":               "the tests are servers on loopback, and see politeness from their side",
	"cmd/commonplace/secrets_test.go net/http":                "the tests are servers on loopback, and see politeness from their side",
	"cmd/commonplace/secrets_test.go net/http/httptest":       "the tests are servers on loopback, and see politeness from their side",
	"cmd/commonplace/terminal_test.go net/http":               "the tests are servers on loopback, and see politeness from their side",
	"storage/cloud/loopback/loopback.go net/http":             "stores on loopback, for tests",
	"storage/cloud/loopback/loopback.go net/http/httptest":    "stores on loopback, for tests",
	"pipelines/fetchtwice_test.go net/http":                   "the tests are servers on loopback",
	"pipelines/fetchtwice_test.go net/http/httptest":          "the tests are servers on loopback",
	"pipelines/shards_test.go net/http":                       "the test is a server on loopback",
	"pipelines/shards_test.go net/http/httptest":              "the test is a server on loopback",
	"pipelines/lineage/lineage_test.go net/http":              "the tests are servers on loopback",
	"pipelines/lineage/lineage_test.go net/http/httptest":     "the tests are servers on loopback",
	"pipelines/ranking/paraphrased_test.go net/http":          "the test answers in a language model's place",
	"pipelines/ranking/paraphrased_test.go net/http/httptest": "the test answers in a language model's place",
	"pipelines/datasets/datasets_test.go net/http":            "the test answers in a language model's place",
	"pipelines/datasets/datasets_test.go net/http/httptest":   "the test answers in a language model's place",
}

// goFile is one Go file of the checkout.
type goFile struct {
	path, pkg, dir string
	test           bool
	outside        bool // a test that sees the package as others do
	imports        []string
}

func goFiles(t *testing.T) []goFile {
	t.Helper()
	var list []goFile
	walkCheckout(t, func(name string) {
		if path.Ext(name) != ".go" {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Error(err)
			return
		}
		g := goFile{path: name, dir: path.Dir(name), test: strings.HasSuffix(name, "_test.go"), outside: strings.HasSuffix(f.Name.Name, "_test")}
		g.pkg = packageOf(g.dir)
		for _, i := range f.Imports {
			p, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				t.Error(err)
			}
			g.imports = append(g.imports, p)
		}
		list = append(list, g)
	})
	if len(list) < 50 {
		t.Fatalf("only %d Go files: is this the checkout?", len(list))
	}
	return list
}

// packageOf is the pkg that a folder belongs to: the nearest of the map, at or above it.
func packageOf(dir string) string {
	for at := dir; at != "."; at = path.Dir(at) {
		if _, known := mayImport[at]; known {
			return at
		}
	}
	top, _, _ := strings.Cut(dir, "/")
	return top
}

// walkCheckout names every file that is ours: not what git ignores.
func walkCheckout(t *testing.T, do func(name string)) {
	t.Helper()
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch {
			case name != "." && strings.HasPrefix(d.Name(), "."), slices.Contains([]string{"bin", "dist", "lib", "out"}, name), d.Name() == "__pycache__":
				return fs.SkipDir
			}
			return nil
		}
		do(name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestWhoMayImportWhom keeps packages apart.
func TestWhoMayImportWhom(t *testing.T) {
	used := 0
	for _, f := range goFiles(t) {
		allowed, known := mayImport[f.pkg]
		if !known {
			t.Errorf("%s: package %s is not in the map of this test: write it there and into ARCHITECTURE.md", f.path, f.pkg)
			continue
		}
		for _, p := range f.imports {
			rule := breaks(f, p, allowed)
			if except[f.path+" "+p] != "" {
				used++
				rule = ""
			}
			if rule != "" {
				t.Errorf("%s imports %s: %s", f.path, p, rule)
			}
		}
	}
	if used != len(except) {
		t.Errorf("%d exceptions are used of %d: take away what nobody needs", used, len(except))
	}
}

// breaks names the rule that an import breaks, with its reason.
func breaks(f goFile, imported string, allowed []string) string {
	if rest, ours := strings.CutPrefix(imported, module); ours {
		pkg := packageOf(strings.TrimPrefix(rest, "/"))
		switch {
		case slices.Contains(forTests, pkg) && !slices.Contains(forTests, f.pkg) && !f.test:
			return "it is for tests"
		case pkg == "" || pkg == f.pkg || f.pkg == "bench" || f.pkg == "models":
			return ""
		case slices.Contains(allowed, pkg), slices.Contains(forTests, pkg):
			return ""
		case f.pkg == "pipelines" && f.test, strings.HasPrefix(f.pkg, "pipelines/") && f.outside:
			return "" // such tests are of all stages together
		case f.test && pkg == "table/verify":
			return "" // a test may verify the tables that it made
		case f.outside && strings.HasPrefix(pkg, f.pkg+"/"):
			return "" // a package's tests see it with what is built on it
		case f.pkg == ".":
			return "the root package imports the standard library alone"
		case pkg == "pipelines" || pkg == "cmd":
			return "an import may not go upward: " + pkg + " is above " + f.pkg
		}
		return "packages know nothing of each other, so that each can be understood, tested and used alone; join them in pipelines"
	}
	standard := !strings.Contains(strings.Split(imported, "/")[0], ".")
	if f.pkg == "." && !f.test && !standard {
		return "the root package imports the standard library alone"
	}
	if f.pkg == "." && !f.test && slices.Contains([]string{"os", "io/fs", "net/http", "os/exec"}, imported) {
		return "the root package holds the domain's words and does no I/O"
	}
	for _, b := range belongs {
		if imported != b.prefix && !(strings.HasSuffix(b.prefix, "/") && strings.HasPrefix(imported, b.prefix)) && !strings.HasPrefix(imported, b.prefix+"/") {
			continue
		}
		if b.prefix == "math/rand" && strings.HasPrefix(imported, "math/rand/v2") || b.prefix == "net" && imported != "net" {
			continue
		}
		if !slices.Contains(b.by, f.pkg) {
			return "it belongs to " + strings.Join(b.by, " and ") + ": " + b.why
		}
	}
	return ""
}

// TestNoPackageImportsUpward: the arrows of the map make no circle, so each pkg can be
// read without those that stand on it.
func TestNoPackageImportsUpward(t *testing.T) {
	const open, done = 1, 2
	state := map[string]int{}
	var visit func(pkg string, above []string)
	visit = func(pkg string, above []string) {
		switch state[pkg] {
		case open:
			t.Errorf("packages stand on each other: %s", strings.Join(append(above, pkg), " -> "))
		case 0:
			state[pkg] = open
			for _, other := range mayImport[pkg] {
				visit(other, append(slices.Clone(above), pkg))
			}
			state[pkg] = done
		}
	}
	for pkg := range mayImport {
		visit(pkg, nil)
	}
}

// The rules themselves, so that a slip in this test cannot open every door.
func TestImportRulesBite(t *testing.T) {
	for _, c := range []struct {
		pkg, imported string
		wrong         bool
	}{
		{"align", module, false},
		{"align", module + "/table", true},
		{"align", module + "/pipelines", true},
		{"align", module + "/align/match", false},
		{"align/index", module + "/align/match", true},
		{"align/fold", module + "/align", true},
		{"align", module + "/align/aligntest", true},
		{"pipelines/quotes", module + "/align/merge", true},
		{"crawl", module + "/crawl/charset", false},
		{"report", module + "/table", false},
		{"report", module + "/align", true},
		{"pipelines/ingest", module + "/crawl/files", false},
		{"pipelines", module + "/cmd/commonplace", true},
		{"pipelines", "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism", true},
		{"pipelines", module + "/pipelines/pipelinetest", true},
		{"cmd", module + "/align", true},
		{"cmd", module + "/pipelines", false},
		{".", "strings", false},
		{".", "os", true},
		{".", "golang.org/x/text/unicode/norm", true},
		{".", module + "/table", true},
		{"pipelines/runner", "github.com/apache/beam/sdks/v2/go/pkg/beam", false},
		{"table", "github.com/apache/beam/sdks/v2/go/pkg/beam", true},
		{"table", "github.com/parquet-go/parquet-go", true},
		{"table/parquet", "github.com/parquet-go/parquet-go", false},
		{"table", module + "/table/verify", true},
		{"report", module + "/table/verify", true},
		{"table/verify", module + "/table/tabletest", true},
		{"pipelines", "github.com/parquet-go/parquet-go", true},
		{"pipelines", "github.com/yalue/onnxruntime_go", true},
		{"infer", "github.com/yalue/onnxruntime_go", false},
		{"cmd", "net/http", true},
		{"report", "net/http", true},
		{"serve", "net/http", false},
		{"serve", module + "/storage", true},
		{"label", "net", true},
		{"label", module + "/label/group", true},
		{"label/terms", module + "/label", true},
		{"crawl", "net/http", false},
		{"crawl", "net/url", false},
		{"label", "net/url", false},
		{"label", "math/rand", true},
		{"label", "math/rand/v2", false},
	} {
		rule := breaks(goFile{pkg: c.pkg}, c.imported, mayImport[c.pkg])
		if (rule != "") != c.wrong {
			t.Errorf("%s imports %s: %q", c.pkg, c.imported, rule)
		}
	}
	for pkg, may := range maps.All(mayImport) {
		for _, other := range may {
			if _, known := mayImport[other]; !known || pkg == other {
				t.Errorf("%s may import %s, which is no other pkg", pkg, other)
			}
		}
	}
}

// A file holds one idea: none has more than 500 lines. Python trains models and
// stands for the peers in benchmarks, and python is what pip installs.
func TestFilesAreShortAndInTheirPlace(t *testing.T) {
	walkCheckout(t, func(name string) {
		top, _, _ := strings.Cut(name, "/")
		switch path.Ext(name) {
		case ".py", ".ipynb":
			// export/snippets go with exported datasets.
			if top != "models" && top != "bench" && top != "python" && !strings.HasPrefix(name, "export/snippets/") {
				t.Errorf("%s: Python lives in models, bench and python only", name)
			}
			fallthrough
		case ".go", ".sh":
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Error(err)
			}
			if n := bytes.Count(raw, []byte("\n")); n > 500 {
				t.Errorf("%s has %d lines, more than 500: cut it where one idea ends", name, n)
			}
		}
	})
}
