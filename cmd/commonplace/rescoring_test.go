package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// While the rankings of a grown library are made, and after a kill, status tells
// of those that are current, that what they were made from has changed since, and how far
// the new ones are.
func TestStatusOfARescoring(t *testing.T) {
	root, err := filepath.Abs(checkout)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("COMMONPLACE_ONNXRUNTIME", needLibrary(t))
	books := t.TempDir()
	put := func(name string) {
		t.Helper()
		b, err := os.ReadFile(filepath.Join(root, "testdata/demo/books", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(books, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	config, out := writeConfig(t, fmt.Sprintf("sources: [{name: books, files: [%s]}]\nquotes: [{name: list, path: %s}]\nscore: {model: %s}\n",
		books, filepath.Join(root, "testdata/demo/quotes.jsonl"), filepath.Join(root, "models/quotability-features")))
	say := func(args ...string) string {
		t.Helper()
		output, err := exec.Command("commonplace", args...).CombinedOutput()
		var ended *exec.ExitError
		if err != nil && !(args[0] == "status" && errors.As(err, &ended) && ended.ExitCode() == 7) { // 7: a table is out of date
			t.Fatalf("%v: %s", err, output)
		}
		return string(output)
	}
	put("the-salt-ledger.txt")
	say("build", config, "--top", "0")
	yesterday := link(t, out, "current")
	put("weathers.txt")
	say("build", config, "--top", "0")
	if output := say("status", config); strings.Contains(output, "shards made") || strings.Contains(output, "made from another version") {
		t.Errorf("all is there, and status says %s", output)
	}

	// As it was when one shard of the new version was made.
	today := filepath.Join(out, "rankings", link(t, out, "current"))
	whole := filepath.Join(out, "rankings")
	err = errors.Join(
		os.Remove(filepath.Join(whole, "current")), os.Remove(filepath.Join(whole, "previous")), os.Symlink(yesterday, filepath.Join(whole, "current")),
		os.Remove(filepath.Join(today, "_commit.json")),
		os.WriteFile(filepath.Join(today, ".part-00002-of-00004.parquet.0123456789ab.tmp"), nil, 0o644),
	)
	for _, k := range []int{0, 2, 3} {
		err = errors.Join(err, os.Remove(filepath.Join(today, ".records", fmt.Sprintf("part-%05d-of-00004.json", k))))
	}
	if err != nil {
		t.Fatal(err)
	}
	output := say("status", config)
	if !regexp.MustCompile(`(?m)^rankings +\d+ rows .* made from another version of passages: 1 of 4 shards made; shard .*shard`).MatchString(output) || !strings.Contains(output, "shard 2 begun") {
		t.Errorf("one of four shards is made, and status says %s", output)
	}
	rows := func() (n int64) {
		var commit struct{ Rows int64 }
		if err := json.Unmarshal([]byte(readFile(t, filepath.Join(out, "rankings/current/_commit.json"))), &commit); err != nil {
			t.Fatal(err)
		}
		return commit.Rows
	}
	before := rows()
	say("build", config, "--top", "0")
	if output := say("status", config); strings.Contains(output, "shards made") || rows() <= before || link(t, out, "previous") != yesterday {
		t.Errorf("it was finished: %d rows after %d, status says %s", rows(), before, output)
	}
}

// link is the version of the rankings that a link names.
func link(t *testing.T, out, which string) string {
	t.Helper()
	version, err := os.Readlink(filepath.Join(out, "rankings", which))
	if err != nil {
		t.Fatal(err)
	}
	return version
}
