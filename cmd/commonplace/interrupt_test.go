package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	stores "github.com/commonplace/commonplace/storage/cloud/loopback"
)

// TestInterruptInABucket interrupts commands while a bucket does not answer them:
// they end at once, with the status of an interruption and a sentence of ours.
func TestInterruptInABucket(t *testing.T) {
	s := stores.Start(t, "gs")
	root, err := filepath.Abs(checkout)
	if err != nil {
		t.Fatal(err)
	}
	putFolder(t, s, "books", filepath.Join(root, "testdata/demo/books"))
	config := filepath.Join(t.TempDir(), "run.yaml")
	local := fmt.Sprintf("out: %s\nshards: 1\nsources: [{name: books, files: [%s]}]\nscore: {model: fast}\n", s.Path("run"), filepath.Join(root, "testdata/demo/books"))
	if err := os.WriteFile(config, []byte(local), 0o644); err != nil {
		t.Fatal(err)
	}
	remote := filepath.Join(t.TempDir(), "remote.yaml")
	if err := os.WriteFile(remote, []byte(strings.Replace(local, filepath.Join(root, "testdata/demo/books"), s.Path("books/"), 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := s.Put("run.yaml", []byte(local)); err != nil {
		t.Fatal(err)
	}
	anything := func(*http.Request) bool { return true }
	has := func(part string) func(*http.Request) bool {
		return func(r *http.Request) bool { return strings.Contains(r.URL.String(), part) }
	}
	books := filepath.Join(root, "testdata/demo/books")
	const stopped = "crawl: stopped; what is finished is kept, run again to resume"
	for _, c := range []struct {
		what, says string
		stall      func(*http.Request) bool
		args       []string
	}{
		{"upload", stopped, func(r *http.Request) bool {
			return stores.Writing(r) && has("documents")(r)
		}, []string{"crawl", config}},
		{"list sources", stopped, has("books"), []string{"crawl", remote}},
		{"list sources in a dry run", "interrupted", has("books"), []string{"crawl", remote, "--dry-run"}},
		{"read a config", "interrupted", anything, []string{"crawl", s.Path("run.yaml")}},
		{"tune", "interrupted", anything, []string{"tune", filepath.Join(root, "configs/recommend.yaml"), "--out", s.Path("run")}},
		{"status", "interrupted", anything, []string{"status", config}},
		{"verify", "interrupted", anything, []string{"verify", "--out", s.Path("run")}},
		{"inspect", "interrupted", anything, []string{"inspect", "documents", "--out", s.Path("run")}},
		{"export", "interrupted", anything, []string{"export", s.Path("run"), "--to", filepath.Join(t.TempDir(), "dataset")}},
		{"align a list", "interrupted", anything, []string{"align", "--sources", books, "--quotes", s.Path("books/quotes.jsonl"), "--out", filepath.Join(t.TempDir(), "finds.jsonl")}},
		{"tokenize", "interrupted", anything, []string{"tokenize", "--tokenizer", filepath.Join(root, "models/quotability-encoder/tokenizer.json"), "--input", s.Path("books/texts.jsonl"), "--out", filepath.Join(t.TempDir(), "ids.jsonl")}},
		{"diff", "interrupted", anything, []string{"diff", "--out", s.Path("run")}},
		{"eval", "interrupted", anything, []string{"eval", "--out", s.Path("run")}},
		{"explain", "interrupted", anything, []string{"explain", config, "--doc", "weathers", "--text", "the year goes out as visitors do"}},
		{"report", "interrupted", anything, []string{"report", "--out", s.Path("run"), "--to", filepath.Join(t.TempDir(), "run.html")}},
	} {
		t.Run(c.what, func(t *testing.T) {
			temp := t.TempDir()
			waits := s.Stall(c.stall)
			defer s.Stall(nil)
			program := exec.CommandContext(t.Context(), "commonplace", c.args...)
			program.Env = append(os.Environ(), append(s.Env(), "TMPDIR="+temp, "XDG_CACHE_HOME="+t.TempDir(), "NO_GCE_CHECK=true")...)
			var output bytes.Buffer
			program.Stdout, program.Stderr = &output, &output
			if err := program.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- program.Wait() }()
			select {
			case <-waits:
			case err := <-ended:
				t.Fatalf("it ended before it asked: %v\n%s", err, &output)
			}
			if err := program.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			select {
			case <-ended:
			case <-time.After(30 * time.Second): // the bucket's own patience is two minutes
				program.Process.Kill()
				<-ended
				t.Fatalf("it goes on:\n%s", &output)
			}
			if status := program.ProcessState.ExitCode(); status != 130 || !regexp.MustCompile(`^(\S+Z crawl      did not finish, after \S+\n)?commonplace: `+regexp.QuoteMeta(c.says)+`\n$`).Match(output.Bytes()) {
				t.Errorf("status %d, and it says:\n%s", status, &output)
			}
			if left, _ := filepath.Glob(filepath.Join(temp, "*", ".commonplace.tmp")); len(left) > 0 {
				t.Errorf("left behind: %s", left)
			}
		})
	}
}
