package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeParts writes the page of the test's run with as little in the page as may be.
func writeParts(t *testing.T) (path string, parts []string) {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, "page.html")
	o := Options{PageSize: 30_000, Part: func(content []byte) (string, error) {
		name := fmt.Sprintf("part %d#.js", len(parts)) // a name that has to be escaped
		parts = append(parts, string(content))
		return (&url.URL{Path: name}).String(), os.WriteFile(filepath.Join(dir, name), content, 0o644)
	}}
	if err := os.WriteFile(path, []byte(write(t, testRun(t), o)), 0o644); err != nil {
		t.Fatal(err)
	}
	return path, parts
}

func TestEveryPassageIsInOnePart(t *testing.T) {
	t.Parallel()
	path, parts := writeParts(t)
	html, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	passages := dataOf(t, string(html)).Passages
	if len(parts) < 2 || len(passages) == 120 {
		t.Fatalf("%d parts, %d passages in the page", len(parts), len(passages))
	}
	for _, part := range parts {
		list := strings.TrimSuffix(strings.TrimPrefix(part, "commonplacePart("), ")\n")
		if strings.ContainsAny(list, "<>") {
			t.Error("a part of the page's data could be taken for HTML")
		}
		var more []passage
		if err := json.Unmarshal([]byte(list), &more); err != nil {
			t.Fatal(err)
		}
		passages = append(passages, more...)
	}
	whole := dataOf(t, write(t, testRun(t), Options{})).Passages
	a, _ := json.Marshal(passages)
	b, _ := json.Marshal(whole)
	if !bytes.Equal(a, b) {
		t.Errorf("%d passages in parts differ from %d in one page", len(passages), len(whole))
	}
	if !strings.Contains(string(html), "script-src &#39;sha256-") && !strings.Contains(string(html), "file:; base-uri") {
		t.Error("the page may not load its parts")
	}
}

// A page that is opened from a file loads its parts when something is asked for that
// is in them, and says so when they are missing.
func TestPartsInABrowser(t *testing.T) {
	t.Parallel()
	ctx, complaints := browser(t)
	path, _ := writeParts(t)
	address := (&url.URL{Scheme: "file", Path: path}).String()
	do(t, ctx, navigate(address+"#second:000039")...)
	wait(t, ctx, `document.getElementById("reader").open`)
	do(t, ctx, navigate(address)...)
	wait(t, ctx, `document.getElementById("status").textContent.startsWith("120 lines, ")`)
	if n := value[int](t, ctx, `document.scripts.length`); n != 2 {
		t.Errorf("%d scripts before anything is asked for", n)
	}
	run(t, ctx, `document.getElementById("search").value = "passage 39"; document.getElementById("search").dispatchEvent(new Event("input"))`)
	wait(t, ctx, `document.getElementById("status").textContent.startsWith("3 of 120 lines, 3 shown") && !document.getElementById("status").textContent.includes("so far")`)
	// Read on from line to line, beyond those that came with the page.
	do(t, ctx, navigate(address)...)
	wait(t, ctx, `document.querySelector("#cards .card") !== null`)
	run(t, ctx, `document.querySelector("#cards .card").click()`)
	wait(t, ctx, `document.getElementById("reader-place").textContent === "1 of 120"`)
	run(t, ctx, `window.reading = setInterval(() => document.getElementById("next").click(), 5)`)
	wait(t, ctx, `document.getElementById("reader-place").textContent === "120 of 120" && document.getElementById("next").disabled`)
	run(t, ctx, `clearInterval(window.reading)`)
	if said := complaints(); len(said) > 0 {
		t.Errorf("the browser complains:\n%s", strings.Join(said, "\n"))
	}
	for _, name := range []string{"part 0#.js", "part 1#.js"} {
		if err := os.Remove(filepath.Join(filepath.Dir(path), name)); err != nil {
			t.Fatal(err)
		}
	}
	do(t, ctx, navigate(address+"#?q=&search=passage")...)
	wait(t, ctx, `document.getElementById("status").textContent.startsWith("A file of this page is missing")`)
}
