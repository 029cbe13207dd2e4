package commonplace_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/licensecheck"
)

var updateLicences = flag.Bool("update-licences", false, "write docs/licences.md anew")

const licencesHead = `# Licences of linked modules

This table lists every Go module in the program with its licences. The library google/licensecheck
reads them from the module's licence file; text that it does not know counts as unknown.
` + "`go test . -run Licences -update-licences`" + ` writes this page. Without the flag the test fails if a
dependency or a licence has changed, so that somebody checks it. ONNX Runtime's library is loaded
at run time, not linked. It is under the MIT licence. infer/features/lemmas.txt has words of WordNet 3.0, and
WordNet's licence.

| module | version | licence |
|---|---|---|
`

// What we may pass on in a program without more than naming it.
var permissive = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "FTL"}

// Licences that the reader of licences does not know, as we read them ourselves.
var readByUs = map[string]string{
	"github.com/golang/freetype": "FTL", // offered under it or GPL-2.0, as one likes; it asks for a credit, as BSD-3-Clause does
}

// TestLicences holds docs/licences.md to the modules that the program is made of,
// and these to licences that allow it.
func TestLicences(t *testing.T) {
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	tags := regexp.MustCompile(`-tags=[a-z_,]+`).FindString(string(makefile)) // without them gRPC brings more modules
	if tags == "" {
		t.Fatal("the Makefile builds without tags")
	}
	list := exec.Command("go", "list", tags, "-deps", "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", "./cmd/commonplace")
	list.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=1") // one page for all machines
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(lines)
	var page strings.Builder
	page.WriteString(licencesHead)
	for _, line := range slices.Compact(lines) {
		module := strings.SplitN(line, " ", 3)
		if len(module) < 3 {
			continue // the standard library and our own packages
		}
		licences := []string{readByUs[module[0]]}
		if licences[0] == "" {
			licences = licencesIn(t, module[2])
		}
		for _, l := range licences {
			if !slices.Contains(permissive, l) {
				t.Errorf("%s: licence %s is not among those we may link: %v", module[0], l, permissive)
			}
		}
		fmt.Fprintf(&page, "| %s | %s | %s |\n", module[0], module[1], strings.Join(licences, ", "))
	}
	path := filepath.Join("docs", "licences.md")
	if *updateLicences {
		if err := os.WriteFile(path, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	was, err := os.ReadFile(path)
	if err != nil || string(was) != page.String() {
		t.Errorf("%s is not what the program is linked with: look at what changed, then run this test with -update-licences (%v)", path, err)
	}
}

// licencesIn are the licences that a module's folder states, sorted.
func licencesIn(t *testing.T, dir string) []string {
	var found []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := strings.ToLower(e.Name())
		if e.IsDir() || !strings.HasPrefix(name, "licen") && !strings.HasPrefix(name, "copying") || strings.HasSuffix(name, ".docs") {
			continue // .docs: the licence of a text that is not linked
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range licensecheck.Scan(text).Match {
			found = append(found, m.ID)
		}
	}
	if len(found) == 0 {
		found = []string{"unknown"}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
