package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/infer"
)

// What README.md and the tutorial show is what the program prints. A line of a block
// that begins with "$ " is run, in a copy of the checkout's data; what follows it is
// what it prints. There a line of three dots stands for any lines, dots at the end of a
// line for the rest of it, and times are not compared.
func TestDocumentsAreTrue(t *testing.T) {
	library := needLibrary(t)
	for _, page := range []string{"README.md", "docs/tutorial.md"} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile(filepath.Join(checkout, page))
			if err != nil {
				t.Fatal(err)
			}
			steps := transcript(string(raw))
			if len(steps) == 0 {
				t.Fatalf("%s shows no command", page)
			}
			dir := likeCheckout(t)
			for _, s := range steps {
				c := exec.CommandContext(t.Context(), "sh", "-c", s.command)
				c.Dir = dir
				c.Env = append(os.Environ(), "COMMONPLACE_ONNXRUNTIME="+library, infer.ModelsVariable+"="+filepath.Join(dir, "models"), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), "COLUMNS=80")
				out, err := c.CombinedOutput()
				if err != nil {
					t.Fatalf("$ %s\n%s%v", s.command, out, err)
				}
				if s.shown != "" && !shows(s.shown, string(out)) {
					t.Errorf("$ %s\nprints:\n%s\n%s shows:\n%s", s.command, out, page, s.shown)
				}
			}
		})
	}
}

// likeCheckout is a folder with what the documents' commands read, the program in bin,
// and a make that runs the demonstration without building anything.
func likeCheckout(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, folder := range []string{"configs", "models", "testdata"} {
		if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(filepath.Join(checkout, folder))); err != nil {
			t.Fatal(err)
		}
	}
	program, err := os.Executable() // main, when it is called by the program's name
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program, filepath.Join(dir, "bin", "commonplace")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "bin", "make"), []byte("#!/bin/sh\n[ \"$1\" != run ] || exec commonplace build configs/demo.yaml\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// step is a command of a page, and what the page says that it prints.
type step struct{ command, shown string }

// transcript are a page's commands in their order. A command with a here-document ends
// with the line END.
func transcript(page string) []step {
	var steps []step
	inside, fenced, here := false, false, false
	for line := range strings.Lines(page) {
		text, indented := strings.CutPrefix(line, "    ")
		if strings.HasPrefix(line, "```") {
			fenced, inside = !fenced, false
			continue
		}
		if fenced {
			text = line
		}
		command, isCommand := strings.CutPrefix(text, "$ ")
		last := len(steps) - 1
		switch {
		case here:
			steps[last].command += text
			here = text != "END\n"
		case isCommand && (fenced || indented):
			steps = append(steps, step{command: command})
			inside, here = true, strings.Contains(command, "<<'END'")
		case inside && (fenced || indented || strings.TrimSpace(line) == ""):
			steps[last].shown += text
		default:
			inside = false
		}
	}
	for i := range steps {
		steps[i].shown = strings.Trim(steps[i].shown, "\n")
	}
	return steps
}

var (
	spent = regexp.MustCompile(`\b[0-9.]+(ms|s)\b`)
	stamp = regexp.MustCompile(`(?m)^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ `)
)

// shows says that a sample is what was printed.
func shows(sample, printed string) bool {
	var pattern strings.Builder
	for line := range strings.Lines(tidied(sample) + "\n") {
		line = strings.TrimRight(line, " \n")
		rest, open := strings.CutSuffix(line, "...")
		switch {
		case strings.TrimSpace(line) == "...":
			pattern.WriteString(`(?s:.*)`)
		case open:
			fmt.Fprintf(&pattern, "%s[^\n]*\n", regexp.QuoteMeta(rest))
		default:
			fmt.Fprintf(&pattern, "%s *\n", regexp.QuoteMeta(line))
		}
	}
	return regexp.MustCompile(`^\n*` + pattern.String() + `\n*$`).MatchString(tidied(printed) + "\n")
}

// tidied leaves out of printed lines what differs from run to run.
func tidied(s string) string {
	return spent.ReplaceAllString(stamp.ReplaceAllString(strings.Trim(s, "\n"), ""), "TIME")
}

// The comparison itself, so that it cannot agree with everything.
func TestSamplesAreCompared(t *testing.T) {
	steps := transcript("text\n\n    $ a\n    one\n\n      two 3ms\n\n```\n$ b <<'END'\nx\nEND\n$ c\n```\nnone\n")
	want := []step{{"a\n", "one\n\n  two 3ms"}, {"b <<'END'\nx\nEND\n", ""}, {"c\n", ""}}
	if fmt.Sprint(steps) != fmt.Sprint(want) {
		t.Fatalf("%q", steps)
	}
	for _, c := range []struct {
		sample, printed string
		same            bool
	}{
		{"one\n  two 3ms", "2026-01-01T00:00:00Z one\n  two 1.5s\n", true},
		{"one\n...\nfour", "one\ntwo\nthree\nfour\n", true},
		{"one...", "one and more\n", true},
		{"one", "one and more\n", false},
		{"one", "zero\none\n", false},
		{"one\n  two", "one\n two\n", false},
	} {
		if shows(c.sample, c.printed) != c.same {
			t.Errorf("%q against %q", c.sample, c.printed)
		}
	}
}
