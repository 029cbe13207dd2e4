package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// hostile writes the clipboard, moves the cursor, turns the text's direction and
// begins a line of its own.
const hostile = "Mill\x1b]52;c;aGk=\x07\x1b[2J\u009b31m\b\r\u202etxt.\u2066\x7f\ncommonplace: all is well"

// commanding is the first character of an output that a terminal obeys.
func commanding(output []byte) string {
	at := bytes.IndexFunc(output, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
	})
	if at < 0 {
		return ""
	}
	return fmt.Sprintf("%q", output[max(0, at-60):min(len(output), at+60)])
}

// Whatever a library, a list, a file's name or a server says, no command writes
// what a terminal would obey, and none begins a line that we did not begin.
func TestNothingCommandsTheTerminal(t *testing.T) {
	dir := t.TempDir()
	object := func(fields map[string]string) string {
		b, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		return string(b) + "\n"
	}
	text := "It was a dark and stormy night; nobody came to the door of the mill " + hostile + " and the miller slept, for he had learned that no letter ever comes at night."
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	odd := "odd\x1b]0;x\a\u202e.txt"
	write("books/books.jsonl", object(map[string]string{"id": "mill", "title": hostile, "author": hostile, "rights": hostile, "text": text})+object(map[string]string{"id": "bad" + hostile, "text": text}))
	write("books/"+odd, text)
	write("quotes.jsonl", object(map[string]string{"quote_id": "q", "text": "nobody came to the door of the mill " + hostile})+object(map[string]string{"quote_id": "q" + hostile, "text": " "}))
	model, err := filepath.Abs(filepath.Join(checkout, "models/quotability-features"))
	if err != nil {
		t.Fatal(err)
	}
	config := func(name, more string) string {
		return write(name, fmt.Sprintf("out: out\nshards: 1\nmax_reject_fraction: 1\nsources: [{name: books, files: [books/books.jsonl, books/*.txt]}]\nquotes: [{name: q, path: quotes.jsonl}]\nscore: {model: %s}\n%s", model, more))
	}
	run := config("run.yaml", "")
	config("odd\x1b[2J\u202e.yaml", "nothing\x1b[2J: 1\n")
	server := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "/\u202e\u009b")
		w.WriteHeader(http.StatusFound)
	})
	write("pages.txt", server.URL+"/\u202ea\u009b\n"+server.URL+"/b\n")
	fetch := write("fetch.yaml", fmt.Sprintf(loopback, "")+"out: fetched\nmax_reject_fraction: 1\nsources: [{name: pages, kind: articles, files: [pages.txt]}]\n")
	library, err := filepath.Abs(filepath.Join(checkout, "lib/onnxruntime"))
	if err != nil {
		t.Fatal(err)
	}
	do := func(fails bool, args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		c := exec.Command("commonplace", args...)
		c.Env = append(os.Environ(), "COMMONPLACE_ONNXRUNTIME="+library)
		c.Dir, c.Stdout, c.Stderr = dir, &out, &errs
		err := c.Run()
		if (err != nil) != fails {
			t.Fatalf("%q: %v\n%s%s", args, err, out.String(), errs.String())
		}
		for _, output := range [][]byte{out.Bytes(), errs.Bytes()} {
			if found := commanding(output); found != "" {
				t.Errorf("%q writes %s", args, found)
			}
		}
		for line := range strings.Lines(out.String() + errs.String()) {
			if strings.HasPrefix(line, "commonplace: all is well") {
				t.Errorf("%q lets a text begin a line:\n%s", args, line)
			}
		}
	}
	do(false, "build", run, "-v")
	for _, table := range []string{"documents", "passages", "quotes", "alignments", "rankings", "rejects"} {
		do(false, "inspect", table, run, "--limit", "0")
		do(false, "inspect", table, run, "--limit", "0", "--format", "jsonl")
	}
	do(false, "status", run)
	do(false, "verify", run)
	do(false, "explain", run, "--doc", "mill", "--quote", "q")
	do(false, "explain", run, "--doc", "mill", "--quote", "q", "--format", "json")
	do(true, "explain", run, "--doc", "no"+hostile[:40], "--quote", "q")
	do(false, "report", run, "--to", "page.html")
	do(false, "export", run, "--to", "set", "--title", hostile)
	write("books/books.jsonl", object(map[string]string{"id": "other", "title": hostile, "text": "Another " + text}))
	do(false, "build", run, "--top", "3")
	do(false, "diff", run)
	do(false, "diff", run, "--format", "jsonl")
	do(true, "build", "odd\x1b[2J\u202e.yaml")
	do(true, "build", "there is no\x1b[2J.yaml")
	do(true, "no\x1b[2Jcommand")
	do(true, "segment", "--input", "books", "--by", "words:50", "--out", "passages.jsonl")
	do(false, "crawl", fetch, "-v")
	do(false, "inspect", "rejects", "--out", "fetched")

	card, err := os.ReadFile(filepath.Join(dir, "set", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if found := commanding(card); found != "" {
		t.Errorf("README.md holds %s", found)
	}
}

// The two writers are the only way to the terminal.
func TestNothingWritesBesideTheTerminal(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "_test.go") || name == "terminal.go" {
			continue
		}
		for _, way := range []string{"os.Stdout", "os.Stderr", "fmt.Print", "fmt.Fprint(bars", "println("} {
			if strings.Contains(strings.ReplaceAll(string(b), "Fprintln(", ""), way) {
				t.Errorf("%s writes by %s, beside stdout and stderr", name, way)
			}
		}
	}
}

// On a narrow terminal what is said of a passage goes below its name; a file has one line.
func TestHeadedFitsTheTerminal(t *testing.T) {
	for width, want := range map[int]string{
		-5: "the-clockmakers-daughters:000007  score 2.529, quoted 5 times",
		80: "the-clockmakers-daughters:000007  score 2.529, quoted 5 times",
		61: "the-clockmakers-daughters:000007  score 2.529, quoted 5 times",
		55: "the-clockmakers-daughters:000007\n     score 2.529, quoted 5 times",
	} {
		if got := headed("the-clockmakers-daughters:000007", "score 2.529, quoted 5 times", width); got != want {
			t.Errorf("%d columns: %q, want %q", width, got, want)
		}
	}
}
