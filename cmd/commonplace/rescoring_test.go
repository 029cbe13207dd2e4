package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// While the rankings of a grown library are made, and after a kill, status tells how far
// they are.
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
	put("weathers.txt")
	say("build", config, "--top", "0")
	if output := say("status", config); strings.Contains(output, "shards made") || strings.Contains(output, "made from another version") {
		t.Errorf("all is there, and status says %s", output)
	}

	// As it was when one shard of the rankings was made.
	records := filepath.Join(out, "records", "rankings")
	err = errors.Join(
		os.Remove(filepath.Join(records, "_commit.json")),
		os.WriteFile(filepath.Join(out, "rankings", ".part-00002-of-00004.parquet.0123456789ab.tmp"), nil, 0o644),
	)
	for _, k := range []int{0, 2, 3} {
		err = errors.Join(err, os.Remove(filepath.Join(records, fmt.Sprintf("part-%05d-of-00004.json", k))))
	}
	if err != nil {
		t.Fatal(err)
	}
	output := say("status", config)
	if !regexp.MustCompile(`(?m)^rankings +not there, or not finished: 1 of 4 shards made; shard .*shard`).MatchString(output) || !strings.Contains(output, "shard 2 begun") {
		t.Errorf("one of four shards is made, and status says %s", output)
	}
	say("build", config, "--top", "0")
	if output := say("status", config); strings.Contains(output, "shards made") {
		t.Errorf("it was finished, and status says %s", output)
	}
}
