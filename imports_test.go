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

// The house has three floors. The root package is the ground and stands on the
// standard library. The rooms stand on the ground and know nothing of each other
// (sorting and bounded, which know nothing of quotations, are tools for any of them). What
// joins them stands above. The map says which of our packages the code of a
// room may import, beside the root and its own inner packages; benchmarks and
// tools may import all. A folder in the map is a room of its own, and a folder
// that is not belongs to the nearest one above it. TestRoomsStandInOrder holds
// that the arrows of the map only point down.
var mayImport = map[string][]string{
	".":                {},
	"align":            {},
	"bounded":          {},
	"chart":            {},
	"crawl":            {"bounded"},
	"eval":             {},
	"infer":            {"bounded"},
	"label":            {"sorting"},
	"rank":             {"sorting"},
	"segment":          {},
	"sorting":          {},
	"storage":          {"bounded"},
	"table":            {"bounded", "storage"},
	"export":           {"chart", "storage", "table"},
	"report":           {"chart", "storage", "table", "eval"},
	"pipelines/config": {"align", "bounded", "crawl", "infer", "label", "segment", "storage"},
	"storage/cloud":    {"storage"},
	"pipelines/runner": {"infer", "pipelines/config", "storage"},
	"pipelines/engine": {"pipelines/cache", "pipelines/config", "pipelines/runner", "sorting", "storage", "table"},
	"pipelines/cache":  {"storage", "table"},
	"pipelines":        {"pipelines/cache", "pipelines/config", "pipelines/engine", "pipelines/runner", "storage/cloud", "align", "bounded", "crawl", "eval", "infer", "label", "rank", "segment", "sorting", "storage", "table"},
	"cmd":              {"export", "storage/cloud", "pipelines", "pipelines/config", "pipelines/engine", "storage", "table", "report"},
	"bench":            nil,
	"models":           nil,
}

// Libraries that belong to one room, and why no other may import them.
var belongs = []struct {
	prefix string
	rooms  []string
	why    string
}{
	{"github.com/apache/beam", []string{"pipelines/runner", "storage/cloud"}, "the algorithms are plain functions that can be tested without a runner; cloud uses no more of Beam than its file systems"},
	{"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism", nil, "it listens on all interfaces and runs any command that it is sent"},
	{"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx", nil, "it brings Prism"},
	{"github.com/yalue/onnxruntime_go", []string{"infer"}, "one room decides on devices and sessions, and the others build without cgo"},
	{"github.com/parquet-go/", []string{"table", "bench"}, "only table knows what is committed; a reader beside it would see half-written shards"},
	{"github.com/go-analyze/", []string{"chart"}, "all drawings look alike, and one room knows what the library cannot do"},
	{"net/http", []string{"crawl", "bench"}, "only crawl may touch the network: it is the polite one"},
	{"net", []string{"crawl", "bench"}, "only crawl may touch the network: it is the polite one"},
	{"github.com/PuerkitoBio/goquery", []string{"crawl"}, "pages are read where they are fetched"},
	{"github.com/nlnwa/gowarc", []string{"crawl"}, "WARC files are read and written where answers are"},
	{"github.com/spf13/", []string{"cmd"}, "flags are read where commands are"},
	{"github.com/schollz/", []string{"cmd"}, "the terminal is the command line's"},
	{"math/rand", []string{}, "use math/rand/v2 with a seed: the same inputs give the same bytes"},
	{"unsafe", []string{"align", "crawl", "table", "infer"}, "it is for rooms that have measured what it saves"},
}

// Files that may break one rule, and why.
var except = map[string]string{
	"pipelines/reach_linux_test.go net":                "the test tries to reach a run from outside",
	"pipelines/runner/flink.go net/http":               "a Flink cluster is asked for its state where the user said that it is",
	"pipelines/runner/flink_test.go net/http":          "the test answers in Flink's place",
	"pipelines/runner/flink_test.go net/http/httptest": "the test answers in Flink's place",

	"cmd/commonplace/mirror_test.go net/http":              "the tests are servers on loopback, and see manners from their side",
	"cmd/commonplace/mirror_test.go net/http/httptest":     "the tests are servers on loopback, and see manners from their side",
	"cmd/commonplace/crawl_test.go net/http":               "the tests are servers on loopback, and see manners from their side",
	"cmd/commonplace/crawlbad_test.go net/http":            "the tests are servers on loopback, and see manners from their side",
	"cmd/commonplace/articles_test.go net/http":            "the tests are servers on loopback, and see manners from their side",
	"cmd/commonplace/endpoint_test.go net/http":            "the tests are servers on loopback, and see manners from their side",
	"cmd/commonplace/secrets_test.go net/http":             "the tests are servers on loopback, and see manners from their side",
	"cmd/commonplace/secrets_test.go net/http/httptest":    "the tests are servers on loopback, and see manners from their side",
	"cmd/commonplace/terminal_test.go net/http":            "the tests are servers on loopback, and see manners from their side",
	"storage/cloud/loopback/loopback.go net/http":          "stores on loopback, for tests",
	"storage/cloud/loopback/loopback.go net/http/httptest": "stores on loopback, for tests",
	"pipelines/datasets_test.go net/http":                  "the test answers in a language model's place",
	"pipelines/datasets_test.go net/http/httptest":         "the test answers in a language model's place",
}

// goFile is one Go file of the checkout.
type goFile struct {
	path, room, dir string
	test            bool
	imports         []string
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
		g := goFile{path: name, dir: path.Dir(name), test: strings.HasSuffix(name, "_test.go")}
		g.room = roomOf(g.dir)
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

// roomOf is the room that a folder belongs to: the nearest of the map, at or above it.
func roomOf(dir string) string {
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
			case name != "." && strings.HasPrefix(d.Name(), "."), slices.Contains([]string{"bin", "lib", "out"}, name), d.Name() == "__pycache__":
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

// TestWhoMayImportWhom keeps the rooms apart.
func TestWhoMayImportWhom(t *testing.T) {
	used := 0
	for _, f := range goFiles(t) {
		allowed, known := mayImport[f.room]
		if !known {
			t.Errorf("%s: %s is no room of the house: write it into the map of this test and into ARCHITECTURE.md", f.path, f.room)
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
		room := roomOf(strings.TrimPrefix(rest, "/"))
		switch {
		case room == "" || room == f.room || f.room == "bench" || f.room == "models":
			return ""
		case slices.Contains(allowed, room):
			return ""
		case f.room == ".":
			return "the root package is the ground: it stands on the standard library alone"
		case room == "pipelines" || room == "cmd":
			return "nothing flows backwards: " + room + " stands above " + f.room
		}
		return "rooms know nothing of each other, so that each can be understood, tested and used alone; join them in pipelines"
	}
	standard := !strings.Contains(strings.Split(imported, "/")[0], ".")
	if f.room == "." && !f.test && !standard {
		return "the root package is the ground: it stands on the standard library alone"
	}
	if f.room == "." && !f.test && slices.Contains([]string{"os", "io/fs", "net/http", "os/exec"}, imported) {
		return "the root package holds the domain's words and does no I/O"
	}
	for _, b := range belongs {
		if imported != b.prefix && !(strings.HasSuffix(b.prefix, "/") && strings.HasPrefix(imported, b.prefix)) && !strings.HasPrefix(imported, b.prefix+"/") {
			continue
		}
		if b.prefix == "math/rand" && strings.HasPrefix(imported, "math/rand/v2") || b.prefix == "net" && imported != "net" {
			continue
		}
		if !slices.Contains(b.rooms, f.room) {
			return "it belongs to " + strings.Join(b.rooms, " and ") + ": " + b.why
		}
	}
	return ""
}

// TestRoomsStandInOrder: the arrows of the map make no circle, so each room can be
// read without those that stand on it.
func TestRoomsStandInOrder(t *testing.T) {
	const open, done = 1, 2
	state := map[string]int{}
	var visit func(room string, above []string)
	visit = func(room string, above []string) {
		switch state[room] {
		case open:
			t.Errorf("rooms stand on each other: %s", strings.Join(append(above, room), " -> "))
		case 0:
			state[room] = open
			for _, other := range mayImport[room] {
				visit(other, append(slices.Clone(above), room))
			}
			state[room] = done
		}
	}
	for room := range mayImport {
		visit(room, nil)
	}
}

// The rules themselves, so that a slip in this test cannot open every door.
func TestImportRulesBite(t *testing.T) {
	for _, c := range []struct {
		room, imported string
		wrong          bool
	}{
		{"align", module, false},
		{"align", module + "/table", true},
		{"align", module + "/pipelines", true},
		{"crawl", module + "/crawl/charset", false},
		{"report", module + "/table", false},
		{"report", module + "/align", true},
		{"pipelines", module + "/crawl/files", false},
		{"pipelines", module + "/cmd/commonplace", true},
		{"pipelines", "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism", true},
		{"cmd", module + "/align", true},
		{"cmd", module + "/pipelines", false},
		{".", "strings", false},
		{".", "os", true},
		{".", "golang.org/x/text/unicode/norm", true},
		{".", module + "/table", true},
		{"pipelines/runner", "github.com/apache/beam/sdks/v2/go/pkg/beam", false},
		{"table", "github.com/apache/beam/sdks/v2/go/pkg/beam", true},
		{"pipelines", "github.com/parquet-go/parquet-go", true},
		{"pipelines", "github.com/yalue/onnxruntime_go", true},
		{"infer", "github.com/yalue/onnxruntime_go", false},
		{"cmd", "net/http", true},
		{"label", "net", true},
		{"crawl", "net/http", false},
		{"crawl", "net/url", false},
		{"label", "net/url", false},
		{"label", "math/rand", true},
		{"label", "math/rand/v2", false},
	} {
		rule := breaks(goFile{room: c.room}, c.imported, mayImport[c.room])
		if (rule != "") != c.wrong {
			t.Errorf("%s imports %s: %q", c.room, c.imported, rule)
		}
	}
	for room, may := range maps.All(mayImport) {
		for _, other := range may {
			if _, known := mayImport[other]; !known || room == other {
				t.Errorf("%s may import %s, which is no other room", room, other)
			}
		}
	}
}

// A file holds one idea: none has more than 500 lines. Python trains models and
// stands for the peers in benchmarks; it lives nowhere else.
func TestFilesAreShortAndInTheirPlace(t *testing.T) {
	walkCheckout(t, func(name string) {
		top, _, _ := strings.Cut(name, "/")
		switch path.Ext(name) {
		case ".py", ".ipynb":
			if top != "models" && top != "bench" {
				t.Errorf("%s: Python lives in models and bench only", name)
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
